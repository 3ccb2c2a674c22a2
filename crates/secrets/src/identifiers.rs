//! Identifiers of a source text: a value that is one of them, or that has no quotes although
//! strings need them, is part of the program, not a secret.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::random::CharStats;

/// Maximum distance to the start of a line.
const BACK: usize = 256;

/// Minimum length of an identifier.
const SHORTEST: usize = 4;

/// The identifiers outside quotes and comments, collected in one pass on first use.
pub(crate) struct Identifiers<'a> {
    bytes: &'a [u8],
    words: OnceCell<HashSet<&'a [u8]>>,
    used: OnceCell<HashSet<&'a [u8]>>,
    tests: OnceCell<usize>,
}

impl<'a> Identifiers<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            words: OnceCell::new(),
            used: OnceCell::new(),
            tests: OnceCell::new(),
        }
    }

    /// Returns true if `value` is used as an identifier. Skips random values, which a comment may
    /// repeat.
    pub(crate) fn has(&self, value: &[u8]) -> bool {
        let is_candidate =
            value.len() >= SHORTEST && is_identifier(value) && !CharStats::of(value).is_drawn();
        is_candidate && self.words.get_or_init(|| words(self.bytes)).contains(value)
    }

    /// Returns true if `at` is after the attribute that starts the tests in a Rust file.
    pub(crate) fn is_in_tests(&self, at: usize) -> bool {
        let begin = || memchr::memmem::find(self.bytes, b"\n#[cfg(test)]\n");
        at > *self
            .tests
            .get_or_init(|| begin().unwrap_or(self.bytes.len()))
    }

    /// Returns true if `value` is used as an identifier or a file name. A random value is not a
    /// name.
    pub(crate) fn has_name(&self, value: &[u8]) -> bool {
        let stem = value.iter().position(|byte| *byte == b'.');
        let is_file = stem.is_some_and(|at| {
            let extension = &value[at + 1..];
            (1..=5).contains(&extension.len()) && extension.iter().all(u8::is_ascii_lowercase)
        });
        let is_drawn = CharStats::of(value).is_drawn();
        let is_candidate = value.len() >= SHORTEST && is_identifier(value) && !is_drawn;
        is_file && !is_drawn
            || is_candidate && self.used.get_or_init(|| used(self.bytes)).contains(value)
    }
}

fn words(bytes: &[u8]) -> HashSet<&[u8]> {
    let mut words = HashSet::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if is_comment(line) {
            continue;
        }
        let mut at = 0;
        while at < line.len() {
            let length = line[at..].iter().take_while(|byte| is_part(**byte)).count();
            let before = at.checked_sub(1).map(|at| line[at]);
            let is_quoted = before.is_some_and(|byte| b"\"'`".contains(&byte));
            if length >= SHORTEST && !is_quoted {
                words.insert(&line[at..at + length]);
            }
            at += length + 1;
        }
    }
    words
}

/// Returns the words that are assigned, called or indexed.
fn used(bytes: &[u8]) -> HashSet<&[u8]> {
    let mut used = HashSet::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..]
            .iter()
            .take_while(|byte| is_part(**byte))
            .count();
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let is_quoted = before.is_some_and(|byte| b"\"'`".contains(&byte));
        let rest = &bytes[at + length..bytes.len().min(at + length + 3)];
        let is_used = match rest {
            [b'(' | b'[', ..] | [b':' | b',', b' ', ..] | [b' ', b'=', b' '] => true,
            [b'.' | b'=', next, ..] => next.is_ascii_alphabetic(),
            _ => before == Some(b'.'),
        };
        if length >= SHORTEST && !is_quoted && is_used {
            used.insert(&bytes[at..at + length]);
        }
        at += length + 1;
    }
    used
}

fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"//"[..], b"# ", b"* ", b"/*", b"--", b";;", b"<!--"]
        .iter()
        .any(|sign| line.starts_with(sign))
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_identifier(value: &[u8]) -> bool {
    value.iter().all(|byte| is_part(*byte)) && !value[0].is_ascii_digit()
}

/// Returns true if an unquoted value can be an identifier, a path of identifiers or a number.
pub(crate) fn may_be_expression(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| is_part(*byte) || b".:->()[]*&?!<$@=+,\" ".contains(byte);
    let starts = value.first().is_some_and(|byte| !byte.is_ascii_digit());
    let is_number = value.iter().all(u8::is_ascii_digit) || value.starts_with(b"0x");
    value.iter().all(is_sign) && (starts || is_number)
}

/// Returns true if a comment or a string is open at `at` on its line.
pub(crate) fn is_in_text(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(BACK)..at];
    // Quotes cannot be counted in a line that starts far before.
    if before.len() == BACK && !before.contains(&b'\n') {
        return false;
    }
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let is_odd = |quote: u8| !memchr::memchr_iter(quote, line).count().is_multiple_of(2);
    let has = |sign: &[u8]| memchr::memmem::find(line, sign).is_some();
    is_odd(b'"')
        || is_odd(b'\'')
        || is_odd(b'`')
        || has(b"//")
        || has(b"/*")
        || has(b"#")
        || has(b"<!--")
        || line.trim_ascii_start().starts_with(b"*")
        || line.trim_ascii_start().starts_with(b"--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_used_without_quotes() {
        let text = b"let next_token1 = 1;\nx = \"other_token2\";\n// remark_token3\n";
        let identifiers = Identifiers::of(text);
        assert!(identifiers.has(b"next_token1"));
        assert!(!identifiers.has(b"other_token2"));
        assert!(!identifiers.has(b"remark_token3"));
        assert!(identifiers.has_name(b"next_token1") && !identifiers.has_name(b"other_token2"));
        assert!(identifiers.has_name(b"settings.py"));
        let env = b"PASSWORD=hunter2secret99\nURL=a:hunter2secret99@b\n";
        assert!(!Identifiers::of(env).has_name(b"hunter2secret99"));
        assert!(may_be_expression(b"aux_sym_number_token1"));
        assert!(may_be_expression(b"Self::Token"));
        assert!(!may_be_expression(b"vK8#pq2Zr!"));
        assert!(is_in_text(b"x = \"a b", 7));
        assert!(!is_in_text(b"x = \"a\" b", 8));
    }
}
