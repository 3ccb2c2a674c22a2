//! Names of code in a text: in backticks, dotted, before brackets, or in a case that only code
//! uses.

use std::collections::HashMap;

use super::lines::{Line, LineKind};

/// A name with its qualifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Last component.
    pub name: String,
    /// Qualifiers, such as `pkg` and `Type` of `pkg.Type.name`.
    pub before: Vec<String>,
    /// Certainty that the text is about this name, up to 1, and above for repetition.
    pub weight: f64,
}

/// More names mean that code was pasted.
const MOST: usize = 200;

/// Splits a line at backticks. Returns true with each part that is marked as code.
pub(super) fn spans(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_fenced = line.matches('`').count().is_multiple_of(2);
    line.split('`')
        .enumerate()
        .map(move |(at, part)| (part, is_fenced && at % 2 == 1))
}

pub(super) fn read(lines: &[Line<'_>], in_trace: &[bool]) -> Vec<Named> {
    let mut found: HashMap<(Vec<String>, String), f64> = HashMap::new();
    let mut own: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if matches!(line.kind, LineKind::Nothing | LineKind::Environment)
            || in_trace.get(at) == Some(&true)
        {
            continue;
        }
        if line.kind == LineKind::Code {
            own.extend(defined(line.text));
        }
        for (text, is_marked) in spans(line.text) {
            for word in dotted(text) {
                let weight = weight(line.kind, is_marked, word, text);
                let Some((before, name)) = parts(word.text).filter(|_| weight > 0.0) else {
                    continue;
                };
                let sum = found.entry((before, name)).or_default();
                // The best occurrence counts, plus a little for each other one.
                *sum = (sum.max(weight) + 0.1 * weight.min(*sum)).min(1.6);
            }
        }
    }
    let mut names: Vec<Named> = found
        .into_iter()
        .filter(|((before, name), _)| !own.contains(name) || !before.is_empty())
        .map(|((before, name), weight)| Named {
            name,
            before,
            weight,
        })
        .collect();
    names.sort_by(|a, b| {
        let by_text = || (&a.name, &a.before).cmp(&(&b.name, &b.before));
        b.weight.total_cmp(&a.weight).then_with(by_text)
    });
    names.truncate(MOST);
    names
}

/// A run of names joined by `.`, `::`, `#` or `->`.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    is_called: bool,
}

fn dotted(text: &str) -> Vec<Word<'_>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut words = Vec::new();
    let mut start = None;
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_name(c) {
            start = start.or(Some(at));
            end = at + c.len_utf8();
            continue;
        }
        let next = text[at..].trim_start_matches(['.', ':', '#', '>', '-', '?', '!']);
        let joint = &text[at..text.len() - next.len()];
        let is_joint =
            matches!(joint, "." | "::" | "#" | "->" | "?." | "!.") && next.starts_with(is_name);
        if start.is_some() && is_joint && end == at {
            for _ in 1..joint.chars().count() {
                chars.next();
            }
            end = at + joint.len();
            continue;
        }
        if let Some(start) = start.take() {
            let is_called = c == '(';
            words.push(Word {
                text: &text[start..end],
                is_called,
            });
        }
    }
    if let Some(start) = start {
        words.push(Word {
            text: &text[start..end],
            is_called: false,
        });
    }
    words
}

fn parts(word: &str) -> Option<(Vec<String>, String)> {
    let word = word.trim_matches(['.', ':', '#', '-', '>', '?', '!']);
    let mut parts: Vec<String> = word
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    let name = parts.pop()?;
    parts.retain(|part| !matches!(part.as_str(), "self" | "this" | "cls"));
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    (name.len() > 1 && !is_number).then_some((parts, name))
}

fn weight(kind: LineKind, is_marked: bool, word: Word<'_>, span: &str) -> f64 {
    let is_code = is_code_like(word.text) || word.is_called;
    let is_alone = span.trim().len() <= word.text.len() + 2;
    match kind {
        LineKind::Title if is_marked || is_code => 1.2,
        LineKind::Prose if is_marked && (is_alone || is_code) => 1.0,
        LineKind::Prose if is_marked => 0.5,
        LineKind::Prose if is_code => 0.8,
        // Pasted code names the API that it uses, and the fault is often deeper.
        LineKind::Code if word.is_called || word.text.contains(['.', ':']) => 0.3,
        LineKind::Code if is_code => 0.2,
        LineKind::Output if is_code => 0.3,
        _ => 0.0,
    }
}

/// Returns true for a case that only code uses: `snake_case`, `camelCase`, `TypeName`, `a.b`.
fn is_code_like(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_joint = word.contains("::") || word.contains("->") || word.contains('#');
    let has_dot = inner.split('.').count() > 1
        && inner.split('.').all(|part| {
            part.chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_')
        })
        && !matches!(inner, "e.g" | "i.e" | "etc.");
    let chars: Vec<char> = inner.chars().collect();
    let has_hump = chars
        .windows(2)
        .any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    inner.contains('_') || word.starts_with('_') || has_joint || has_dot || has_hump
}

/// Returns the name that a line of pasted code defines.
fn defined(line: &str) -> Option<String> {
    let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let first = words.find(|word| {
        !matches!(
            *word,
            "" | "export" | "public" | "async" | "static" | "pub" | "default"
        )
    })?;
    let is_definition = matches!(
        first,
        "def" | "class" | "function" | "fn" | "func" | "struct" | "interface" | "module"
    );
    is_definition
        .then(|| words.find(|word| !word.is_empty()))
        .flatten()
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::query::lines;

    #[test]
    fn names_are_found_where_people_write_them() {
        let text = "Crash in Type.run()\nUse `load` and pkg::load_all, e.g. with max_size.\n\
                    ```\nclass Mine:\n    pass\nMine().save()\n```\nplain words";
        let found = read(&lines::read(text), &[]);
        let has = |name: &str| found.iter().find(|one| one.name == name);
        assert_eq!(has("run").unwrap().before, ["Type"]);
        assert!(has("run").unwrap().weight > has("load").unwrap().weight);
        assert_eq!(has("load_all").unwrap().before, ["pkg"]);
        assert!(has("max_size").is_some() && has("save").is_some());
        assert!(has("Mine").is_none() && has("plain").is_none());
    }
}
