//! Bytes that are not UTF-8.

use loom_tokens::Vocabulary;
use proptest::prelude::*;

fn check(bytes: &[u8], expected: usize) {
    for &vocabulary in crate::reference::OPENAI {
        assert_eq!(vocabulary.count_bytes(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn stray_bytes_are_separate_pieces() {
    check(b"", 0);
    check(b"abc", 1);
    check(b"\xff", 1);
    check(b"abc\xff", 2);
    check(b"\xffabc", 2);
    check(b"abc\xff def", 3);
    // The text ends inside a character.
    check(b"abc\xe8", 2);
}

proptest! {
    #[test]
    fn valid_text_and_stray_bytes_are_counted_separately(parts in prop::collection::vec(("[a-z é語]{1,9}", "[\\xfe\\xff]{1,3}"), 0..8)) {
        for &vocabulary in Vocabulary::ALL {
            let mut bytes = Vec::new();
            let mut expected = 0;
            for (text, stray) in &parts {
                let stray: Vec<u8> = stray.chars().map(|c| c as u32 as u8).collect();
                bytes.extend_from_slice(text.as_bytes());
                bytes.extend_from_slice(&stray);
                expected += vocabulary.count(text) + vocabulary.count_bytes(&stray);
            }
            prop_assert_eq!(vocabulary.count_bytes(&bytes), expected);
        }
    }
}
