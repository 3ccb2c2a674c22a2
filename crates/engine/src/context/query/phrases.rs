//! Quoted texts in a report: error messages, strings, options. The code that contains one produces
//! it.

use super::lines::{Line, LineKind};

/// A quoted text as lower-case words.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// Its words.
    pub words: Vec<String>,
    /// Its weight.
    pub weight: f64,
}

/// Maximum number of phrases, the first ones of a report, and of words per phrase. Both bound the
/// work for a pasted log, whose later lines mostly repeat the first ones.
const MOST: usize = 40;
const MOST_WORDS: usize = 30;

pub(super) fn read(lines: &[Line<'_>]) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = Vec::new();
    for line in lines
        .iter()
        .filter(|line| !matches!(line.kind, LineKind::Nothing | LineKind::Environment))
    {
        if let Some(message) = message(line.text) {
            add(message, 1.0, &mut found);
        }
        if line.kind.is_words() {
            for text in quoted(line.text) {
                add(text, 0.7, &mut found);
            }
        }
    }
    found.truncate(MOST);
    found
}

fn add(text: &str, weight: f64, found: &mut Vec<Phrase>) {
    let mut words = words_of(text);
    words.truncate(MOST_WORDS);
    // Two words of a sentence occur anywhere.
    if words.len() < 3 || found.iter().any(|one| one.words == words) {
        return;
    }
    found.push(Phrase { words, weight });
}

/// Returns the words of a text for comparing phrases.
pub(in crate::context) fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the text after `SomeError:`, `error:`, `panic:` and the like.
fn message(line: &str) -> Option<&str> {
    let line = line.trim();
    let (head, rest) = line.split_once(": ")?;
    let last = head.rsplit([' ', '.', ':']).next()?;
    let lower = last.to_lowercase();
    const ENDS: &[&str] = &[
        "error",
        "exception",
        "warning",
        "panic",
        "fatal",
        "failure",
        "offense",
    ];
    let has_label = ENDS.iter().any(|end| lower.ends_with(end)) && head.len() < 120;
    has_label.then_some(rest)
}

/// Returns the texts in quotes or backticks.
fn quoted(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')] {
        let mut rest = line;
        while let Some(start) = rest.find(open) {
            let inner = &rest[start + open.len_utf8()..];
            let Some(end) = inner.find(close) else {
                break;
            };
            // An apostrophe within a word is not a quote.
            let is_in_word = open == '\'' && rest[..start].ends_with(char::is_alphanumeric);
            if !is_in_word {
                found.push(&inner[..end]);
            }
            rest = match is_in_word {
                true => inner,
                false => &inner[end + close.len_utf8()..],
            };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::query::lines;

    #[test]
    fn messages_and_quotes() {
        let text = "It doesn't say \"no such file here\" at all\nValueError: could not read the header\nall good";
        let found: Vec<String> = read(&lines::read(text))
            .iter()
            .map(|one| one.words.join(" "))
            .collect();
        assert_eq!(found, ["no such file here", "could not read the header"]);
    }
}
