//! Generated text.

#![expect(clippy::disallowed_methods, reason = "the test compares with files")]

use loom_tokens::Vocabulary;
use proptest::prelude::*;

use crate::reference::{check, check_all};

/// Generates characters that patterns treat differently, with more common ones.
fn mixed() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[a-zA-Z]{1,12}",
        2 => "[ \t\r\n]{1,5}",
        2 => " [a-zA-Z]{1,8}",
        1 => "[0-9]{1,9}",
        2 => "[-+*/=.,;:!?(){}<>\"'`_#@$%^&|~\\\\]{1,4}",
        1 => "'(s|t|re|ve|m|ll|d|S|LL|\u{17f}|x)",
        1 => "\\PC{1,4}",
        1 => "[éÉªǅʰ\u{301}\u{300}٣½\u{a0}\u{2028}\u{85}\u{3000}語字я👍\u{200d}]{1,6}",
        1 => "\\n[ \t]{0,8}\\n?/?",
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn mixed_text(text in mixed()) {
        check_all(&text);
    }

    #[test]
    fn any_text(text in any::<String>()) {
        check_all(&text);
    }

    /// Long pieces, which are encoded window by window.
    #[test]
    fn long_words(text in "[a-z]{200,1500}") {
        check_all(&text);
    }

    #[test]
    fn long_words_of_few_letters(text in "[abe]{200,1500}") {
        check_all(&text);
    }

    #[test]
    fn long_han(text in "[的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生]{80,600}") {
        check_all(&text);
    }

    #[test]
    fn long_punctuation(text in "[-=*/.]{200,1500}") {
        check_all(&text);
    }
}

#[test]
fn real_text() {
    for text in [
        include_str!("main.rs"),
        include_str!("nasty.rs"),
        include_str!("../../src/tally.rs"),
        include_str!("../../src/vocabulary.rs"),
        include_str!("../../Cargo.toml"),
        include_str!("../../LICENSE-APACHE"),
    ] {
        check_all(text);
        check_all(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn threads_share_cached_counts() {
    let text: String = (0..60_000)
        .map(|n| format!("name_{} value{n} someLongIdentifier{}\n", n % 977, n % 3001))
        .collect();
    let vocabulary = Vocabulary::Cl100kBase;
    let expected = crate::reference::reference(vocabulary)
        .encode_ordinary(&text)
        .len();
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| vocabulary.count(&text)))
            .collect();
        let counts = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        counts.collect::<Vec<_>>()
    });
    assert_eq!(counts, [expected; 4]);
}

#[test]
fn bpe_openai_agrees() {
    let text = include_str!("../../LICENSE-APACHE");
    check(Vocabulary::O200kBase, text);
    let o200k = bpe_openai::o200k_base().count(text);
    let cl100k = bpe_openai::cl100k_base().count(text);
    assert_eq!(Vocabulary::O200kBase.count(text), o200k);
    assert_eq!(Vocabulary::Cl100kBase.count(text), cl100k);
}
