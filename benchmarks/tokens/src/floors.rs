//! Work that no counter can do without, for scale.

use loom_tokens::Vocabulary;

use crate::warm::Counter;

pub type Floor = (&'static str, Box<Counter>);

pub fn all(vocabulary: Vocabulary) -> Vec<Floor> {
    vec![
        (
            "memchr",
            Box::new(|text| memchr::memchr(0, text.as_bytes()).unwrap_or(0)),
        ),
        (
            "UTF-8 check",
            Box::new(|text| str::from_utf8(text.as_bytes()).map_or(0, str::len)),
        ),
        // Touches no memory: what two threads of this machine lose in any case.
        (
            "arithmetic",
            Box::new(|text| {
                let steps = 0..text.len() as u64;
                steps.fold(1u64, |a, b| (a ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)) as usize
            }),
        ),
        (
            "split alone",
            Box::new(move |text| vocabulary.count_pieces(text)),
        ),
    ]
}
