//! Private keys in base64 without header lines: PKCS#8, PKCS#1 and SEC 1, detected by their first
//! bytes. `key_blocks` detects keys with header lines.

use std::ops::Range;

use memchr::memmem;

use crate::checks;
use crate::finding::Vote;

/// Maximum length of a key; RSA with 8192 bits has 6400 characters.
const LONGEST: usize = 12 << 10;

/// Prefixes of keys in base64: a sequence of some length.
const BEGINS: [&[u8]; 5] = [b"MII", b"MIG", b"MHc", b"MHQ", b"MC4CAQAw"];

pub(crate) fn find(bytes: &[u8], votes: &mut Vec<Vote>) {
    for begin in heads(bytes, 0) {
        let Some(key) = Key::at(bytes, begin) else {
            continue;
        };
        if key.is_whole {
            votes.push(Vote {
                span: key.span,
                kind: "private-key",
                points: 90,
                reason: "a private key in base64",
            });
        }
    }
}

/// Returns the start of a key that continues after the end of the text.
pub(crate) fn open_key(bytes: &[u8]) -> Option<usize> {
    let far = bytes.len().saturating_sub(LONGEST);
    let is_open = |begin: &usize| {
        let key = Key::at(bytes, *begin);
        key.is_some_and(|key| !key.is_whole && key.span.end == bytes.len())
    };
    heads(bytes, far).filter(is_open).min()
}

fn heads(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> + '_ {
    let all = BEGINS
        .iter()
        .flat_map(move |begin| memmem::find_iter(&bytes[from..], begin).map(move |at| from + at));
    all.filter(|at| *at == 0 || !is_base64(bytes[*at - 1]))
}

struct Key {
    span: Range<usize>,
    /// True if all bytes that the header announces are present.
    is_whole: bool,
}

impl Key {
    fn at(bytes: &[u8], begin: usize) -> Option<Self> {
        let near = &bytes[begin..bytes.len().min(begin + LONGEST)];
        let first = near.iter().take_while(|byte| is_base64(**byte)).count();
        let head = checks::decode(&near[..first.min(48) / 4 * 4])?;
        let length = private_length(&head)?;
        let wanted = length.div_ceil(3) * 4;
        let (end, count) = walk(near, wanted);
        Some(Self {
            span: begin..begin + end,
            is_whole: count == wanted,
        })
    }
}

/// Returns the length of a private key if `head` starts one.
fn private_length(head: &[u8]) -> Option<usize> {
    let (length, body) = match head {
        [0x30, 0x82, high, low, body @ ..] => (usize::from(*high) << 8 | usize::from(*low), body),
        [0x30, 0x81, length, body @ ..] => (usize::from(*length), body),
        [0x30, length @ ..=0x7f, body @ ..] => (usize::from(*length), body),
        _ => return None,
    };
    let is_private = match body {
        // PKCS#8: version 0, an algorithm.
        [0x02, 0x01, 0x00, 0x30, _, 0x06, ..] => true,
        // PKCS#1: version 0, a modulus of at least 512 bits.
        [0x02, 0x01, 0x00, 0x02, 0x82 | 0x81 | 0x41, ..] => true,
        // SEC 1: version 1, a key of 256, 384 or 521 bits.
        [0x02, 0x01, 0x01, 0x04, 0x20 | 0x30 | 0x42, ..] => true,
        _ => false,
    };
    (is_private && length >= 40).then(|| length + head.len() - body.len())
}

/// Finds the end of `wanted` characters of base64, across newlines, quotes and operators that join
/// strings. Returns the end and the number of characters found.
fn walk(text: &[u8], wanted: usize) -> (usize, usize) {
    let (mut at, mut end, mut count) = (0, 0, 0);
    while at < text.len() && count < wanted {
        let byte = text[at];
        let is_joint =
            byte == b'+' && matches!(text.get(at + 1), Some(b' ' | b'\n' | b'\r' | b'"' | b'\''));
        match byte {
            b'\\' if matches!(text.get(at + 1), Some(b'n' | b'r' | b'/')) => {
                at += 1 + usize::from(text[at + 1] != b'/');
                continue;
            }
            _ if is_base64(byte) && !is_joint => {
                count += 1;
                end = at + 1;
            }
            _ if byte.is_ascii_whitespace() || b"\"'+,.\\".contains(&byte) => {}
            _ => return (end, count),
        }
        at += 1;
    }
    (if at == text.len() { at } else { end }, count)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(bytes: &[u8]) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for three in bytes.chunks(3) {
            let mut held = 0u32;
            (0..3).for_each(|at| held = held << 8 | u32::from(*three.get(at).unwrap_or(&0)));
            for at in 0..4 {
                let letter = LETTERS[(held >> (18 - 6 * at) & 63) as usize];
                out.push(if at <= three.len() {
                    letter as char
                } else {
                    '='
                });
            }
        }
        out
    }

    fn sequence(head: &[u8], length: usize) -> String {
        let body = head.iter().copied();
        let more = (head.len()..length).map(|at| (at * 151 % 253) as u8);
        let start = [0x30, 0x82, (length >> 8) as u8, length as u8];
        encoded(
            &start
                .into_iter()
                .chain(body)
                .chain(more)
                .collect::<Vec<_>>(),
        )
    }

    fn check(text: &str, expected: Option<&str>) {
        let mut votes = Vec::new();
        find(text.as_bytes(), &mut votes);
        let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }

    #[test]
    fn keys_without_header_lines_are_found() {
        let pkcs8 = sequence(&[2, 1, 0, 0x30, 13, 6, 9], 600);
        let pkcs1 = sequence(&[2, 1, 0, 2, 0x82, 1, 1], 600);
        let public = sequence(&[0x30, 13, 6, 9], 290);
        let certificate = sequence(&[0x30, 0x82, 3, 1, 0xa0, 3, 2, 1, 2], 800);
        check(&format!("x = \"{pkcs8}\";"), Some(&pkcs8));
        check(&format!("{pkcs1}\n"), Some(&pkcs1));
        let (one, other) = pkcs1.split_at(64);
        let wrapped = format!("{one}\" +\n  \"{other}");
        check(&format!("k = \"{wrapped}\""), Some(&wrapped));
        let wrapped = format!("{one}\n{other}");
        check(&format!("k: |\n{wrapped}\nnext: x"), Some(&wrapped));
        for harmless in [&public, &certificate] {
            check(&format!("x = \"{harmless}\";"), None);
        }
        check(&format!("x = \"{}\";", &pkcs8[..200]), None);
        assert_eq!(open_key(format!("a {}", &pkcs8[..200]).as_bytes()), Some(2));
        assert_eq!(open_key(format!("a {pkcs8}").as_bytes()), None);
    }
}
