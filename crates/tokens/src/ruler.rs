//! Counts the tokens of any part of a text without counting the text again. `tally` explains at
//! which positions counts add up.

use std::borrow::Cow;
use std::ops::Range;

use loom_base::{Counter, Measure};

use crate::tally::is_cut;
use crate::{Tokenizer, Vocabulary};

/// Minimum distance of two marks, in bytes: a smaller one needs more memory, a larger one more
/// counting at each end of a part.
const STEP: usize = 256;

/// Maximum bytes per token of a part whose tokens can only be estimated. A longer part exceeds its
/// limit without a count: no readable text has that many bytes per token.
const BYTES_PER_TOKEN: usize = 24;

/// Text that was counted once and whose parts can be measured.
///
/// ```
/// use loom_base::Measure;
/// use loom_tokens::{Ruler, Vocabulary};
///
/// let text = "one two three four";
/// let ruler = Ruler::new(Vocabulary::O200kBase, text);
/// assert_eq!(ruler.within("", 4..13, 10), Some(2));
/// assert_eq!(ruler.within("zero ", 0..7, 10), Some(3));
/// assert_eq!(ruler.within("", 0..18, 3), None);
/// ```
#[derive(Clone, Debug)]
pub struct Ruler<'t> {
    text: &'t str,
    tokenizer: Tokenizer,
    /// Positions at which counts add up, with the tokens before them; empty for estimates.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    at: usize,
    tokens: usize,
}

impl<'t> Ruler<'t> {
    /// Counts `text`.
    pub fn new(tokenizer: impl Into<Tokenizer>, text: &'t str) -> Self {
        let tokenizer = tokenizer.into();
        let marks = match tokenizer {
            Tokenizer::Exact(vocabulary) => marks(vocabulary, text),
            _ => Vec::new(),
        };
        Self {
            text,
            tokenizer,
            marks,
        }
    }

    fn exact(
        &self,
        vocabulary: Vocabulary,
        before: &str,
        part: Range<usize>,
        limit: usize,
    ) -> Option<usize> {
        // A mark at the very start would leave no first piece.
        let first = self.marks.partition_point(|mark| mark.at <= part.start);
        let behind = self.marks.partition_point(|mark| mark.at <= part.end);
        if first >= behind {
            return vocabulary.count_until(&joined(before, &self.text[part]), limit);
        }
        let (first, last) = (self.marks[first], self.marks[behind - 1]);
        let middle = last.tokens - first.tokens;
        let left = limit.checked_sub(middle)?;
        let head = joined(before, &self.text[part.start..first.at]);
        let head = vocabulary.count_until(&head, left)?;
        let tail = vocabulary.count_later(&self.text[last.at..part.end]);
        (head + tail <= left).then_some(head + middle + tail)
    }
}

impl Measure for Ruler<'_> {
    fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize> {
        let text = self.text.get(part.clone())?;
        if let Tokenizer::Exact(vocabulary) = self.tokenizer {
            return self.exact(vocabulary, before, part, limit);
        }
        if text.len() > limit.saturating_mul(BYTES_PER_TOKEN) {
            return None;
        }
        let tokens = Counter::count(&self.tokenizer, &joined(before, text));
        (tokens <= limit).then_some(tokens)
    }
}

fn joined<'a>(before: &str, text: &'a str) -> Cow<'a, str> {
    match before.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned([before, text].concat()),
    }
}

fn marks(vocabulary: Vocabulary, text: &str) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(text.len() / STEP);
    let (mut at, mut tokens) = (0, 0);
    while let Some(next) = cut_from(text, at + STEP) {
        tokens += vocabulary.count_later(&text[at..next]);
        marks.push(Mark { at: next, tokens });
        at = next;
    }
    marks
}

/// Returns the first cut after `from`.
fn cut_from(text: &str, from: usize) -> Option<usize> {
    let from = (from < text.len()).then(|| text.ceil_char_boundary(from))?;
    let rest = &text[from..];
    let mut before = rest.chars().next()?;
    for (at, behind) in rest.char_indices().skip(1) {
        if is_cut(before, behind) {
            return Some(from + at);
        }
        before = behind;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Estimator;

    proptest! {
        #[test]
        fn parts_count_the_same_as_separate_texts(
            text in "([a-cA-C0-9 \t\r\n/(){}'s.éǅª٣語\u{301}\u{a0}\u{2028}-]{1,30}|function name|    let x = 1;\n|語句){0,80}",
            before in "(|class A:\n|x|  )",
            places in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 1..6),
        ) {
            let place = |share: f64| text.floor_char_boundary((share * text.len() as f64) as usize);
            for &vocabulary in Vocabulary::ALL {
                let ruler = Ruler::new(vocabulary, &text);
                for &(one, two) in &places {
                    let (one, two) = (place(one), place(two));
                    let part = one.min(two)..one.max(two);
                    let expected = vocabulary.count(&format!("{before}{}", &text[part.clone()]));
                    prop_assert_eq!(ruler.within(&before, part.clone(), usize::MAX), Some(expected));
                    prop_assert_eq!(ruler.within(&before, part.clone(), expected), Some(expected));
                    if expected > 0 {
                        prop_assert_eq!(ruler.within(&before, part, expected - 1), None);
                    }
                }
            }
        }
    }

    #[test]
    fn estimates_return_the_upper_end() {
        let ruler = Ruler::new(Estimator::Claude3, "hello world");
        let upper = Tokenizer::from(Estimator::Claude3).count("a world").upper();
        assert_eq!(ruler.within("a", 5..11, 99), Some(upper));
        assert_eq!(ruler.within("a", 5..11, upper - 1), None);
    }

    #[test]
    fn part_inside_a_character_has_no_count() {
        let ruler = Ruler::new(Vocabulary::O200kBase, "é");
        assert_eq!(ruler.within("", 0..1, 9), None);
        assert_eq!(ruler.within("", 0..9, 9), None);
    }
}
