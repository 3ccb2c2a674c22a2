//! One or two cache lines that several threads read while one may write them. The version is odd
//! during a write, so that readers ignore the words.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::prefetch::prefetch;

/// Version and words. With 7 or 15 words it fills one or two cache lines.
#[repr(align(64))]
pub(crate) struct Line<const WORDS: usize> {
    version: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl<const WORDS: usize> Line<WORDS> {
    /// Creates a line of zeros.
    pub(crate) const fn new() -> Self {
        Self {
            version: AtomicU64::new(0),
            words: [const { AtomicU64::new(0) }; WORDS],
        }
    }

    /// Prefetches all of it.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch(self);
        prefetch(&self.words[WORDS - 1]);
    }

    /// Returns the result of `look` on the words, unless they changed during the call.
    #[inline(always)]
    pub(crate) fn read<T>(&self, look: impl FnOnce(&[AtomicU64; WORDS]) -> Option<T>) -> Option<T> {
        let before = self.version.load(Ordering::Acquire);
        let found = look(&self.words)?;
        fence(Ordering::Acquire);
        let after = self.version.load(Ordering::Relaxed);
        (before == after && before & 1 == 0).then_some(found)
    }

    /// Lets `change` rewrite the words, unless another thread is writing them.
    #[inline]
    pub(crate) fn write(&self, change: impl FnOnce(&[AtomicU64; WORDS])) {
        let before = self.version.load(Ordering::Relaxed);
        let free = before & 1 == 0;
        let claim = |from| {
            let odd = from + 1;
            self.version
                .compare_exchange(from, odd, Ordering::Acquire, Ordering::Relaxed)
        };
        if free && claim(before).is_ok() {
            fence(Ordering::Release);
            change(&self.words);
            self.version.store(before + 2, Ordering::Release);
        }
    }
}
