//! Asking the system for large pages. The memo is read all over, and with small
//! pages every other look-up waits for the page tables: a fifth of the time of
//! large texts. For small texts, clearing large pages costs more than it saves.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Memo;

/// Bytes of text after which large pages pay.
const ENOUGH: usize = 1 << 21;

/// How much text has been looked up in a memo.
pub(crate) struct Usage(AtomicUsize);

impl Usage {
    pub(crate) const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }
}

impl Memo {
    /// Notes that a text of `length` bytes is looked up.
    #[inline]
    pub(crate) fn note_use(&self, length: usize) {
        if self.usage.0.load(Ordering::Relaxed) < ENOUGH {
            let before = self.usage.0.fetch_add(length, Ordering::Relaxed);
            if before < ENOUGH && before.saturating_add(length) >= ENOUGH {
                self.use_large_pages();
            }
        }
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[expect(unsafe_code, reason = "a call of the system")]
    fn use_large_pages(&self) {
        /// `MADV_HUGEPAGE`: large pages from now on.
        const LARGE: i32 = 14;
        /// `MADV_COLLAPSE`: also where there are small ones already; unknown to
        /// old systems, which say so.
        const COLLAPSE: i32 = 25;
        /// The size of a small page, or a multiple of it.
        const PAGE: usize = 1 << 16;
        unsafe extern "C" {
            fn madvise(start: *const u8, length: usize, advice: i32) -> i32;
        }
        let bytes: *const u8 = std::ptr::from_ref(self).cast();
        let skipped = bytes.align_offset(PAGE);
        let length = size_of::<Self>().saturating_sub(skipped) / PAGE * PAGE;
        for advice in [LARGE, COLLAPSE] {
            // SAFETY: the range lies within this memo, and both kinds of advice
            // leave the contents of the memory as they are. Where it is not
            // followed, nothing changes.
            unsafe { madvise(bytes.wrapping_add(skipped), length, advice) };
        }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn use_large_pages(&self) {}
}
