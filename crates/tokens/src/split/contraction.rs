//! English contractions: `'s`, `'t`, `'m`, `'d`, `'re`, `'ve`, `'ll`.

/// Returns the length of the contraction in either case at the apostrophe at `at`, or 0. U+017F is
/// another case of `s`.
pub(crate) fn any_case(text: &[u8], at: usize) -> usize {
    match text[at + 1..] {
        [b's' | b't' | b'm' | b'd' | b'S' | b'T' | b'M' | b'D', ..] => 2,
        [0xC5, 0xBF, ..] => 3,
        [b'r' | b'v' | b'R' | b'V', b'e' | b'E', ..] => 3,
        [b'l' | b'L', b'l' | b'L', ..] => 3,
        _ => 0,
    }
}

/// Returns the same as [`any_case`], in lower case only.
pub(crate) fn lower_case(text: &[u8], at: usize) -> usize {
    match text[at + 1..] {
        [b's' | b't' | b'm' | b'd', ..] => 2,
        [b'r' | b'v', b'e', ..] | [b'l', b'l', ..] => 3,
        _ => 0,
    }
}
