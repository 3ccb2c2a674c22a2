//! Values in a table: several adjacent strings of one shape are identifiers, even if one of their
//! names promises a secret.

use std::ops::Range;

/// Maximum distance of other strings before and after a value.
const REACH: usize = 200;

/// Minimum number of other strings: a key and its initialisation vector are two.
const OTHERS: usize = 2;

/// Returns true if at least two other strings near the value at `span` have its length and are
/// hexadecimal like it.
pub(crate) fn is_one_of_many(bytes: &[u8], span: &Range<usize>) -> bool {
    let found = &bytes[span.clone()];
    let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
    if found.len() < 16 || !is_hex(found) {
        return false;
    }
    let near = |from: usize, to: usize| {
        let parts = bytes[from..to].split(|byte| b"\"'`".contains(byte));
        parts.filter(|part| part.len() == found.len() && *part != found && is_hex(part))
    };
    let before = near(span.start.saturating_sub(REACH), span.start);
    let behind = near(span.end, bytes.len().min(span.end + REACH));
    before.chain(behind).take(OTHERS).count() == OTHERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_pairs() {
        let one = "e2719d58a985b3c9781ab030af78d30e";
        let others = [
            "1077efecc0b24d02ace33c1e52e2fb4b",
            "94ce86fb07ff4f43adb893d2fa968ca2",
        ];
        for (text, expected) in [
            (
                format!("A = '{}', KEY = '{one}', B = '{}'", others[0], others[1]),
                true,
            ),
            (format!("KEY = '{one}', IV = '{}'", others[0]), false),
            (format!("KEY = '{one}', B = '{one}', C = '{one}'"), false),
        ] {
            let start = text.find(one).unwrap();
            let span = start..start + one.len();
            assert_eq!(is_one_of_many(text.as_bytes(), &span), expected, "{text}");
        }
    }
}
