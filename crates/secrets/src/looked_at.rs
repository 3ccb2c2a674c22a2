//! Counts the bytes that searches look at, in unit tests only. `lib.rs` puts these functions in the
//! place of the crate `memchr`, so that they cost nothing elsewhere and engines need no counter.
//! Every engine searches for the end of a line, value or block with them; loops over the bytes of a
//! single name or value are not counted.

use std::cell::Cell;

use real_memchr as real;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn look(bytes: usize) {
    BYTES.set(BYTES.get() + bytes);
}

/// Returns the bytes that searches look at during `work` on this thread.
fn looked_at(work: impl FnOnce()) -> usize {
    let before = BYTES.get();
    work();
    BYTES.get() - before
}

/// Counts the bytes up to a match, or all.
fn forward(found: Option<usize>, text: &[u8]) -> Option<usize> {
    look(found.map_or(text.len(), |at| at + 1));
    found
}

/// Counts the bytes behind a match, or all.
fn backward(found: Option<usize>, text: &[u8]) -> Option<usize> {
    look(found.map_or(text.len(), |at| text.len() - at));
    found
}

pub(crate) fn memchr(byte: u8, text: &[u8]) -> Option<usize> {
    forward(real::memchr(byte, text), text)
}

pub(crate) fn memchr2(one: u8, two: u8, text: &[u8]) -> Option<usize> {
    forward(real::memchr2(one, two, text), text)
}

pub(crate) fn memchr3(one: u8, two: u8, three: u8, text: &[u8]) -> Option<usize> {
    forward(real::memchr3(one, two, three, text), text)
}

pub(crate) fn memrchr(byte: u8, text: &[u8]) -> Option<usize> {
    backward(real::memrchr(byte, text), text)
}

pub(crate) fn memchr_iter(byte: u8, text: &[u8]) -> impl Iterator<Item = usize> {
    Looked {
        found: real::memchr_iter(byte, text),
        seen: 0,
        length: text.len(),
        distance: |at, _| at + 1,
    }
}

pub(crate) fn memrchr_iter(byte: u8, text: &[u8]) -> impl Iterator<Item = usize> {
    Looked {
        found: real::memrchr_iter(byte, text),
        seen: 0,
        length: text.len(),
        distance: |at, length| length - at,
    }
}

pub(crate) mod memmem {
    use super::{Looked, backward, forward, real};

    pub(crate) fn find(text: &[u8], word: &[u8]) -> Option<usize> {
        forward(real::memmem::find(text, word), text)
    }

    pub(crate) fn rfind(text: &[u8], word: &[u8]) -> Option<usize> {
        backward(real::memmem::rfind(text, word), text)
    }

    pub(crate) fn find_iter<'t, 'w, W: AsRef<[u8]> + ?Sized>(
        text: &'t [u8],
        word: &'w W,
    ) -> impl Iterator<Item = usize> + use<'t, 'w, W> {
        Looked {
            found: real::memmem::find_iter(text, word),
            seen: 0,
            length: text.len(),
            distance: |at, _| at + 1,
        }
    }
}

/// Counts the bytes between the matches that were asked for.
struct Looked<I> {
    found: I,
    seen: usize,
    length: usize,
    /// The bytes that were looked at for a match in a text of this length.
    distance: fn(usize, usize) -> usize,
}

impl<I: Iterator<Item = usize>> Iterator for Looked<I> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let found = self.found.next();
        let seen = found.map_or(self.length, |at| (self.distance)(at, self.length));
        look(seen - self.seen);
        self.seen = seen;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, Scanner};

    /// Texts that once took minutes, or that open a block, row or value at every step.
    const PIECES: &[&str] = &[
        "/*\n",
        "\n",
        "。中",
        "a. ",
        "password=",
        "a=b;",
        "password=x ",
        "\"password\":\"vK8#pq2Zr!\",",
        "-----BEGIN PRIVATE KEY-----:",
        "LS0tLS1CRUdJTi",
        "://a:b@",
        "key key ",
        "\"",
        "_",
        "ghp_",
        "Private-Lines: 9\n",
        "Bearer ",
        "[REDACTED:a:1]",
        "infiniloom:allow ",
        "INSERT INTO t(password)VALUES('",
        "COPY t (password) FROM stdin;\n",
        "COPY t (password)\nfrom stdin;\n",
        "\"kty\"\"d\":\"8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A\"",
        "- value: x\n  name: PASSWORD\n",
        "password,\"\"\"\n",
        "mysqli(",
        "mysqli('",
        "docker run -e ",
        "echo ",
        "\"host=a password=",
        "a:b@tcp(",
        "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSk\n",
        ".abcdef",
        "session=eyJ",
        "=s%3A",
        "a:$6$",
    ];

    /// Maximum number of bytes that searches look at for one byte of such a text. Word lists count,
    /// and a scan runs up to five times; the costliest of these texts needs 1,445.
    const MOST: usize = 2_500;

    fn scan(path: &str, piece: &str, bytes: usize) -> usize {
        let text = piece.repeat(bytes / piece.len());
        let scanner = Scanner::new().at_least(Confidence::Low);
        looked_at(|| drop(scanner.scan_file(path, &text)))
    }

    /// A quadratic search makes it four times the bytes. Windows of fixed length add a little.
    #[test]
    fn twice_the_text_needs_about_twice_the_bytes() {
        for piece in PIECES {
            for path in ["a.yaml", "a.md", "a.csv", "a.py", ".pgpass", ".env"] {
                let (once, twice) = (scan(path, piece, 50_000), scan(path, piece, 100_000));
                assert!(
                    once >= 50_000,
                    "{path} {piece:?}: {once} bytes are not a scan"
                );
                assert!(
                    once <= 50_000 * MOST,
                    "{path} {piece:?}: {once} bytes are more than {MOST} for each one"
                );
                assert!(
                    twice * 10 <= once * 22,
                    "{path} {piece:?}: {once} bytes, and {twice} for twice the text"
                );
            }
        }
    }

    /// The counter notices a search that starts again at every match.
    #[test]
    fn searches_to_the_end_from_every_match_are_counted() {
        let restart = |bytes: usize| {
            let text = vec![b'a'; bytes];
            looked_at(|| {
                for at in memchr_iter(b'a', &text) {
                    assert_eq!(memchr(b'b', &text[at..]), None);
                }
            })
        };
        assert!(restart(2_000) > 39 * restart(1_000) / 10);
    }
}
