//! C and C++: removes macros that mark declarations, which a grammar cannot distinguish from names.

use std::borrow::Cow;
use std::ops::Range;

use super::{blanked, is_name};

/// Returns the text without those macros.
pub(super) fn prepared<'t>(id: &str, text: &'t str) -> Cow<'t, str> {
    let mut spans = marks_of_lines(text);
    spans.extend(marks_at_ends(text));
    if id == "cpp" {
        spans.extend(marks_of_classes(text));
        spans.extend(marks_of_functions(text));
        spans.extend(directives_of_initialisers(text));
    }
    blanked(text, &spans)
}

/// Finds macros that mark exported classes: `class LIBRARY_EXPORT Name {` declares `Name`.
fn marks_of_classes(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for word in ["class ", "struct "] {
        for (at, _) in text.match_indices(word) {
            let start = at + word.len();
            let is_word = at == 0 || !is_name(text.as_bytes()[at - 1]);
            if let Some(length) = macro_length(&text[start..]).filter(|_| is_word) {
                spans.push(start..start + length);
            }
        }
    }
    spans
}

/// Finds the same macros at the start of a line: `LIBRARY_API int f(void);`.
fn marks_of_lines(text: &str) -> Vec<Range<usize>> {
    let (mut spans, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let end = line.bytes().position(|byte| !is_name(byte)).unwrap_or(0);
        let (word, rest) = line.split_at(end);
        let is_mark = ["API", "EXPORT", "EXTERN", "PUBLIC"]
            .iter()
            .any(|mark| word.ends_with(mark));
        let is_followed = rest.starts_with(' ')
            && rest
                .trim_start()
                .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let is_marking = is_mark && is_followed || (word.contains('_') && is_type_and_name(rest));
        if end > 0 && is_upper(word) && is_marking {
            spans.push(at..at + end);
        }
        at += line.len();
    }
    spans
}

/// Returns whether a type in lower case follows, and then a name or the end of the line.
fn is_type_and_name(text: &str) -> bool {
    let text = text.strip_prefix(' ').unwrap_or_default().trim_start();
    let end = text.bytes().position(|byte| !is_name(byte)).unwrap_or(0);
    let (kind, rest) = text.split_at(end);
    let is_type = kind.starts_with(|c: char| c.is_ascii_lowercase()) && kind != "else";
    let rest = rest.trim_start_matches([' ', '\t', '*', '\r']);
    is_type && rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '\n')
}

/// Finds a macro between the parameters of a declaration and its end, if the line starts with the
/// declaration: `int (*f)(void) LIBRARY_ATTR;`.
fn marks_at_ends(text: &str) -> Vec<Range<usize>> {
    let (mut spans, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        let starts = body.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if let Some(inner) = body.strip_suffix(';').filter(|_| starts)
            && let Some(close) = inner.rfind(')')
        {
            let word = inner[close + 1..].trim();
            if word.contains('_') && is_upper(word) {
                spans.push(at + close + 1..at + inner.len());
            }
        }
        at += line.len();
    }
    spans
}

/// Parts of macros that annotate functions; other macros after brackets are statements.
const ANNOTATIONS: &[&str] = &[
    "LOCK", "GUARDED", "REQUIRES", "EXCLUDES", "ACQUIRE", "RELEASE", "ATTR",
];

/// Finds macros that annotate a function after its parameters, or a field after its name: `int f()
/// REQUIRES_LOCK(m);`, `int a GUARDED_BY(m);`.
fn marks_of_functions(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let ends_field = |at: &usize| {
        *at > 0
            && bytes[*at] == b' '
            && is_name(bytes[at - 1])
            && bytes[at + 1..].first().is_some_and(u8::is_ascii_uppercase)
    };
    let brackets = text.match_indices(')').map(|(at, _)| at);
    let blanks = text.match_indices(' ').map(|(at, _)| at).filter(ends_field);
    let mut spans = Vec::new();
    for at in brackets.chain(blanks) {
        let after = &text[at + 1..];
        let trimmed = after.trim_start();
        let trimmed = trimmed
            .strip_prefix("const ")
            .unwrap_or(trimmed)
            .trim_start();
        let end = trimmed.bytes().position(|byte| !is_name(byte)).unwrap_or(0);
        let word = &trimmed[..end];
        let is_annotation = ANNOTATIONS.iter().any(|part| word.contains(part));
        if !is_annotation || !is_upper(word) || !word.contains('_') {
            continue;
        }
        let Some(inner) = trimmed[end..].strip_prefix('(') else {
            continue;
        };
        let Some(close) = inner.find(')').filter(|close| *close < 80) else {
            continue;
        };
        let follows = inner[close + 1..].trim_start();
        if follows.starts_with([';', '{']) && !inner[..close].contains(['(', '\n']) {
            let start = text.len() - trimmed.len();
            spans.push(start..start + end + close + 2);
        }
    }
    spans
}

/// Finds the directives in `A(int b) :` with `#if … #endif` around the first initialiser.
fn directives_of_initialisers(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for (at, _) in text.match_indices("#if") {
        let before = text[..at].trim_end().strip_suffix(':').map(str::trim_end);
        if !before.is_some_and(|before| before.ends_with(')')) {
            continue;
        }
        let mut start = at;
        for line in text[at..].split_inclusive('\n') {
            if line.starts_with('#') {
                spans.push(start..start + line.len());
            }
            if line.starts_with("#endif") || line.contains(['{', '}', ';']) {
                break;
            }
            start += line.len();
        }
    }
    spans
}

/// Returns the length of a macro that precedes another name and a body.
fn macro_length(text: &str) -> Option<usize> {
    let end = text.bytes().position(|byte| !is_name(byte))?;
    if end < 3 || !is_upper(&text[..end]) {
        return None;
    }
    let name = text[end..].strip_prefix(' ')?.trim_start();
    let after = name.bytes().position(|byte| !is_name(byte))?;
    let follows = name[after..].trim_start();
    let is_declared = follows.starts_with(['{', ':']) || follows.starts_with("final");
    (after > 0 && is_declared).then_some(end)
}

fn is_upper(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_before_a_name_are_blanks() {
        let check = |text: &str, expected: &str| assert_eq!(prepared("cpp", text), expected);
        check("class DB_EXPORT Cache {", "class           Cache {");
        check("struct API_X A : B {", "struct       A : B {");
        check("class ABC {", "class ABC {");
        check("class ABC def;", "class ABC def;");
        check("subclass ABC Def {", "subclass ABC Def {");
        check("MY_API int f(void);", "       int f(void);");
        check("MY_API(x) int f;", "MY_API(x) int f;");
        check("MY_INLINE bool\nf();", "          bool\nf();");
        check("MY_INLINE a_t *\nf();", "          a_t *\nf();");
        check("MY_TYPE x = 1;", "MY_TYPE x = 1;");
        check(
            "MY_API int (*f)(void) MY_ATTR;",
            "       int (*f)(void)        ;",
        );
        check("  if (x) MY_CALL;", "  if (x) MY_CALL;");
        check(
            "int f() const GUARDED_BY(m);",
            "int f() const              ;",
        );
        check("if (x)\n  DO_THAT(y);", "if (x)\n  DO_THAT(y);");
        check("  int a GUARDED_BY(m);", "  int a              ;");
        check(
            "A(int b)\n:\n#if C\n b_(b),\n#endif\n c_(b) {}\n#if D\n",
            "A(int b)\n:\n     \n b_(b),\n      \n c_(b) {}\n#if D\n",
        );
    }
}
