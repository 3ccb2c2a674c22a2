//! Values that are joined or numbered words: names of something.

use crate::random::CharStats;

/// Matches `pass1`, `testUser2`, `test123`: a word and a counter.
pub(super) fn is_numbered_word(value: &[u8]) -> bool {
    let letters = value
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (word, number) = value.split_at(letters);
    let is_small = number.len() == 1 || b"1234567890".starts_with(number);
    letters >= 3 && !number.is_empty() && is_small && !CharStats::of(word).is_no_word()
}

/// Matches `some_name`, `some-name`, `some.name.more`, `SomeName2`, `--flag`, `v1beta1`.
pub(super) fn is_joined_words(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'_' | b'-' | b'.' | b':' | b'/');
    let mut parts = value.split(|byte| is_sign(byte));
    let is_word = |part: &[u8]| {
        let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic());
        let letters = letters.count();
        let digits = part.len() - letters;
        part.is_empty() || (part[letters..].iter().all(u8::is_ascii_digit) && digits <= 2)
    };
    value.iter().any(is_sign) && parts.all(is_word)
}

/// Matches `aux_sym_number_token1`, `sde-linux-9.58.0-2025-06-16`: at least two words of letters,
/// and otherwise words or short numbers.
pub(super) fn is_words_and_numbers(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'_' | b'-' | b'.' | b':' | b'/' | b'#');
    let mut words = 0;
    let is_part = |part: &[u8]| {
        let letters = part
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let digits = part.len() - letters;
        words += usize::from(letters >= 3 && digits <= 2);
        let most = if letters == 0 { 4 } else { 2 };
        digits <= most && part[letters..].iter().all(u8::is_ascii_digit)
    };
    value.iter().any(is_sign) && value.split(is_sign).all(is_part) && words >= 2
}
