//! Very long pieces, on which the reference is too slow or fails; a second reference replaces it.
//! `src/bpe/tests.rs` counts the work that such pieces need.

use loom_tokens::Vocabulary;

fn check(text: &str) {
    let o200k = bpe_openai::o200k_base().count(text);
    let cl100k = bpe_openai::cl100k_base().count(text);
    assert_eq!(Vocabulary::O200kBase.count(text), o200k);
    assert_eq!(Vocabulary::Cl100kBase.count(text), cl100k);
}

#[test]
fn a_megabyte_of_one_thing() {
    let size = 1 << 20;
    for unit in ["a", " ", "\n", "\t", "=", "👍", "的", "abc", " \n", "ab的"] {
        check(&unit.repeat(size / unit.len()));
    }
}

/// White space and rules, whose tokens are long: windows of a few bytes cannot find their ends.
#[test]
fn a_megabyte_of_long_tokens() {
    let size = 1 << 20;
    let line = " ".repeat(1000) + "\n";
    check(&line.repeat(size / line.len()));
    check(&(" ".repeat(size) + "\n"));
    check(&("\t".repeat(size) + "\r\n"));
    check(&"👨‍👩‍👧‍👦".repeat(size / 25));
    check(&("e".to_owned() + &"\u{301}".repeat(size / 2)));
    check(&("\u{3000}".repeat(50) + "\n").repeat(size / 151));
    for units in [[" ", "\t", "\r\n", "\n"], ["=", "-", "*", "#"]] {
        let (mut text, mut step) = (String::new(), 1);
        while text.len() < size {
            step = (step * 7919) % 10_007;
            text += &units[step % 4].repeat(step % 257);
        }
        check(&text);
    }
}

#[test]
fn a_megabyte_without_repetition() {
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let letters: String = (0..1 << 20)
        .map(|_| (b'a' + random(26) as u8) as char)
        .collect();
    check(&letters);
    let han = (0..1 << 18).filter_map(|_| char::from_u32(0x4E00 + random(0x5000) as u32));
    check(&han.collect::<String>());
    let base64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    check(
        &(0..1 << 20)
            .map(|_| base64[random(64) as usize] as char)
            .collect::<String>(),
    );
}
