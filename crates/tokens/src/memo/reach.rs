//! How much of a memo is in use. A small text needs little of it, and to touch more
//! costs more than it saves: every page that is read and then written faults twice,
//! and what fits a cache is found sooner. So a memo begins narrow and is widened as
//! more text is counted. What was kept in a narrower one may not be found again; it
//! is then merged once more.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::Memo;

/// The part of every table that is in use: one in two to the power of this.
#[derive(Clone, Copy)]
pub(crate) struct Reach(u32);

impl Reach {
    /// The place of the part in use for one of the whole table.
    #[inline(always)]
    pub(crate) fn within(self, place: usize) -> usize {
        place >> self.0
    }
}

/// At first a sixteenth: 2 MB.
const FIRST: u32 = 4;

/// Bytes of text from which on memory is asked for at once.
const SOME: usize = 1 << 12;
/// Bytes of text from which on the whole memo is in use.
const MUCH: usize = 1 << 23;

/// How much text has been looked up in a memo, and how narrow it is.
pub(crate) struct Usage {
    bytes: AtomicUsize,
    /// How often the part in use was doubled. Zero at first, because a memo that is
    /// not all zeros would lie in the program's file.
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
    /// The part in use.
    #[inline(always)]
    pub(crate) fn reach(&self) -> Reach {
        Reach(FIRST - self.usage.doubled.load(Ordering::Relaxed))
    }

    /// Notes that a text of `length` bytes is looked up.
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
