//! The share of a memo that is in use. A small text needs little of it, and touching more costs
//! more than it saves: a page that is read and then written faults twice, and lookups are faster if
//! the table fits a cache. So a memo starts narrow and is widened as more text is counted. Entries
//! of a narrower memo may not be found again; their pieces are then merged once more.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::Memo;

/// Share of every table that is in use: one in two to the power of this.
#[derive(Clone, Copy)]
pub(crate) struct Reach(u32);

impl Reach {
    /// Maps a slot of the whole table to the part in use.
    #[inline(always)]
    pub(crate) fn within(self, place: usize) -> usize {
        place >> self.0
    }
}

/// Initial share: a sixteenth, 2 MB.
const FIRST: u32 = 4;

/// Bytes of text after which memory is requested at once.
const SOME: usize = 1 << 12;
/// Bytes of text after which the whole memo is in use.
const MUCH: usize = 1 << 23;

/// Amount of text that was looked up in a memo, and the share in use.
pub(crate) struct Usage {
    bytes: AtomicUsize,
    /// How often the part in use was doubled. It starts at zero, because the binary would contain a
    /// memo that is not all zeros.
    doubled: AtomicU32,
}

impl Usage {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: AtomicUsize::new(0),
            doubled: AtomicU32::new(0),
        }
    }
}

impl Memo {
    /// Returns the part in use.
    #[inline(always)]
    pub(crate) fn reach(&self) -> Reach {
        Reach(FIRST - self.usage.doubled.load(Ordering::Relaxed))
    }

    /// Records that a text of `length` bytes is looked up.
    #[inline]
    pub(crate) fn note_use(&self, length: usize) {
        if self.usage.bytes.load(Ordering::Relaxed) < MUCH {
            self.note_more(length);
        }
    }

    #[cold]
    fn note_more(&self, length: usize) {
        let before = self.usage.bytes.fetch_add(length, Ordering::Relaxed);
        let after = before.saturating_add(length);
        if before < MUCH && after >= MUCH {
            self.populate(0);
            self.usage.doubled.store(FIRST, Ordering::Relaxed);
        } else if before < SOME && after >= SOME {
            self.populate(FIRST);
        }
    }
}
