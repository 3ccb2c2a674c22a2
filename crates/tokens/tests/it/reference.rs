//! The check that all cases use.

use loom_tokens::Vocabulary;
use tiktoken_rs::CoreBPE;

/// Returns the reference for a vocabulary.
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

/// Checks that all operations on `text` agree with the reference.
pub(crate) fn check(vocabulary: Vocabulary, text: &str) {
    let excerpt: String = text.chars().take(200).collect();
    let expected = reference(vocabulary).encode_ordinary(text);
    let name = vocabulary.name();
    assert_eq!(vocabulary.encode(text), expected, "{name} {excerpt:?}");
    // Twice: merged first, then cached.
    for _ in 0..2 {
        assert_eq!(vocabulary.count(text), expected.len(), "{name} {excerpt:?}");
    }
    let bytes = vocabulary.decode(&expected);
    assert!(
        bytes.as_deref() == Ok(text.as_bytes()),
        "{name} {excerpt:?}"
    );
    let enough = vocabulary.count_until(text, expected.len());
    assert_eq!(enough, Some(expected.len()), "{name} {excerpt:?}");
    if let Some(less) = expected.len().checked_sub(1) {
        assert_eq!(
            vocabulary.count_until(text, less),
            None,
            "{name} {excerpt:?}"
        );
    }
}

/// Vocabularies that the reference supports.
pub(crate) const OPENAI: &[Vocabulary] = &[
    Vocabulary::O200kBase,
    Vocabulary::O200kHarmony,
    Vocabulary::Cl100kBase,
    Vocabulary::P50kBase,
    Vocabulary::R50kBase,
];

/// Runs [`check`] for every vocabulary of the reference.
pub(crate) fn check_all(text: &str) {
    for &vocabulary in OPENAI {
        check(vocabulary, text);
    }
}
