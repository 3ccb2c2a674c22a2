//! Counts of parts whose sum is the count of the whole.
//!
//! A count is not additive in general: a token may cross the seam. It is
//! additive at a *cut*: after a line feed that no piece of the vocabulary's
//! splitting pattern can cross. A tally counts what lies between the first and
//! the last cut of a text once, and keeps only the two ends as text, to be
//! joined with their neighbours.

use std::mem;

use crate::Vocabulary;

/// The token count of a text that arrives in parts.
#[derive(Clone, Debug)]
pub struct Tally {
    vocabulary: Vocabulary,
    /// The text before the first cut, or all of it where there is none.
    head: String,
    /// What follows the first cut.
    rest: Option<Rest>,
}

#[derive(Clone, Debug)]
struct Rest {
    /// The tokens between the first and the last cut.
    tokens: usize,
    /// The text after the last cut.
    tail: String,
}

impl Tally {
    /// The tally of the empty text.
    pub fn new(vocabulary: Vocabulary) -> Self {
        Self {
            vocabulary,
            head: String::new(),
            rest: None,
        }
    }

    /// The tally of `text`.
    pub fn of(vocabulary: Vocabulary, text: &str) -> Self {
        Self::split(vocabulary, text, |middle| vocabulary.count(middle))
    }

    /// The tally of a text whose whole count is already known, without counting
    /// its middle again.
    pub fn of_counted(vocabulary: Vocabulary, text: &str, tokens: usize) -> Self {
        let mut tally = Self::split(vocabulary, text, |_| 0);
        if let Some(rest) = &mut tally.rest {
            let ends = vocabulary.count(&tally.head) + vocabulary.count(&rest.tail);
            rest.tokens = tokens.saturating_sub(ends);
        }
        tally
    }

    /// Appends `text`.
    pub fn push(&mut self, text: &str) {
        self.append(Self::of(self.vocabulary, text));
    }

    /// Appends the text that `next` is the tally of.
    pub fn append(&mut self, next: Self) {
        let seam = match &mut self.rest {
            Some(rest) => mem::take(&mut rest.tail) + &next.head,
            None => mem::take(&mut self.head) + &next.head,
        };
        let seam = Self::of(self.vocabulary, &seam);
        match (&mut self.rest, seam.rest, next.rest) {
            // Nothing was cut yet: the seam's own cuts are the first ones.
            (None, seam_rest, next_rest) => {
                self.head = seam.head;
                self.rest = join(self.vocabulary, seam_rest, next_rest);
            }
            (Some(rest), None, None) => rest.tail = seam.head,
            (Some(rest), None, Some(next)) => {
                rest.tokens += self.vocabulary.count(&seam.head) + next.tokens;
                rest.tail = next.tail;
            }
            (Some(rest), Some(seam_rest), next) => {
                rest.tokens += self.vocabulary.count(&seam.head) + seam_rest.tokens;
                rest.tail = seam_rest.tail;
                if let Some(next) = next {
                    rest.tokens += self.vocabulary.count(&rest.tail) + next.tokens;
                    rest.tail = next.tail;
                }
            }
        }
    }

    /// The tokens of the whole text so far.
    pub fn tokens(&self) -> usize {
        let rest = self.rest.as_ref();
        self.vocabulary.count(&self.head)
            + rest.map_or(0, |rest| rest.tokens + self.vocabulary.count(&rest.tail))
    }

    fn split(vocabulary: Vocabulary, text: &str, count: impl FnOnce(&str) -> usize) -> Self {
        let Some(first) = first_cut(text) else {
            return Self {
                vocabulary,
                head: text.to_owned(),
                rest: None,
            };
        };
        let last = last_cut(text).unwrap_or(first);
        Self {
            vocabulary,
            head: text[..first].to_owned(),
            rest: Some(Rest {
                tokens: count(&text[first..last]),
                tail: text[last..].to_owned(),
            }),
        }
    }
}

/// The rest of a text that began with the seam and goes on with `next`.
fn join(vocabulary: Vocabulary, seam: Option<Rest>, next: Option<Rest>) -> Option<Rest> {
    match (seam, next) {
        (None, next) => next,
        (seam, None) => seam,
        (Some(seam), Some(next)) => Some(Rest {
            tokens: seam.tokens + vocabulary.count(&seam.tail) + next.tokens,
            tail: next.tail,
        }),
    }
}

fn first_cut(text: &str) -> Option<usize> {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.find(|&at| is_cut(text, at))
}

fn last_cut(text: &str) -> Option<usize> {
    let mut ends = text.rmatch_indices('\n').map(|(at, _)| at + 1);
    ends.find(|&at| is_cut(text, at))
}

/// Whether the text before `at`, which ends in a line feed, and the text after
/// it are split into pieces independently. Both vocabularies let a piece of white
/// space run on to a later line end, and `o200k_base` lets punctuation take up
/// line ends and slashes behind it.
fn is_cut(text: &str, at: usize) -> bool {
    let next = text[at..]
        .chars()
        .find(|c| !c.is_whitespace() || matches!(c, '\r' | '\n'));
    next.is_some_and(|c| !matches!(c, '\r' | '\n' | '/'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_add_up(parts in prop::collection::vec("[a-zA-Z0-9 \t\r\n/(){}'.é語\u{2028}-]{0,12}", 0..12)) {
            let whole = parts.concat();
            for &vocabulary in Vocabulary::ALL {
                let mut tally = Tally::new(vocabulary);
                let mut counted = Tally::new(vocabulary);
                for part in &parts {
                    tally.push(part);
                    counted.append(Tally::of_counted(vocabulary, part, vocabulary.count(part)));
                }
                prop_assert_eq!(tally.tokens(), vocabulary.count(&whole));
                prop_assert_eq!(counted.tokens(), vocabulary.count(&whole));
            }
        }
    }
}
