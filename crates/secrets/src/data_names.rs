//! Names that a data document repeats: `token`, `key` and `pass` of themes, schemas and grammars,
//! with words as values. In configuration, a name has one value.

use std::collections::HashMap;
use std::ops::Range;

use crate::finding::Vote;
use crate::names::NameClass;
use crate::vocabulary::is_words;

/// Number of word values that make a name a data name.
const OFTEN: usize = 3;

/// The votes on values of such names, held until the end of the document.
#[derive(Default)]
pub(crate) struct DataNames<'a> {
    names: HashMap<&'a [u8], Uses>,
}

struct Uses {
    votes: Vec<Vote>,
    are_words: bool,
    /// True if a value is too plain for a token: `headerBg`, `keyword.$0`.
    has_path: bool,
}

impl<'a> DataNames<'a> {
    /// Keeps the votes on the values of the name if it may be a data name; otherwise returns them.
    pub(crate) fn keep(
        &mut self,
        bytes: &'a [u8],
        name: &Range<usize>,
        promise: NameClass,
        votes: Vec<Vote>,
    ) -> Vec<Vote> {
        let word = &bytes[name.clone()];
        let is_name = match promise {
            NameClass::Token | NameClass::Key | NameClass::ApiKey => true,
            NameClass::Password => word == b"pass",
            _ => false,
        };
        if !is_name || !is_member(bytes, name) || votes.is_empty() {
            return votes;
        }
        let uses = self.names.entry(word).or_insert(Uses {
            votes: Vec::new(),
            are_words: true,
            has_path: false,
        });
        for vote in votes {
            let value = &bytes[vote.span.clone()];
            uses.are_words &= is_words(value) || value.contains(&b'$') && is_path(value);
            uses.has_path |= is_path(value);
            uses.votes.push(vote);
        }
        Vec::new()
    }

    /// Returns the votes on names that are not data names.
    pub(crate) fn votes(self) -> impl Iterator<Item = Vote> {
        let is_data = |uses: &Uses| uses.are_words && (uses.votes.len() >= OFTEN || uses.has_path);
        let others = self.names.into_values().filter(move |uses| !is_data(uses));
        others.flat_map(|uses| uses.votes)
    }
}

/// Matches `"token":` or `token:`, a member of JSON or YAML.
fn is_member(bytes: &[u8], name: &Range<usize>) -> bool {
    let rest = &bytes[name.end..bytes.len().min(name.end + 4)];
    let rest = match rest {
        [b'"' | b'\'', rest @ ..] => rest,
        _ => rest,
    };
    let is_lower = bytes[name.start].is_ascii_lowercase();
    is_lower && rest.trim_ascii_start().first() == Some(&b':')
}

/// Returns true if the number at `value` counts the members of a vocabulary, and is one more than
/// the number before it: `"/es":108814,"pw":108815`.
pub(crate) fn is_counter(bytes: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
    let begin = name.start.saturating_sub(24);
    let before = bytes[begin..name.start].trim_ascii_end();
    let before = before
        .strip_suffix(b"\"")
        .unwrap_or(before)
        .trim_ascii_end();
    let Some(before) = before.strip_suffix(b",") else {
        return false;
    };
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let digits = before.iter().rev().take_while(is_digit).count();
    let last = number(&before[before.len() - digits..]);
    let this = number(&bytes[value.clone()]);
    this.is_some() && this == last.and_then(|last| last.checked_add(1))
}

/// Returns true if the name is in a multi-line text inside a string: code and descriptions in JSON
/// are for people.
pub(crate) fn is_in_text(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(400)..start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let is_plain_quote = |at: &usize| line[*at] == b'"' && (*at == 0 || line[at - 1] != b'\\');
    let from = (0..line.len()).rev().find(is_plain_quote).unwrap_or(0);
    let text = &line[from..];
    memchr::memmem::find(text, b"\\n").is_some() || has_markup(text)
}

/// Returns true if `text` has an element for formatting: `<p>`, `<code>`, `</li>`.
fn has_markup(text: &[u8]) -> bool {
    const ELEMENTS: [&[u8]; 8] = [
        b"p>", b"code>", b"li>", b"ul>", b"b>", b"i>", b"note>", b"em>",
    ];
    memchr::memchr_iter(b'<', text).any(|at| {
        let rest = &text[at + 1..];
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        ELEMENTS.iter().any(|element| rest.starts_with(element))
    })
}

/// Matches words in camel case, or joined by full stops.
fn is_path(value: &[u8]) -> bool {
    let is_hump = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    let is_stop = |two: &[u8]| two[0].is_ascii_alphabetic() && two[1] == b'.';
    value.first() == Some(&b'@') || value.windows(2).any(|two| is_hump(two) || is_stop(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_of_data() {
        let text = b"{\"/es\":108814,\"pw\":108815}";
        assert!(is_counter(text, &(15..17), &(19..25)));
        assert!(!is_counter(b"{\"a\":7,\"pw\":108815}", &(8..10), &(12..18)));
        let text = b"{\"code\": \"a = 1\\n    password=x";
        assert!(is_in_text(text, text.len() - 10));
        let text = b"{\"doc\": \"<p>Use <code>{ \\\"password=x";
        assert!(is_in_text(text, text.len() - 10));
        let text = b"{\"doc\": \"a < b { \\\"password=x";
        assert!(!is_in_text(text, text.len() - 10));
        let text = b"{\"code\": \"a\\nb\", \"password\": \"x\"}";
        assert!(!is_in_text(text, 20));
    }
}
