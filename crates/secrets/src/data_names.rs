//! Names that a document of data uses again and again: `token`, `key` and `pass` of themes,
//! schemas and grammars, whose values are words. Configuration has one value for a name.

use std::collections::HashMap;
use std::ops::Range;

use crate::finding::Vote;
use crate::names::Promise;
use crate::vocabulary::is_words;

/// How often a name has words as values before it is one of data.
const OFTEN: usize = 3;

/// The votes on values of such names, until the document is over.
#[derive(Default)]
pub(crate) struct DataNames<'a> {
    names: HashMap<&'a [u8], Uses>,
}

struct Uses {
    votes: Vec<Vote>,
    are_words: bool,
    /// Whether a value is what nobody takes as a token: `headerBg`, `keyword.$0`.
    has_path: bool,
}

impl<'a> DataNames<'a> {
    /// Keeps the votes on the values of the name if it may be one of data; gives them back
    /// if not.
    pub(crate) fn keep(
        &mut self,
        bytes: &'a [u8],
        name: &Range<usize>,
        promise: Promise,
        votes: Vec<Vote>,
    ) -> Vec<Vote> {
        let word = &bytes[name.clone()];
        let is_name = match promise {
            Promise::Token | Promise::Key | Promise::ApiKey => true,
            Promise::Password => word == b"pass",
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

    /// The votes on names that are none of data.
    pub(crate) fn votes(self) -> impl Iterator<Item = Vote> {
        let is_data = |uses: &Uses| uses.are_words && (uses.votes.len() >= OFTEN || uses.has_path);
        let others = self.names.into_values().filter(move |uses| !is_data(uses));
        others.flat_map(|uses| uses.votes)
    }
}

/// `"token":`, `token:`: a member of JSON or YAML.
fn is_member(bytes: &[u8], name: &Range<usize>) -> bool {
    let rest = &bytes[name.end..bytes.len().min(name.end + 4)];
    let rest = match rest {
        [b'"' | b'\'', rest @ ..] => rest,
        _ => rest,
    };
    let is_lower = bytes[name.start].is_ascii_lowercase();
    is_lower && rest.trim_ascii_start().first() == Some(&b':')
}

/// Words in camel case, or with full stops between them.
fn is_path(value: &[u8]) -> bool {
    let is_hump = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    let is_stop = |two: &[u8]| two[0].is_ascii_alphabetic() && two[1] == b'.';
    value.first() == Some(&b'@') || value.windows(2).any(|two| is_hump(two) || is_stop(two))
}
