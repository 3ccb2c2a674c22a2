//! Asking the system for the memory of a memo, all at once. To touch it page by page
//! costs a fault for each, and two where a page is read first.

use super::Memo;

impl Memo {
    /// Asks for the part of the memo that is one in two to the power of `narrow`; in
    /// large pages if it is all. With small pages every other look-up of a large text
    /// waits for the page tables: a fifth of the time. For small texts, to gather and
    /// clear large pages costs more than it saves.
    pub(super) fn prepare(&self, narrow: u32) {
        if narrow == 0 {
            advise(self, 0, Advice::Large);
            advise(self, 0, Advice::Collapse);
            advise(self, 0, Advice::Populate);
        } else {
            advise(&self.short, narrow, Advice::Populate);
            advise(&self.middle, narrow, Advice::Populate);
            advise(&self.one_line, narrow, Advice::Populate);
            advise(&self.two_lines, narrow, Advice::Populate);
        }
    }
}

/// What the system is asked for, by the numbers of Linux.
#[derive(Clone, Copy)]
enum Advice {
    /// `MADV_HUGEPAGE`: large pages from now on.
    Large = 14,
    /// `MADV_POPULATE_WRITE`: memory to write to.
    Populate = 23,
    /// `MADV_COLLAPSE`: large pages where there are small ones already.
    Collapse = 25,
}

/// Advises on the beginning of `table`: one in two to the power of `narrow`.
#[cfg(all(target_os = "linux", not(miri)))]
#[expect(unsafe_code, reason = "a call of the system")]
fn advise<T>(table: &T, narrow: u32, advice: Advice) {
    /// The size of a small page, or a multiple of it.
    const PAGE: usize = 1 << 16;
    unsafe extern "C" {
        fn madvise(start: *const u8, length: usize, advice: i32) -> i32;
    }
    let bytes: *const u8 = std::ptr::from_ref(table).cast();
    let skipped = bytes.align_offset(PAGE);
    let length = (size_of::<T>() >> narrow).saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: the range lies within the table, and no kind of advice changes what is
    // in the memory. Where it is not followed, as by old systems, nothing happens.
    unsafe { madvise(bytes.wrapping_add(skipped), length, advice as i32) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise<T>(_: &T, _: u32, _: Advice) {}
