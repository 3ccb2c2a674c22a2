//! Vocabularies from files of every kind: small generated ones, and damaged ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::LazyLock;

use loom_tokens::{FileKind, LoadError, Tally, Vocabulary};
use proptest::prelude::*;
use serde_json::{Value, json};

fn load(file: &[u8]) -> Result<Vocabulary, LoadError> {
    Vocabulary::from_file(FileKind::Other, file)
}

#[track_caller]
fn check(vocabulary: Vocabulary, text: &str, expected: &[u32]) {
    assert_eq!(vocabulary.encode(text), expected, "{text:?}");
    assert_eq!(vocabulary.count(text), expected.len(), "{text:?}");
    assert_eq!(vocabulary.decode(expected).as_deref(), Ok(text.as_bytes()));
}

/// Returns the character of a byte in files of byte-level BPE.
fn alphabet_character(byte: u8) -> char {
    let seen = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let hidden = (0..byte).filter(|&byte| !seen(byte)).count() as u32;
    match seen(byte) {
        true => char::from(byte),
        false => char::from_u32(0x100 + hidden).unwrap(),
    }
}

/// Builds a vocabulary of all bytes backwards, so that ids differ from ranks; then `ab`, ` ab`,
/// `aba`, and `xyz`, which merging cannot produce.
fn byte_level() -> Value {
    let bytes = (0..=255u8).rev().zip(0..);
    let mut vocab: serde_json::Map<String, Value> = bytes
        .map(|(byte, id)| (alphabet_character(byte).to_string(), json!(id)))
        .collect();
    for (token, id) in [("ab", 300), ("Ġab", 299), ("aba", 400), ("xyz", 500)] {
        vocab.insert(token.to_owned(), json!(id));
    }
    json!({
        "added_tokens": [{"id": 900, "content": "<think>", "special": false}],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "model": {
            "type": "BPE",
            "vocab": vocab,
            "merges": ["a b", ["Ġ", "ab"], "ab a"],
            "ignore_merges": true,
        },
    })
}

#[test]
fn tokenizer_json_of_bytes_loads() {
    let vocabulary = load(byte_level().to_string().as_bytes()).unwrap();
    check(vocabulary, "ab ab aba", &[300, 299, 299, 158]);
    check(vocabulary, "ababa", &[300, 400]);
    check(vocabulary, "xyz", &[500]);
    // Only a whole piece becomes this token.
    check(vocabulary, "xyzz", &[135, 134, 133, 133]);
    // An added token is ordinary text.
    assert_eq!(vocabulary.count("<think>"), 7);
    assert_eq!(vocabulary.count("e\u{301}"), 2);
    assert!(vocabulary.decode(&[700]).is_err());
}

/// Builds a vocabulary of bytes, some characters, and their merges.
fn pieces_json() -> Value {
    let bytes = (0..=255u8).map(|byte| (format!("<0x{byte:02X}>"), json!(u32::from(byte) + 3)));
    let mut vocab: serde_json::Map<String, Value> = bytes.collect();
    let tokens = ["▁", "a", "b", "\n", "▁a", "ab", "▁ab", "▁▁"];
    for (token, id) in tokens.iter().zip(300..) {
        vocab.insert((*token).to_owned(), json!(id));
    }
    json!({
        "added_tokens": [
            {"id": 0, "content": "<s>", "special": true},
            {"id": 600, "content": "\n\n", "special": false, "normalized": false},
        ],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "pre_tokenizer": null,
        "model": {
            "type": "BPE",
            "vocab": vocab,
            // The first merge makes the second way to `▁ab` impossible.
            "merges": ["a b", "▁ a", "▁a b", "▁ ab", "▁ ▁"],
            "byte_fallback": true,
        },
    })
}

