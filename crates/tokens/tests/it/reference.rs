//! The one check that all cases go through.

use loom_tokens::Vocabulary;
use tiktoken_rs::CoreBPE;

/// The reference for a vocabulary.
pub(crate) fn reference(vocabulary: Vocabulary) -> &'static CoreBPE {
    match vocabulary {
        Vocabulary::O200kBase => tiktoken_rs::o200k_base_singleton(),
        Vocabulary::O200kHarmony => tiktoken_rs::o200k_harmony_singleton(),
        Vocabulary::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        Vocabulary::P50kBase => tiktoken_rs::p50k_base_singleton(),
        Vocabulary::R50kBase => tiktoken_rs::r50k_base_singleton(),
        other => unreachable!("{other:?} has no reference"),
    }
}

/// Everything that can be asked of `text` agrees with the reference.
pub(crate) fn check(vocabulary: Vocabulary, text: &str) {
    let shown: String = text.chars().take(200).collect();
    let expected = reference(vocabulary).encode_ordinary(text);
    let name = vocabulary.name();
    assert_eq!(vocabulary.encode(text), expected, "{name} {shown:?}");
    // Twice: merged, then remembered.
    for _ in 0..2 {
        assert_eq!(vocabulary.count(text), expected.len(), "{name} {shown:?}");
    }
    let bytes = vocabulary.decode(&expected);
    assert!(bytes.as_deref() == Ok(text.as_bytes()), "{name} {shown:?}");
    let enough = vocabulary.count_until(text, expected.len());
    assert_eq!(enough, Some(expected.len()), "{name} {shown:?}");
    if let Some(less) = expected.len().checked_sub(1) {
        assert_eq!(vocabulary.count_until(text, less), None, "{name} {shown:?}");
    }
}

/// The vocabularies that the reference knows.
pub(crate) const OPENAI: &[Vocabulary] = &[
    Vocabulary::O200kBase,
    Vocabulary::O200kHarmony,
    Vocabulary::Cl100kBase,
    Vocabulary::P50kBase,
    Vocabulary::R50kBase,
];

/// [`check`] under every vocabulary of the reference.
pub(crate) fn check_all(text: &str) {
    for &vocabulary in OPENAI {
        check(vocabulary, text);
    }
}
