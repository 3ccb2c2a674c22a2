//! What is remembered of pieces: how many tokens each has. One memo serves all
//! threads; it lies in memory that is zero at start, is read and written with
//! relaxed atomics, never grows, and forgets old pieces for new ones. Keys are
//! compared in full, so a hit is always right.

mod line;
mod long;
mod middle;
mod short;

pub(crate) use long::LongKey;
pub(crate) use middle::MiddleKey;
pub(crate) use short::{Front, ShortKey};

use long::Long;
use middle::Middle;
use short::Short;

/// The memo of one vocabulary.
pub(crate) struct Memo {
    /// Pieces of at most [`short::MOST`] bytes.
    pub(crate) short: Short,
    /// Pieces of at most [`middle::MOST`] bytes.
    pub(crate) middle: Middle,
    /// Longer pieces, as far as they fit.
    pub(crate) long: Long,
}

/// The longest piece of the short memo.
pub(crate) const SHORT_MOST: usize = short::MOST;
/// The longest piece of the middle memo.
pub(crate) const MIDDLE_MOST: usize = middle::MOST;

impl Memo {
    /// An empty memo that stays until the program ends, for a vocabulary that may
    /// never be used. It costs memory only where it is written.
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
            long: Long::new(),
        }
    }
}
