//! What is remembered of pieces: how many tokens each has. One memo serves all
//! threads; it lies in memory that is zero at start, is read and written with
//! atomics, never has more than its size, and forgets old pieces for new ones. Keys
//! are compared in full, so a hit is always right.

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

/// Sets of places for long pieces: 8 MB of lines.
#[cfg(not(target_arch = "wasm32"))]
const LONG: usize = 1 << 15;
/// As above, 256 KiB: WebAssembly pays for memory before it is used.
#[cfg(target_arch = "wasm32")]
const LONG: usize = 1 << 10;

/// Places of one line.
type OneLine = Long<7, LONG>;
/// Places of two lines, for a tenth of the pieces.
type TwoLines = Long<15, { LONG / 8 }>;

/// The memo of one vocabulary.
pub(crate) struct Memo {
    /// Pieces of at most [`short::MOST`] bytes.
    pub(crate) short: Short,
    /// Pieces of at most [`middle::MOST`] bytes.
    pub(crate) middle: Middle,
    /// Longer pieces, as far as they fit.
    one_line: OneLine,
    two_lines: TwoLines,
    usage: Usage,
}

/// The longest piece of the short memo.
pub(crate) const SHORT_MOST: usize = short::MOST;
/// The longest piece of the middle memo.
pub(crate) const MIDDLE_MOST: usize = middle::MOST;
/// The longest piece that is kept and not a run.
pub(crate) const LONG_MOST: usize = TwoLines::MOST;

impl Memo {
    /// An empty memo that stays until the program ends, for a vocabulary from a file.
    /// Other than a static one it takes all of its memory at once.
    #[expect(unsafe_code, reason = "too large for the stack, and zero is empty")]
    pub(crate) fn leaked() -> &'static Self {
        let memo = Box::<Self>::new_zeroed();
        // SAFETY: it consists of atomic integers alone, for which zero is a value,
        // and `new` makes the same.
        Box::leak(unsafe { memo.assume_init() })
    }

    /// An empty memo.
    pub(crate) const fn new() -> Self {
        Self {
            short: Short::new(),
            middle: Middle::new(),
            one_line: Long::new(),
            two_lines: Long::new(),
            usage: Usage::new(),
        }
    }

    /// The count of a piece longer than [`MIDDLE_MOST`], if known.
    #[inline(always)]
    pub(crate) fn find_long(&self, key: LongKey<'_>, reach: Reach) -> Option<usize> {
        if key.length() <= OneLine::MOST {
            self.one_line.find(key, reach)
        } else {
            self.two_lines.find(key, reach)
        }
    }

    /// Keeps the count of a piece longer than [`MIDDLE_MOST`].
    pub(crate) fn keep_long(&self, key: LongKey<'_>, count: usize, reach: Reach) {
        if key.length() <= OneLine::MOST {
            self.one_line.keep(key, count, reach);
        } else {
            self.two_lines.keep(key, count, reach);
        }
    }

    /// Asks the processor to fetch the place of a piece longer than
    /// [`MIDDLE_MOST`].
    #[inline(always)]
    pub(crate) fn prefetch_long(&self, key: LongKey<'_>, reach: Reach) {
        if key.length() <= OneLine::MOST {
            self.one_line.prefetch(key, reach);
        } else {
            self.two_lines.prefetch(key, reach);
        }
    }
}
