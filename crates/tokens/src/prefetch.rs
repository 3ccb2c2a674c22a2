//! Memory prefetching.

/// Prefetches the cache line of `place`, if the processor supports it.
#[inline(always)]
pub(crate) fn prefetch<T: ?Sized>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the instruction takes a raw pointer")]
    // SAFETY: a prefetch is a hint that reads nothing into the program, and the
    // pointer comes from a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
