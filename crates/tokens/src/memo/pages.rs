//! Asking the system for the memory of a memo at once. To touch it page by page
//! costs a fault for each, and two where a page is read first.

use super::Memo;

impl Memo {
    /// Asks for the part of every table that is one in two to the power of `narrow`.
    pub(super) fn populate(&self, narrow: u32) {
        populate(&self.short, narrow);
        populate(&self.middle, narrow);
        populate(&self.one_line, narrow);
        populate(&self.two_lines, narrow);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
#[expect(unsafe_code, reason = "a call of the system")]
fn populate<T>(table: &T, narrow: u32) {
    use rustix::mm::{Advice, madvise};
    /// The size of a page, or a multiple of it.
    const PAGE: usize = 1 << 16;
    let bytes: *const u8 = std::ptr::from_ref(table).cast();
    let skipped = bytes.align_offset(PAGE);
    let length = (size_of::<T>() >> narrow).saturating_sub(skipped) / PAGE * PAGE;
    let start = bytes.wrapping_add(skipped).cast_mut().cast();
    // SAFETY: the range lies within the table, and the advice does not change the
    // contents of the memory. Kernels before 5.14 refuse it, and nothing happens.
    let _ = unsafe { madvise(start, length, Advice::LinuxPopulateWrite) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn populate<T>(_: &T, _: u32) {}
