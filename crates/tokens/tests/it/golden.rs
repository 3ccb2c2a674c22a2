//! Vocabularies other than OpenAI's against counts of independent tokenizers: `qwen_bpe` and
//! `deepseek_v3_bpe` by Hugging Face's tokenizers 0.23.3 without added tokens, `tekken` by
//! mistral-common 1.13.0, `glm4_bpe` by tiktoken 0.14.0, `mistral_spm` by sentencepiece 0.2.2,
//! `gemma4_spm` by splintr 0.22. The texts are those of `nasty.rs`, more of their kind, and
//! mixtures of them.

use loom_tokens::{FileKind, LoadError, Tally, Vocabulary};
use proptest::prelude::*;
use serde_json::Value;

fn golden() -> Value {
    serde_json::from_str(include_str!("data/golden.json")).unwrap_or_default()
}

#[test]
fn counts_match_independent_tokenizers() {
    let golden = golden();
    let texts = golden["texts"].as_array().expect("a list of texts");
    let counts = golden["counts"].as_object().expect("counts by vocabulary");
    assert!(texts.len() > 500 && counts.len() > 3);
    for (name, counts) in counts {
        let vocabulary = Vocabulary::from_name(name).expect(name);
        for (text, count) in texts.iter().zip(counts.as_array().expect("counts")) {
            let text = text.as_str().expect("a text");
            let expected = count.as_u64().expect("a count") as usize;
            // Twice: merged first, then cached.
            assert_eq!(vocabulary.count(text), expected, "{name} {text:?}");
            assert_eq!(vocabulary.count(text), expected, "{name} {text:?}");
            assert_eq!(vocabulary.encode(text).len(), expected, "{name} {text:?}");
            assert_eq!(
                vocabulary.count_until(text, expected),
                Some(expected),
                "{name}"
            );
        }
    }
}

/// Checks that the encoded tokens decode to the text.
#[track_caller]
fn check_spelling(vocabulary: Vocabulary, text: &str) {
    let tokens = vocabulary.encode(text);
    assert_eq!(
        vocabulary.count(text),
        tokens.len(),
        "{vocabulary:?} {text:?}"
    );
    let bytes = vocabulary.decode(&tokens).unwrap_or_default();
    let spelled = String::from_utf8(bytes).unwrap_or_default();
    // Qwen normalises text first; the normalised text is stable.
    if vocabulary == Vocabulary::Qwen {
        assert_eq!(vocabulary.encode(&spelled), tokens, "{text:?}");
    } else if matches!(vocabulary, Vocabulary::Mistral | Vocabulary::Gemma4) {
        // These vocabularies do not distinguish a space from the character that replaces it.
        assert_eq!(spelled, text.replace('\u{2581}', " "), "{vocabulary:?}");
    } else {
        assert_eq!(spelled, text, "{vocabulary:?}");
    }
}

proptest! {
    #[test]
    fn tokens_decode_to_the_text(text in "([a-zA-Z]{1,12}|[ ]{1,9}|[\\t\\r\\n ]{1,4}|[0-9]{1,7}|[-/'(._\\x00\\x7f]{1,3}|[éÉª語的한かア\u{301}\u{a0}٣😀→]{1,3}|\\PC){0,40}") {
        for &vocabulary in Vocabulary::ALL {
            check_spelling(vocabulary, &text);
        }
    }

    #[test]
    fn parts_add_up(parts in prop::collection::vec("([a-z語1 \\n]|e\u{301}|\\PC){0,9}", 0..8)) {
        for &vocabulary in Vocabulary::ALL {
            let mut tally = Tally::new(vocabulary);
            parts.iter().for_each(|part| tally.push(part));
            prop_assert_eq!(tally.tokens(), vocabulary.count(&parts.concat()), "{:?}", vocabulary);
        }
    }
}

#[test]
fn long_pieces_of_every_vocabulary() {
    for &vocabulary in Vocabulary::ALL {
        for unit in ["a", " ", "\n", "=", "的", "ab", "é", "👍", " \n"] {
            for length in [64, 65, 300, 2000] {
                check_spelling(vocabulary, &unit.repeat(length));
            }
        }
        // None of them may take more than about linear time.
        let text = "a".repeat(1 << 18);
        assert!(vocabulary.count(&text) > 1000, "{vocabulary:?}");
    }
}

/// Builds a small vocabulary file: all bytes, and `ab`.
fn file() -> String {
    use base64::Engine;
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let bytes = (0..=255u8).map(|byte| format!("{} {byte}\n", encode(&[byte])));
    let pair = format!("{} 256\n", encode(b"ab"));
    // Merging cannot produce it: there is no `bc`, and no `abc` from `ab`.
    let whole = format!("{} 257\n", encode(b"xyz"));
    bytes.chain([pair, whole]).collect()
}

#[test]
fn vocabulary_loads_from_a_file() {
    let file = file();
    let vocabulary = Vocabulary::from_file(FileKind::Llama3, file.as_bytes()).expect("a file");
    assert_eq!(vocabulary.encode("ab abab"), [256, 32, 256, 256]);
    assert_eq!((vocabulary.count("xyz"), vocabulary.count("xyzz")), (1, 4));
    assert_eq!(vocabulary.decode(&[257, 97]), Ok(b"xyza".to_vec()));
    assert_eq!(vocabulary.name(), "llama3");
    assert_eq!(vocabulary, vocabulary.clone());
    let again = Vocabulary::from_file(FileKind::Llama3, file.as_bytes()).expect("a file");
    assert_ne!(vocabulary, again);
}

#[test]
fn broken_files_are_rejected() {
    let load = |file: &str| Vocabulary::from_file(FileKind::Llama4, file.as_bytes());
    assert_eq!(load("YQ== 0\nno\n"), Err(LoadError::Line { line: 2 }));
    assert_eq!(load("YQ== 0\nYg== 0\n"), Err(LoadError::Twice { line: 2 }));
    assert_eq!(load("YQ== 0\n"), Err(LoadError::Byte { byte: 0 }));
    let limit = (1 << 18) - 1;
    assert_eq!(
        load("YQ== 9999999\n"),
        Err(LoadError::Rank { line: 1, limit })
    );
}
