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
    /// `MADV_POPULATE_WRITE`: memory to write to. Unknown to systems before 5.14,
    /// which say so.
    const POPULATE: i32 = 23;
    /// The size of a page, or a multiple of it.
    const PAGE: usize = 1 << 16;
    unsafe extern "C" {
        fn madvise(start: *const u8, length: usize, advice: i32) -> i32;
    }
    let bytes: *const u8 = std::ptr::from_ref(table).cast();
    let skipped = bytes.align_offset(PAGE);
    let length = (size_of::<T>() >> narrow).saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: the range lies within the table, and the advice does not change what is
    // in the memory. Where it is not followed, nothing happens.
    unsafe { madvise(bytes.wrapping_add(skipped), length, POPULATE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn populate<T>(_: &T, _: u32) {}
