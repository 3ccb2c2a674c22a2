//! Counts of parts whose sum is the count of the whole.
//!
//! A count is not additive in general: a token may cross the seam. It is additive at a *cut*:
//! between a letter or digit and white space after it. No pattern lets a piece continue there, and
//! none looks back or ahead across it. A tally counts the text between its first and its last cut
//! once, and keeps only the two ends as text, to join them with their neighbours.

use std::mem;

use crate::counted::{Counted, Estimate};
use crate::unicode::{LETTER, NUMBER, SPACE, class_of};
use crate::{Tokenizer, Vocabulary};

/// Token count of a text that arrives in parts.
///
/// Counts add up exactly if the text is cut between a letter or digit and white space after it. The
/// text between the first and the last cut of a part is counted once. Its two ends are kept as text
/// and counted together with their neighbours.
///
/// Appending takes time linear in the appended text; reading the tokens takes time linear in the
/// two ends. Estimates of parts are added without corrections.
///
/// ```
/// use loom_tokens::{Tally, Vocabulary};
///
/// let vocabulary = Vocabulary::O200kBase;
/// // A token crosses the seam, so that the counts do not add up.
/// assert_eq!(vocabulary.count("hel") + vocabulary.count("lo"), 2);
/// assert_eq!(vocabulary.count("hello"), 1);
///
/// let mut tally = Tally::from_text(vocabulary, "hel");
/// tally.push("lo");
/// assert_eq!(tally.tokens(), 1);
///
/// // Tallies of parts that were counted elsewhere are joined, not counted again.
/// let known = Tally::from_counted(vocabulary, " one two", 2);
/// tally.append(known);
/// assert_eq!(tally.tokens(), vocabulary.count("hello one two"));
/// ```
#[derive(Clone, Debug)]
pub struct Tally(TallyRepr);

#[derive(Clone, Debug)]
enum TallyRepr {
    Exact(Joined),
    Estimated(Tokenizer, Estimate),
}

impl Tally {
    /// Creates the tally of the empty text.
    pub fn new(tokenizer: impl Into<Tokenizer>) -> Self {
        Self::from_text(tokenizer, "")
    }

    /// Creates the tally of `text`.
    pub fn from_text(tokenizer: impl Into<Tokenizer>, text: &str) -> Self {
        let tokenizer = tokenizer.into();
        if let Tokenizer::Exact(vocabulary) = tokenizer {
            return Self(TallyRepr::Exact(Joined::from_text(vocabulary, text)));
        }
        Self(TallyRepr::Estimated(
            tokenizer,
            tokenizer.count(text).as_estimate(),
        ))
    }

    /// Creates the tally of a text whose count is already known, without counting its middle again.
    pub fn from_counted(tokenizer: impl Into<Tokenizer>, text: &str, tokens: usize) -> Self {
        match tokenizer.into() {
            Tokenizer::Exact(vocabulary) => Self(TallyRepr::Exact(Joined::from_counted(
                vocabulary, text, tokens,
            ))),
            // The count has no range, so estimates are computed again.
            estimated => Self::from_text(estimated, text),
        }
    }

    /// Appends `text`.
    pub fn push(&mut self, text: &str) {
        self.append(Self::from_text(self.tokenizer(), text));
    }

    /// Appends the text of `next`, a tally of the same tokenizer.
    pub fn append(&mut self, next: Self) {
        match (&mut self.0, next.0) {
            (TallyRepr::Exact(joined), TallyRepr::Exact(next)) => joined.append(next),
            (TallyRepr::Estimated(_, estimate), TallyRepr::Estimated(_, next)) => *estimate += next,
            _ => debug_assert!(false, "tallies of different tokenizers"),
        }
    }

    /// Returns the tokens of the whole text so far: the count, or the likely number.
    pub fn tokens(&self) -> usize {
        self.counted().likely()
    }

    /// Returns the number for budgets: the count, or the upper end of the range.
    pub fn upper(&self) -> usize {
        self.counted().upper()
    }

    /// Returns the tokens of the whole text so far, exact or estimated.
    pub fn counted(&self) -> Counted {
        match &self.0 {
            TallyRepr::Exact(joined) => Counted::Exact(joined.tokens()),
            TallyRepr::Estimated(_, estimate) => Counted::Estimate(*estimate),
        }
    }

    fn tokenizer(&self) -> Tokenizer {
        match &self.0 {
            TallyRepr::Exact(joined) => Tokenizer::Exact(joined.vocabulary),
            TallyRepr::Estimated(tokenizer, _) => *tokenizer,
        }
    }
}

/// Exact count, with the ends that a token may still cross.
#[derive(Clone, Debug)]
struct Joined {
    vocabulary: Vocabulary,
    /// Text before the first cut, or all of it.
    head: String,
    /// Text and tokens after the first cut.
    rest: Option<Rest>,
}

