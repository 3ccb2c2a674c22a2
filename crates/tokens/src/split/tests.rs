//! Comparisons of windows with scanners, and of the classifiers with each other.

use proptest::prelude::*;

use super::window::{Classify, Scalar, WINDOW};
use super::{Cl100k, CommandR, DeepSeek, Gpt2, Kimi, Llama3, O200k, Pattern, Qwen, Tekken};

/// Returns the starts of pieces, found by the scanner only.
fn scanned<P: Pattern>(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    while let Some(&at) = starts.last().filter(|&&at| at < text.len()) {
        starts.push(P::next(text, at));
    }
    starts
}

/// Returns the starts of pieces, found by windows if one fits.
fn windowed<P: Pattern>(text: &[u8]) -> Vec<usize> {
    let (mut at, mut starts) = (0, Vec::new());
    while at < text.len() {
        if let Some(window) = text[at..].first_chunk::<WINDOW>() {
            let masks = Scalar::masks(window);
            let found = P::marks(&masks).pieces(&masks);
            starts.extend(
                (0..WINDOW)
                    .filter(|bit| found.whole >> bit & 1 == 1)
                    .map(|bit| at + bit),
            );
            at += found.rest;
            if !found.scan {
                continue;
            }
        }
        starts.push(at);
        at = P::next(text, at);
    }
    starts.push(text.len());
    starts
}

fn check<P: Pattern>(text: &str) {
    let text = text.as_bytes();
    assert_eq!(windowed::<P>(text), scanned::<P>(text));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn windows_agree_with_scanners(text in "([a-zA-Z]{1,9}|[ ]{1,9}|[\\t\\x0b\\r\\n ]{1,4}|[0-9]{1,7}|[-/'(._\\x00]{1,3}|'(s|ll|RE|\u{17f})|\\n/|[éÉª語\u{301}\u{a0}٣]){0,60}") {
        check::<O200k>(&text);
        check::<Cl100k>(&text);
        check::<Gpt2>(&text);
        check::<Llama3>(&text);
        check::<Qwen>(&text);
        check::<Tekken>(&text);
        check::<DeepSeek>(&text);
        check::<Kimi>(&text);
        check::<CommandR>(&text);
    }

    #[test]
    fn windows_agree_on_dense_ascii(text in "[aA1 \\t\\n\\r/'s.]{64,200}") {
        check::<O200k>(&text);
        check::<Cl100k>(&text);
        check::<Gpt2>(&text);
        check::<Llama3>(&text);
        check::<Qwen>(&text);
        check::<Tekken>(&text);
        check::<DeepSeek>(&text);
        check::<Kimi>(&text);
        check::<CommandR>(&text);
    }

    #[test]
    fn masks_agree(window in any::<[u8; 32]>().prop_flat_map(|low| any::<[u8; 32]>().prop_map(move |high| [low, high]))) {
        let window: [u8; WINDOW] = window.as_flattened().try_into().expect("64 bytes");
        let expected = Scalar::masks(&window);
        #[cfg(target_arch = "x86_64")]
        if super::avx2::is_available() {
            prop_assert_eq!(super::avx2::Avx2::masks(&window), expected);
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        prop_assert_eq!(super::neon::Neon::masks(&window), expected);
        prop_assert_eq!(expected.other() & expected.white(), 0);
    }
}

#[test]
fn masks_agree_on_every_byte() {
    for byte in 0..=255u8 {
        let mut window = [b'x'; WINDOW];
        window[17] = byte;
        window[63] = byte;
        let expected = Scalar::masks(&window);
        #[cfg(target_arch = "x86_64")]
        if super::avx2::is_available() {
            assert_eq!(super::avx2::Avx2::masks(&window), expected, "{byte}");
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        assert_eq!(super::neon::Neon::masks(&window), expected, "{byte}");
        assert_eq!(expected.wide >> 17 & 1 == 1, byte >= 0x80);
    }
}
