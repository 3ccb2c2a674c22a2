//! All checks of a text against the reference implementation.

use loom_tokens::{Tally, Vocabulary};
use tiktoken_rs::CoreBPE;

/// Maximum size of a text: the reference fails on longer runs of white space.
const MOST: usize = 20_000;

/// Checks `data` as bytes, and its valid part as text. The first byte sets the number of
/// repetitions of the text, so that short inputs also produce long texts, and the position at which
/// it is split in two.
pub fn check(vocabulary: Vocabulary, reference: &CoreBPE, data: &[u8]) {
    let Some((&first, data)) = data.split_first() else {
        return;
    };
    let valid = String::from_utf8_lossy(data);
    let text = valid.repeat(1 + usize::from(first % 8) * usize::from(first % 3));
    if text.len() > MOST {
        return;
    }
    let expected = reference.encode_ordinary(&text);
    assert_eq!(vocabulary.encode(&text), expected);
    assert_eq!(vocabulary.count(&text), expected.len());
    assert_eq!(vocabulary.count(&text), expected.len());
    assert_eq!(vocabulary.decode(&expected).as_deref(), Ok(text.as_bytes()));
    let limit = expected.len() / 2;
    let known = (expected.len() <= limit).then_some(expected.len());
    assert_eq!(vocabulary.count_until(&text, limit), known);
    let cut = text.floor_char_boundary(text.len() * usize::from(first) / 256);
    let mut tally = Tally::from_text(vocabulary, &text[..cut]);
    tally.push(&text[cut..]);
    assert_eq!(tally.tokens(), expected.len());
    if str::from_utf8(data).is_err() {
        assert!(vocabulary.count_bytes(data) <= data.len());
    }
}
