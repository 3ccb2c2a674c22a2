//! English contractions: `'s`, `'t`, `'m`, `'d`, `'re`, `'ve`, `'ll`.

/// The length of the contraction in either case at `at`, where an apostrophe
/// stands; 0 if there is none. U+017F is an `s` in another case.
pub(crate) fn any_case(text: &[u8], at: usize) -> usize {
    match text[at + 1..] {
        [b's' | b't' | b'm' | b'd' | b'S' | b'T' | b'M' | b'D', ..] => 2,
        [0xC5, 0xBF, ..] => 3,
        [b'r' | b'v' | b'R' | b'V', b'e' | b'E', ..] => 3,
        [b'l' | b'L', b'l' | b'L', ..] => 3,
        _ => 0,
    }
}

/// As [`any_case`], in lower case only.
pub(crate) fn lower_case(text: &[u8], at: usize) -> usize {
    match text[at + 1..] {
        [b's' | b't' | b'm' | b'd', ..] => 2,
        [b'r' | b'v', b'e', ..] | [b'l', b'l', ..] => 3,
        _ => 0,
    }
}
