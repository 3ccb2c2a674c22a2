//! Masks with NEON, 16 bytes at a time.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::aarch64::{
    uint8x16_t, vaddv_u8, vandq_u8, vbicq_u8, vceqq_u8, vcgeq_u8, vcleq_u8, vdupq_n_u8,
    vget_high_u8, vget_low_u8, vld1q_u8, vorrq_u8,
};

use super::window::{Classify, Masks, WINDOW};

/// Classifier with NEON, which every 64-bit Arm processor has.
pub(crate) struct Neon;

impl Classify for Neon {
    const USEFUL: bool = true;

    #[inline(always)]
    fn masks(window: &[u8; WINDOW]) -> Masks {
        let mut masks = Masks {
            wide: 0,
            upper: 0,
            lower: 0,
            digit: 0,
            space: 0,
            blank: 0,
            newline: 0,
            quote: 0,
            slash: 0,
            control: 0,
        };
        for (at, bytes) in window.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: NEON is part of the target, and the load reads the 16 bytes of the chunk.
            unsafe { quarter(&mut masks, 16 * at, vld1q_u8(bytes.as_ptr())) };
        }
        masks
    }
}

/// Sets the 16 bits from `at`.
///
/// # Safety
/// NEON must be available.
#[inline(always)]
unsafe fn quarter(masks: &mut Masks, at: usize, bytes: uint8x16_t) {
    // SAFETY: the caller has checked for NEON; the one load reads a constant of 16 bytes.
    unsafe {
        let weights =
            vld1q_u8([1u8, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
        // NEON has no instruction for this: each byte keeps its own bit, and the bits of eight
        // bytes add up to one byte.
        let mask = |vector: uint8x16_t| {
            let bits = vandq_u8(vector, weights);
            let low = vaddv_u8(vget_low_u8(bits));
            let high = vaddv_u8(vget_high_u8(bits));
            (u64::from(low) | u64::from(high) << 8) << at
        };
        let equal = |byte: u8| vceqq_u8(bytes, vdupq_n_u8(byte));
        let range = |first: u8, last: u8| {
            vandq_u8(
                vcgeq_u8(bytes, vdupq_n_u8(first)),
                vcleq_u8(bytes, vdupq_n_u8(last)),
            )
        };
        let newline = vorrq_u8(equal(b'\r'), equal(b'\n'));
        let white = range(b'\t', b'\r');
        let low = vorrq_u8(range(0, 0x1F), equal(0x7F));
        masks.wide |= mask(vcgeq_u8(bytes, vdupq_n_u8(0x80)));
        masks.upper |= mask(range(b'A', b'Z'));
        masks.lower |= mask(range(b'a', b'z'));
        masks.digit |= mask(range(b'0', b'9'));
        masks.space |= mask(equal(b' '));
        masks.blank |= mask(vbicq_u8(white, newline));
        masks.newline |= mask(newline);
        masks.quote |= mask(equal(b'\''));
        masks.slash |= mask(equal(b'/'));
        masks.control |= mask(vbicq_u8(low, white));
    }
}
