//! A cache of the token counts of pieces. One memo serves all threads. It starts as zeroed memory,
//! is read and written with atomics, has a fixed size, and replaces old pieces by new ones. Keys
//! are compared in full, so a hit is always correct.

mod line;
mod long;
mod middle;
mod pages;
mod reach;
mod short;

pub(crate) use long::LongKey;
pub(crate) use middle::MiddleKey;
pub(crate) use reach::Reach;
pub(crate) use short::{Front, ShortKey};

use long::Long;
use middle::Middle;
use reach::Usage;
use short::Short;

/// Sets of slots for long pieces: 8 MB of lines.
#[cfg(not(target_arch = "wasm32"))]
const LONG: usize = 1 << 15;
/// Sets of slots for long pieces: 256 KiB, because WebAssembly commits memory before it is used.
#[cfg(target_arch = "wasm32")]
const LONG: usize = 1 << 10;

/// Slots of one line.
type OneLine = Long<7, LONG>;
/// Slots of two lines, for a tenth of the pieces.
type TwoLines = Long<15, { LONG / 8 }>;

/// Memo of one vocabulary.
pub(crate) struct Memo {
    /// Pieces of at most [`short::MOST`] bytes.
    pub(crate) short: Short,
    /// Pieces of at most [`middle::MOST`] bytes.
    pub(crate) middle: Middle,
    /// Longer pieces, up to [`LONG_MOST`] bytes.
    one_line: OneLine,
    two_lines: TwoLines,
    usage: Usage,
}

/// Maximum length of a piece in the short memo.
pub(crate) const SHORT_MOST: usize = short::MOST;
/// Maximum length of a piece in the middle memo.
pub(crate) const MIDDLE_MOST: usize = middle::MOST;
/// Maximum length of a piece in the long memo that is not a run.
pub(crate) const LONG_MOST: usize = TwoLines::MOST;

impl Memo {
    /// Creates an empty memo that stays until the program ends, for a vocabulary from a file.
    /// Unlike a static one, it allocates all of its memory at once.
    #[expect(unsafe_code, reason = "too large for the stack, and zero is empty")]
    pub(crate) fn leaked() -> &'static Self {
        let memo = Box::<Self>::new_zeroed();
        // SAFETY: it consists only of atomic integers, for which zero is a valid value, and `new`
        // creates the same.
        Box::leak(unsafe { memo.assume_init() })
    }

    /// Creates an empty memo.
    pub(crate) const fn new() -> Self {
        Self {
            short: Short::new(),
            middle: Middle::new(),
            one_line: Long::new(),
            two_lines: Long::new(),
            usage: Usage::new(),
        }
    }

    /// Returns the count of a piece longer than [`MIDDLE_MOST`], if it is in the memo.
    #[inline(always)]
    pub(crate) fn find_long(&self, key: LongKey<'_>, reach: Reach) -> Option<usize> {
        if key.length() <= OneLine::MOST {
            self.one_line.find(key, reach)
        } else {
            self.two_lines.find(key, reach)
        }
    }

    /// Stores the count of a piece longer than [`MIDDLE_MOST`].
    pub(crate) fn keep_long(&self, key: LongKey<'_>, count: usize, reach: Reach) {
        if key.length() <= OneLine::MOST {
            self.one_line.keep(key, count, reach);
        } else {
            self.two_lines.keep(key, count, reach);
        }
    }

    /// Prefetches the slot of a piece longer than [`MIDDLE_MOST`].
    #[inline(always)]
    pub(crate) fn prefetch_long(&self, key: LongKey<'_>, reach: Reach) {
        if key.length() <= OneLine::MOST {
            self.one_line.prefetch(key, reach);
        } else {
            self.two_lines.prefetch(key, reach);
        }
    }
}