#[derive(Clone, Debug)]
struct Rest {
    /// Tokens between the first and the last cut.
    tokens: usize,
    /// Text after the last cut.
    tail: String,
}

impl Joined {
    fn from_text(vocabulary: Vocabulary, text: &str) -> Self {
        Self::split(vocabulary, text, |middle| vocabulary.count_later(middle))
    }

    fn from_counted(vocabulary: Vocabulary, text: &str, tokens: usize) -> Self {
        let mut tally = Self::split(vocabulary, text, |_| 0);
        if let Some(rest) = &mut tally.rest {
            let ends = vocabulary.count(&tally.head) + vocabulary.count_later(&rest.tail);
            rest.tokens = tokens.saturating_sub(ends);
        }
        tally
    }

    fn append(&mut self, next: Self) {
        if self.ends_at_cut(&next.head) {
            self.close();
        }
        self.open().push_str(&next.head);
        if let Some(next) = next.rest {
            self.close();
            if let Some(rest) = &mut self.rest {
                rest.tokens += next.tokens;
                rest.tail = next.tail;
            }
        }
    }

    fn tokens(&self) -> usize {
        let rest = self.rest.as_ref();
        self.vocabulary.count(&self.head)
            + rest.map_or(0, |rest| {
                rest.tokens + self.vocabulary.count_later(&rest.tail)
            })
    }

    /// Returns the text that the next part is joined to.
    fn open(&mut self) -> &mut String {
        match &mut self.rest {
            Some(rest) => &mut rest.tail,
            None => &mut self.head,
        }
    }

    fn ends_at_cut(&mut self, next: &str) -> bool {
        let before = self.open().chars().next_back();
        let behind = next.chars().next();
        before.zip(behind).is_some_and(|(a, b)| is_cut(a, b))
    }

    /// Cuts after the text so far.
    fn close(&mut self) {
        match &mut self.rest {
            Some(rest) => {
                rest.tokens += self.vocabulary.count_later(&mem::take(&mut rest.tail));
            }
            None => {
                self.rest = Some(Rest {
                    tokens: 0,
                    tail: String::new(),
                });
            }
        }
    }

    fn split(vocabulary: Vocabulary, text: &str, count: impl FnOnce(&str) -> usize) -> Self {
        let Some((first, last)) = first_cut(text).zip(last_cut(text)) else {
            return Self {
                vocabulary,
                head: text.to_owned(),
                rest: None,
            };
        };
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

fn first_cut(text: &str) -> Option<usize> {
    let pairs = text.char_indices().zip(text.chars().skip(1));
    let mut cuts = pairs.filter(|&((_, a), b)| is_cut(a, b));
    cuts.next().map(|((at, a), _)| at + a.len_utf8())
}

fn last_cut(text: &str) -> Option<usize> {
    let pairs = text.char_indices().rev().zip(text.chars().rev().skip(1));
    let mut cuts = pairs.filter(|&((_, b), a)| is_cut(a, b));
    cuts.next().map(|((at, _), _)| at)
}

/// Returns whether the texts before and after the boundary of two characters are split into pieces
/// independently.
///
/// Pieces of words and numbers end before white space in every pattern, and a piece that begins
/// with white space looks only at the text after it.
pub(crate) fn is_cut(before: char, behind: char) -> bool {
    class_of(before as u32) & (LETTER | NUMBER) != 0 && class_of(behind as u32) & SPACE != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_add_up(parts in prop::collection::vec("[a-cA-C0-9 \t\r\n/(){}'s.éǅª٣語\u{301}\u{a0}\u{2028}\u{17f}-]{0,12}", 0..12)) {
            let whole = parts.concat();
            for &vocabulary in Vocabulary::ALL {
                let mut tally = Tally::new(vocabulary);
                let mut counted = Tally::new(vocabulary);
                for part in &parts {
                    tally.push(part);
                    counted.append(Tally::from_counted(vocabulary, part, vocabulary.count(part)));
                }
                prop_assert_eq!(tally.tokens(), vocabulary.count(&whole));
                prop_assert_eq!(counted.tokens(), vocabulary.count(&whole));
            }
        }

        #[test]
        fn grouping_does_not_matter(parts in prop::collection::vec("[a-c0-9 \n/('s語]{0,6}", 3)) {
            for &vocabulary in Vocabulary::ALL {
                let of = |part: &String| Tally::from_text(vocabulary, part);
                let mut tail = of(&parts[1]);
                tail.append(of(&parts[2]));
                let mut whole = of(&parts[0]);
                whole.append(tail);
                prop_assert_eq!(whole.tokens(), vocabulary.count(&parts.concat()));
            }
        }
    }

    #[test]
    fn cuts_are_found_from_both_ends() {
        assert_eq!(first_cut("a b 9\nc"), Some(1));
        assert_eq!(last_cut("a b 9\nc"), Some(5));
        assert_eq!(first_cut("(\n) "), None);
        assert_eq!(last_cut("(\n) "), None);
    }
}
