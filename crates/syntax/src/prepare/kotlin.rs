//! Kotlin: rewrites `set` and `get` as names. The grammar parses them as the start of an accessor,
//! and loses the enclosing class. Also removes annotations at the end of a text, on which its
//! scanner does not terminate.

use std::borrow::Cow;

use super::is_name;

/// Words that may precede an accessor on its line.
const MODIFIERS: &[&str] = &[
    "private",
    "internal",
    "protected",
    "public",
    "override",
    "inline",
];

/// Rewrites `var set: Int` to `var s_t: Int`, and `in1.close()` to `xn1.close()`.
pub(super) fn prepared(text: &str) -> Cow<'_, str> {
    let mut prepared = Cow::Borrowed(text);
    for (word, other) in [("set", "s_t"), ("get", "g_t")] {
        if !declares(text, word) {
            continue;
        }
        for (at, _) in text.match_indices(word) {
            if is_plain_name(text, at, at + word.len()) {
                prepared.to_mut().replace_range(at..at + word.len(), other);
            }
        }
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        if starts_like_a_word(line.trim_start()) {
            prepared.to_mut().replace_range(start..=start, "x");
        }
        at += line.len();
    }
    for at in endless_annotations(text) {
        prepared.to_mut().replace_range(at..=at, " ");
    }
    prepared
}

/// Returns the positions of each `@` on which the scanner would not terminate: it searches for the
/// end of an annotation and does not notice the end of the text. Only a last line without a newline
/// can have them.
fn endless_annotations(text: &str) -> impl Iterator<Item = usize> {
    let line = text.rfind('\n').map_or(0, |end| end + 1);
    let marks = text[line..].match_indices('@');
    let marks = marks.map(move |(at, _)| line + at);
    marks.filter(|at| is_endless(&text[*at..]))
}

/// Returns whether neither a blank follows, nor, after an open bracket, a newline.
fn is_endless(annotation: &str) -> bool {
    let is_blank = |letter: char| letter.is_ascii_whitespace() || letter == '\u{b}';
    let mut is_open = false;
    let ends = annotation.chars().any(|letter| {
        match letter {
            '(' => is_open = true,
            ')' => is_open = false,
            _ => {}
        }
        is_blank(letter) && (!is_open || letter == '\n')
    });
    !ends || !annotation.contains(is_blank)
}

fn declares(text: &str, word: &str) -> bool {
    let declared = |start: &str| text.contains(&format!("{start} {word}"));
    declared("val") || declared("var")
}

/// Returns whether the scanner would mistake a name at the start of a line for a keyword that
/// continues the line before, because a digit follows the keyword.
fn starts_like_a_word(line: &str) -> bool {
    let words = ["in", "as", "by", "get", "set", "else", "where"];
    let mut rests = words.iter().filter_map(|word| line.strip_prefix(word));
    rests.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '_'))
}

/// Returns whether the word at that position is a name: it is neither called nor an accessor.
fn is_plain_name(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let is_word = (start == 0 || !is_name(bytes[start - 1]))
        && bytes.get(end).is_none_or(|byte| !is_name(*byte));
    let after = text[end..].trim_start_matches([' ', '\t']);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let mut before = text[line..start].split_whitespace();
    let is_alone = after.is_empty() || after.starts_with(['\n', '\r', '/']);
    let is_accessor =
        is_alone && before.all(|word| MODIFIERS.contains(&word) || word.starts_with('@'));
    is_word && !after.starts_with('(') && !is_accessor
}

#[cfg(test)]
mod tests {
    use super::prepared;

    #[test]
    fn names_differ_from_accessors() {
        let check = |text: &str, expected: &str| assert_eq!(prepared(text), expected);
        check(
            "private var set: Int = 0\n  private set\n  x = bit and set\n  set = 1\n  set(v) {}\n",
            "private var s_t: Int = 0\n  private set\n  x = bit and s_t\n  s_t = 1\n  set(v) {}\n",
        );
        check("  in1.close()\n  inner()", "  xn1.close()\n  inner()");
        check("val a get() = b.set(c)", "val a get() = b.set(c)");
    }
}
