//! Masks with AVX2, 32 bytes at a time.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_slli_epi16,
};

use super::window::{Classify, Masks, WINDOW};

/// Classifier with AVX2. Use it only if [`is_available`].
pub(crate) struct Avx2;

/// Returns whether this processor supports the instructions of the code below, and of the code that
/// is compiled together with it.
#[inline]
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

impl Classify for Avx2 {
    const USEFUL: bool = true;

    #[inline(always)]
    fn masks(window: &[u8; WINDOW]) -> Masks {
        // SAFETY: this type is used only if `is_available`, and both loads read 32 of the 64 bytes
        // of the window.
        let (low, high) = unsafe {
            let start: *const __m256i = window.as_ptr().cast();
            (
                half(_mm256_loadu_si256(start)),
                half(_mm256_loadu_si256(start.add(1))),
            )
        };
        let join = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Masks {
            wide: join(low.wide, high.wide),
            upper: join(low.upper, high.upper),
            lower: join(low.lower, high.lower),
            digit: join(low.digit, high.digit),
            space: join(low.space, high.space),
            blank: join(low.blank, high.blank),
            newline: join(low.newline, high.newline),
            quote: join(low.quote, high.quote),
            slash: join(low.slash, high.slash),
            control: join(low.control, high.control),
        }
    }
}

/// Masks of half a window.
struct Half {
    wide: u32,
    upper: u32,
    lower: u32,
    digit: u32,
    space: u32,
    blank: u32,
    newline: u32,
    quote: u32,
    slash: u32,
    control: u32,
}

/// # Safety
/// AVX2 must be available.
#[inline(always)]
unsafe fn half(bytes: __m256i) -> Half {
    // SAFETY: the caller has checked for AVX2; this block does not access memory.
    unsafe {
        let all = |byte: u8| _mm256_set1_epi8(byte as i8);
        let mask = |vector: __m256i| _mm256_movemask_epi8(vector) as u32;
        let equal = |byte: u8| _mm256_cmpeq_epi8(bytes, all(byte));
        // Moves the range to the top of the signed bytes, so that one comparison is enough.
        let range = |bytes: __m256i, first: u8, last: u8| {
            let moved = _mm256_add_epi8(bytes, all(127u8.wrapping_sub(last)));
            _mm256_cmpgt_epi8(moved, all(126 - (last - first)))
        };
        let small = _mm256_or_si256(bytes, all(0x20));
        let letter = mask(range(small, b'a', b'z'));
        // The bit that distinguishes the cases, moved to the top of each byte.
        let case = mask(_mm256_slli_epi16::<2>(bytes));
        let newline = mask(_mm256_or_si256(equal(b'\r'), equal(b'\n')));
        let white = mask(range(bytes, b'\t', b'\r'));
        let low = mask(_mm256_or_si256(range(bytes, 0, 0x1F), equal(0x7F)));
        Half {
            wide: mask(bytes),
            upper: letter & !case,
            lower: letter & case,
            digit: mask(range(bytes, b'0', b'9')),
            space: mask(equal(b' ')),
            blank: white & !newline,
            newline,
            quote: mask(equal(b'\'')),
            slash: mask(equal(b'/')),
            control: low & !white,
        }
    }
}
