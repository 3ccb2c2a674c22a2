//! Long runs of the characters that tokens consist of. Reads about one byte in three, so that
//! scanning a text without secrets is cheap.

use std::ops::Range;

/// Returns true for the bytes of tokens: letters, digits and `_`, `-`, `+`, `/`.
pub(crate) fn is_token_byte(byte: u8) -> bool {
    TOKEN[usize::from(byte)]
}

const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let one = byte as u8;
        table[byte] = one.is_ascii_alphanumeric() || matches!(one, b'_' | b'-' | b'+' | b'/');
        byte += 1;
    }
    table
};

/// Iterator over all runs of at least `min` bytes, in order.
pub(crate) struct LongRuns<'a> {
    bytes: &'a [u8],
    /// Everything before is done.
    from: usize,
    min: usize,
}

impl<'a> LongRuns<'a> {
    pub(crate) fn new(bytes: &'a [u8], min: usize) -> Self {
        debug_assert!(min > 0);
        Self {
            bytes,
            from: 0,
            min,
        }
    }
}

impl Iterator for LongRuns<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            // A run that starts at `from` or later and is long enough covers this byte.
            let probe = self.from + self.min - 1;
            let window = self.bytes.get(self.from..=probe)?;
            // The last byte in the window that ends all runs before it.
            if let Some(stop) = window.iter().rposition(|byte| !is_token_byte(*byte)) {
                self.from += stop + 1;
                continue;
            }
            let rest = &self.bytes[probe + 1..];
            let more = rest.iter().position(|byte| !is_token_byte(*byte));
            let end = more.map_or(self.bytes.len(), |more| probe + 1 + more);
            let run = self.from..end;
            self.from = end + 1;
            return Some(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, min: usize, expected: &[&str]) {
        let runs = LongRuns::new(text.as_bytes(), min).map(|run| &text[run]);
        assert_eq!(runs.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn runs() {
        check("", 4, &[]);
        check("abcd", 4, &["abcd"]);
        check("abc", 4, &[]);
        check(
            "abc abcde \"ab/cd\" abc,1234",
            4,
            &["abcde", "ab/cd", "1234"],
        );
        check("é1234é", 4, &["1234"]);
        check("....abcd....", 4, &["abcd"]);
    }

    proptest::proptest! {
        #[test]
        fn runs_equal_a_plain_split(text in "[a-c ._]{0,60}", min in 1usize..8) {
            let plain = text.split(|c: char| !is_token_byte(c as u8));
            let plain: Vec<_> = plain.filter(|run| run.len() >= min).collect();
            check(&text, min, &plain);
        }
    }
}
