//! Work that no counter can do without, for scale.

use loom_tokens::Vocabulary;

pub type Floor = (&'static str, Box<dyn Fn(&str) -> usize>);

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
        (
            "split alone",
            Box::new(move |text| vocabulary.count_pieces(text)),
        ),
    ]
}
