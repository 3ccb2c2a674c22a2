//! Counting a text: pieces are split off in batches, and each batch is looked up as a whole, so
//! that the splitter and the tables do not wait for each other.

use std::cell::RefCell;

use crate::batch::Batch;
use crate::model::{Model, Split};
use crate::piece;
#[cfg(target_arch = "x86_64")]
use crate::split::avx2;
use crate::split::window::Classify;
use crate::split::{Cl100k, CommandR, DeepSeek, Gpt2, Kimi, Llama3, O200k, Pattern, Qwen, Tekken};

thread_local! {
    static BATCH: RefCell<Option<Box<Batch>>> = const { RefCell::new(None) };
}

/// Texts of fewer bytes are counted piece by piece.
const SMALL: usize = 96;

/// Unit of a count.
#[derive(Clone, Copy)]
enum Unit {
    Tokens,
    Pieces,
}

/// Text to count, up to a limit.
#[derive(Clone, Copy)]
struct Task<'a> {
    model: &'a Model,
    text: &'a [u8],
    unit: Unit,
    limit: usize,
}

/// Counts the tokens of `text`, which is UTF-8. Returns `None` above `limit`.
pub(crate) fn tokens(model: &Model, text: &[u8], limit: usize) -> Option<usize> {
    let unit = Unit::Tokens;
    Task {
        model,
        text,
        unit,
        limit,
    }
    .run()
}

/// Counts the pieces of `text`, which is UTF-8.
pub(crate) fn pieces(model: &Model, text: &[u8]) -> usize {
    let (unit, limit) = (Unit::Pieces, usize::MAX);
    Task {
        model,
        text,
        unit,
        limit,
    }
    .run()
    .unwrap_or(limit)
}

impl Task<'_> {
    fn run(self) -> Option<usize> {
        match self.model.split {
            Split::O200k => self.split_by::<O200k>(),
            Split::Cl100k => self.split_by::<Cl100k>(),
            Split::Gpt2 => self.split_by::<Gpt2>(),
            Split::Llama3 => self.split_by::<Llama3>(),
            Split::Qwen => self.split_by::<Qwen>(),
            Split::Tekken => self.split_by::<Tekken>(),
            Split::DeepSeek => self.split_by::<DeepSeek>(),
            Split::Kimi => self.split_by::<Kimi>(),
            Split::CommandR => self.split_by::<CommandR>(),
        }
    }

    fn split_by<P: Pattern>(self) -> Option<usize> {
        if self.text.len() < SMALL {
            return self.one_by_one::<P>();
        }
        // The batch of a thread that is being torn down no longer exists.
        BATCH
            .try_with(|batch| {
                let mut batch = batch.try_borrow_mut().ok()?;
                Some(self.fastest::<P>(batch.get_or_insert_default()))
            })
            .ok()
            .flatten()
            .unwrap_or_else(|| self.one_by_one::<P>())
    }

    fn one_by_one<P: Pattern>(self) -> Option<usize> {
        let (mut at, mut count) = (0, 0);
        while at < self.text.len() {
            let end = P::next(self.text, at);
            count += match self.unit {
                Unit::Tokens => piece::count(self.model, &self.text[at..end]),
                Unit::Pieces => 1,
            };
            at = end;
            if count > self.limit {
                return None;
            }
        }
        Some(count)
    }

    /// Counts in batches with the best instructions of this processor.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "instructions that must be known to exist")
    )]
    fn fastest<P: Pattern>(self, batch: &mut Batch) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        if avx2::is_available() {
            // SAFETY: the processor has all the features that the function enables.
            return unsafe { self.with_avx2::<P>(batch) };
        }
        self.in_batches::<P, Portable>(batch)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn with_avx2<P: Pattern>(self, batch: &mut Batch) -> Option<usize> {
        self.in_batches::<P, avx2::Avx2>(batch)
    }

    #[inline(always)]
    fn in_batches<P: Pattern, C: Classify>(self, batch: &mut Batch) -> Option<usize> {
        let (mut at, mut count) = (0, 0);
        while at < self.text.len() {
            // Every piece is at least one token.
            let most = (self.limit - count).saturating_add(1);
            let end = batch.fill::<P, C>(self.text, at, most);
            count += match self.unit {
                Unit::Tokens => batch.count(self.model, &self.text[at..], end - at),
                Unit::Pieces => batch.pieces(),
            };
            at = end;
            if count > self.limit {
                return None;
            }
        }
        Some(count)
    }
}

/// Classifier that depends only on the target.
#[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
type Portable = crate::split::window::Scalar;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
type Portable = crate::split::neon::Neon;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in::{CL100K, O200K, R50K};

    const TEXT: &str = "fn main() {\n    let größe = wert_1234567 + 'x';\n\t// 語句 don't\r\n}\n\
        aVeryLongIdentifierOfMoreThanSixteenBytes == \"and more text behind it\" && !done;\n\
        ----------------------------------------------------------------------------------\n";

    /// The allocation is exactly as large as the text, so that memory checkers see every byte read
    /// beyond its end. The test ends the text at every position.
    #[test]
    fn batches_agree_with_single_pieces_at_every_length() {
        let steps = if cfg!(miri) { 61 } else { 1 };
        for end in (SMALL..TEXT.len()).step_by(steps) {
            let text: Box<[u8]> = TEXT.as_bytes()[..TEXT.floor_char_boundary(end)].into();
            for model in [&O200K, &CL100K, &R50K] {
                let (unit, limit) = (Unit::Tokens, usize::MAX);
                let text = &text;
                let task = Task {
                    model,
                    text,
                    unit,
                    limit,
                };
                let expected = match model.split {
                    Split::O200k => task.one_by_one::<O200k>(),
                    Split::Cl100k => task.one_by_one::<Cl100k>(),
                    Split::Gpt2 => task.one_by_one::<Gpt2>(),
                    Split::Llama3 => task.one_by_one::<Llama3>(),
                    Split::Qwen => task.one_by_one::<Qwen>(),
                    Split::Tekken => task.one_by_one::<Tekken>(),
                    Split::DeepSeek => task.one_by_one::<DeepSeek>(),
                    Split::Kimi => task.one_by_one::<Kimi>(),
                    Split::CommandR => task.one_by_one::<CommandR>(),
                };
                assert_eq!(task.run(), expected, "{end}");
            }
        }
    }

    #[test]
    fn widened_memo_counts_the_same() {
        let count = || tokens(&R50K, TEXT.as_bytes(), usize::MAX);
        let first = count();
        for more in [1 << 12, 1 << 23] {
            R50K.memo.note_use(more);
            assert_eq!([count(), count()], [first; 2], "{more}");
        }
        assert_eq!(R50K.memo.reach().within(usize::MAX), usize::MAX);
    }
}
