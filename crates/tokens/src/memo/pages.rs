//! Requests the memory of a memo from the system at once. Touching it page by page costs a fault
//! for each page, and two if a page is read first.

use super::Memo;

impl Memo {
    /// Requests the first `1 / 2^narrow` of every table.
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
    /// Size of a page, or a multiple of it.
    const PAGE: usize = 1 << 16;
    let bytes: *const u8 = std::ptr::from_ref(table).cast();
    let skipped = bytes.align_offset(PAGE);
    let length = (size_of::<T>() >> narrow).saturating_sub(skipped) / PAGE * PAGE;
    let start = bytes.wrapping_add(skipped).cast_mut().cast();
    // SAFETY: the range is inside the table, and the advice does not change the contents of the
    // memory. Kernels before 5.14 reject it without an effect.
    let _ = unsafe { madvise(start, length, Advice::LinuxPopulateWrite) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn populate<T>(_: &T, _: u32) {}