#[test]
fn tokenizer_json_of_characters_loads() {
    let vocabulary = load(pieces_json().to_string().as_bytes()).unwrap();
    check(vocabulary, "ab ab a", &[305, 306, 304]);
    check(vocabulary, "a  b", &[301, 307, 302]);
    check(vocabulary, "\n\n\nä", &[600, 303, 0xC3 + 3, 0xA4 + 3]);
    assert_eq!(vocabulary.count("<s>"), 3);
    let mut spaced = pieces_json();
    spaced["added_tokens"] = json!([]);
    let replace = spaced["normalizer"].clone();
    spaced["normalizer"] = json!({"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "▁"}, replace]});
    let vocabulary = load(spaced.to_string().as_bytes()).unwrap();
    check(vocabulary, "ab", &[306]);
    check(vocabulary, " ab", &[300, 306]);
    spaced["normalizer"] = Value::Null;
    spaced["pre_tokenizer"] = json!({"type": "Metaspace", "replacement": "▁",
        "prepend_scheme": "first", "split": false});
    let vocabulary = load(spaced.to_string().as_bytes()).unwrap();
    assert_eq!(vocabulary.encode("ab"), [306]);
    assert_eq!(vocabulary.encode(" ab"), [306]);
}

/// Returns the error for a file after a change at a JSON pointer.
fn error_after_change(mut file: Value, at: &str, value: &Value) -> String {
    let (parent, name) = at.rsplit_once('/').unwrap();
    match file.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = value.clone(),
        parent => parent[name] = value.clone(),
    }
    load(file.to_string().as_bytes()).unwrap_err().to_string()
}

#[test]
fn error_names_unsupported_features_of_byte_vocabularies() {
    let pattern = json!({"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "[a-c]+"}, "behavior": "Isolated"},
        {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]});
    let few = json!({"a": 1, "b": 2, "ab": 3, "Ġ": 4, "Ġab": 5, "aba": 6});
    let many = json!({"type": "Sequence", "normalizers": vec![json!({"type": "NFC"}); 10_000]});
    for (at, value, part) in [
        (
            "/model/type",
            json!("Unigram"),
            "the model type \"Unigram\"",
        ),
        ("/model/type", json!("WordPiece"), "WordPiece"),
        ("/model/end_of_word_suffix", json!("</w>"), "</w>"),
        ("/model/dropout", json!(0.1), "dropout"),
        ("/model/merges/0", json!("a ?!"), "the merge 1"),
        ("/model/vocab", few, "is no token"),
        ("/model/vocab", json!([]), "no tokenizer.json"),
        ("/normalizer/type", json!("NFKC"), "the normalizer \"NFKC\""),
        ("/normalizer", many, "the normalizer"),
        ("/pre_tokenizer/type", json!("Whitespace"), "Whitespace"),
        ("/pre_tokenizer", Value::Null, "the pre-tokenizer \"none\""),
        ("/pre_tokenizer", pattern, "the pattern \"[a-c]+\""),
        ("/added_tokens/0/content", json!("  "), "the added token"),
    ] {
        let message = error_after_change(byte_level(), at, &value);
        assert!(message.contains(part), "{part}: {message}");
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn error_names_unsupported_features_of_character_vocabularies() {
    for (at, value, part) in [
        (
            "/model/byte_fallback",
            json!(false),
            "without byte_fallback",
        ),
        ("/model/ignore_merges", json!(true), "ignore_merges"),
        ("/model/merges/0", json!("<0x61> b"), "the merge"),
        ("/added_tokens/1/lstrip", json!(true), "the added token"),
        ("/added_tokens/1/content", json!("a b"), "joins a word"),
    ] {
        let message = error_after_change(pieces_json(), at, &value);
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn files_that_are_not_vocabularies_are_rejected() {
    assert_eq!(load(b""), Err(LoadError::Unknown));
    assert_eq!(load(b"no vocabulary\n"), Err(LoadError::Unknown));
    assert!(matches!(load(b"{}"), Err(LoadError::Json { .. })));
    let long = format!("{} 0\n", "QUFB".repeat(400));
    assert_eq!(load(long.as_bytes()), Err(LoadError::Long));
}

fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length > 0x7F {
        field.push(length as u8 | 0x80);
        length >>= 7;
    }
    field.push(length as u8);
    field.extend_from_slice(bytes);
    field
}

fn piece(text: &str, score: f32, kind: u8) -> Vec<u8> {
    let mut piece = field(1, text.as_bytes());
    piece.push(2 << 3 | 5);
    piece.extend(score.to_le_bytes());
    piece.extend([3 << 3, kind]);
    field(1, &piece)
}

/// Builds a SentencePiece model with a type, and a rule for the space before texts.
fn sentence_piece(kind: u8, front: u8) -> Vec<u8> {
    let mut file = [piece("<unk>", 0.0, 2), piece("<s>", 0.0, 3)].concat();
    for byte in 0..=255u8 {
        file.extend(piece(&format!("<0x{byte:02X}>"), 0.0, 6));
    }
    let run = -1e9;
    for (text, score, kind) in [
        ("▁", -10.0, 1),
        ("a", -11.0, 1),
        ("b", -12.0, 1),
        ("ab", -1.0, 1),
        ("▁ab", -2.0, 1),
        ("▁▁", run, 1),
        ("▁▁▁▁", run, 1),
        ("▁▁▁", run, 1),
        ("<b>", 0.0, 4),
    ] {
        file.extend(piece(text, score, kind));
    }
    let trainer = [&[3 << 3, kind][..], &[0x98, 2, 1]].concat();
    file.extend(field(2, &trainer));
    file.extend(field(3, &[3 << 3, front, 4 << 3, 0]));
    file
}

#[test]
fn sentence_piece_models_load() {
    let vocabulary = load(&sentence_piece(2, 0)).unwrap();
    check(vocabulary, "ab ab<b>ab", &[261, 262, 266, 261]);
    check(vocabulary, "é", &[2 + 0xC3, 2 + 0xA9]);
    // All runs of spaces have the same score: the leftmost grows first.
    check(vocabulary, "       ", &[264, 265]);
    check(
        vocabulary,
        &" ".repeat(101),
        &[&[264; 25][..], &[258]].concat(),
    );
    let vocabulary = load(&sentence_piece(2, 1)).unwrap();
    check(vocabulary, "ab", &[262]);
    check(vocabulary, "", &[]);
    let error = load(&sentence_piece(1, 0)).unwrap_err().to_string();
    assert!(error.contains("\"Unigram\""), "{error}");
    let model = sentence_piece(2, 0);
    assert_eq!(load(&model[..model.len() - 1]), Err(LoadError::Damaged));
}

#[test]
fn file_without_a_pattern_needs_a_known_kind() {
    use base64::Engine;
    let encode = |byte: u8| base64::engine::general_purpose::STANDARD.encode([byte]);
    let lines = (0..=255u8).map(|byte| format!("{} {byte}\n", encode(byte)));
    let file: String = lines.collect();
    let error = load(file.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("but not how text is split"), "{error}");
    assert!(Vocabulary::from_file(FileKind::Kimi, file.as_bytes()).is_ok());
}

/// Checks that no operation of a vocabulary fails, and that its parts add up.
fn use_it(vocabulary: Vocabulary, text: &str) {
    let ids = vocabulary.encode(text);
    assert_eq!(vocabulary.count(text), ids.len());
    let _ = vocabulary.decode(&ids);
    let (front, back) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let mut tally = Tally::from_text(vocabulary, front);
    tally.push(back);
    assert_eq!(tally.tokens(), ids.len());
    assert_eq!(vocabulary.count_until(text, ids.len()), Some(ids.len()));
}

fn files() -> [Vec<u8>; 3] {
    [
        byte_level().to_string().into_bytes(),
        pieces_json().to_string().into_bytes(),
        sentence_piece(2, 0),
    ]
}

/// Vocabularies stay in memory, so each is loaded once.
static SMALL: LazyLock<Vec<Vocabulary>> = LazyLock::new(|| {
    let files = files();
    files.iter().map(|file| load(file).unwrap()).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_load_or_fail_cleanly(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for &kind in FileKind::ALL {
            let _ = Vocabulary::from_file(kind, &bytes);
        }
    }

    #[test]
    fn damaged_files_load_or_fail_cleanly(
        which in 0..3usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
        text in "[ab \n<>é▁]{0,20}",
    ) {
        let mut file = files()[which].clone();
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if cut.index(4) == 0 {
            file.truncate(cut.index(file.len()));
        }
        if let Ok(vocabulary) = load(&file) {
            use_it(vocabulary, &text);
        }
    }

    #[test]
    fn parts_add_up(text in "([ab]{1,4}|[ ]{1,9}|\n{1,3}|<b>|[é▁xyz1]){0,30}") {
        for &vocabulary in &*SMALL {
            use_it(vocabulary, &text);
        }
    }
}
