//! The data and the names.

use loom_tokens::{DecodeError, Vocabulary};

use crate::reference::reference;

#[test]
fn every_token_decodes_like_the_reference() {
    for (vocabulary, count) in [
        (Vocabulary::O200kBase, 199_998),
        (Vocabulary::O200kHarmony, 199_998),
        (Vocabulary::Cl100kBase, 100_256),
        (Vocabulary::P50kBase, 50_281),
        (Vocabulary::R50kBase, 50_256),
    ] {
        let reference = reference(vocabulary);
        // The end-of-text token of p50k has an id among the ordinary ones.
        for id in (0..count).filter(|&id| id != 50_256 || count > 60_000) {
            assert_eq!(
                vocabulary.decode(&[id]).ok(),
                reference.decode_bytes(&[id]).ok()
            );
        }
        assert!(vocabulary.decode(&[count]).is_err());
    }
}

#[test]
fn error_names_the_unknown_token() {
    let error = Vocabulary::P50kBase
        .decode(&[0, 50_256])
        .expect_err("a special token");
    let token = 50_256;
    let vocabulary = "p50k_base";
    assert_eq!(error, DecodeError::UnknownToken { token, vocabulary });
    assert_eq!(error.to_string(), "token 50256 is not in p50k_base");
}

#[test]
fn names() {
    for &vocabulary in Vocabulary::ALL {
        assert_eq!(Vocabulary::from_name(vocabulary.name()), Some(vocabulary));
    }
    assert_eq!(Vocabulary::from_name("gpt2"), Some(Vocabulary::R50kBase));
    assert_eq!(Vocabulary::from_name("gpt3"), None);
}
