//! Spellings of a secret in other texts: escaped, encoded, and within base64 of a longer text.

use std::ops::Range;

use crate::checks;

/// Minimum length of a part of base64 that identifies a secret.
const SHORTEST_PART: usize = 8;

/// Maximum distance to the ends of the base64 text around a part.
const AROUND: usize = 1024;

/// Replaces each byte of the secret that `needs` an escape by its `escape`.
fn escaped(secret: &str, needs: fn(u8) -> bool, escape: fn(u8) -> String) -> String {
    let mut out = String::with_capacity(secret.len());
    for c in secret.chars() {
        match u8::try_from(c).ok().filter(u8::is_ascii) {
            Some(byte) if !byte.is_ascii_alphanumeric() && needs(byte) => out += &escape(byte),
            _ => out.push(c),
        }
    }
    out
}

/// Returns the spellings of a value in programs: itself, without escapes, and escaped as in JSON,
/// Go's and PHP's JSON, HTML, a shell, a URL, and base64.
pub(crate) fn spellings(secret: &str) -> Vec<String> {
    let json = secret.replace('\\', "\\\\").replace('"', "\\\"");
    let html = secret
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let spellings = [
        secret.to_owned(),
        secret.replace("\\\"", "\"").replace("\\\\", "\\"),
        json.replace('/', "\\/"),
        json.replace('&', "\\u0026")
            .replace('<', "\\u003c")
            .replace('>', "\\u003e"),
        json,
        html.replace('"', "&quot;"),
        html,
        secret
            .replace('&', "&#38;")
            .replace('"', "&#34;")
            .replace('\'', "&#39;"),
        secret
            .replace('"', "\\x22")
            .replace('\'', "\\x27")
            .replace('&', "\\x26"),
        escaped(
            secret,
            |byte| !b"_-./:@%+=,".contains(&byte),
            |byte| format!("\\{}", char::from(byte)),
        ),
        escaped(
            secret,
            |byte| !b"-_.~".contains(&byte),
            |byte| format!("%{byte:02X}"),
        ),
        escaped(
            secret,
            |byte| !b"-_.~".contains(&byte),
            |byte| format!("%{byte:02x}"),
        ),
        checks::encode(secret.as_bytes()),
    ];
    let mut different: Vec<String> = Vec::new();
    for spelling in spellings {
        if !different.contains(&spelling) {
            different.push(spelling);
        }
    }
    different
}

/// Returns the parts that base64 of any text with `secret` has in common, one for each of the three
/// alignments, in both alphabets: `user:secret`, JSON, and the secret without padding.
pub(crate) fn encoded_parts(secret: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for before in 0..3 {
        let text = [&b"\0\0"[..before], secret.as_bytes()].concat();
        let whole = checks::encode(&text);
        // Other characters also have bits of the text before or behind.
        let first = (before * 8).div_ceil(6);
        let last = text.len() * 8 / 6;
        let part = &whole[first..last];
        let for_urls = part.replace('+', "-").replace('/', "_");
        for part in [part, &for_urls] {
            if part.len() >= SHORTEST_PART && !parts.iter().any(|known| known == part) {
                parts.push(part.to_owned());
            }
        }
    }
    parts
}

/// Extends the part at `span` to the base64 text around it.
pub(crate) fn around_part(bytes: &[u8], span: &Range<usize>) -> Range<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'+';
    let before = bytes[..span.start].iter().rev().take(AROUND);
    let start = span.start - before.take_while(is_part).count();
    let behind = bytes[span.end..].iter().take(AROUND);
    let end = span.end + behind.take_while(is_part).count();
    let padding = bytes[end..]
        .iter()
        .take(2)
        .take_while(|byte| **byte == b'=');
    start..end + padding.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text with the secret has one of its parts, at any position of the secret.
    #[test]
    fn each_alignment_has_its_part() {
        let secret = "hunter2>>secret??99";
        let parts = encoded_parts(secret);
        assert!(parts.len() >= 6, "{parts:?}");
        for before in ["", "a", "ab", "user:", "{\"auth\":\""] {
            for behind in ["", "\"", "\"}", "xyz"] {
                let text = checks::encode(format!("{before}{secret}{behind}").as_bytes());
                for text in [text.clone(), text.replace('+', "-").replace('/', "_")] {
                    let found = parts.iter().find_map(|part| text.find(part.as_str()));
                    assert!(found.is_some(), "{before}{secret}{behind}: {text}");
                }
            }
        }
        assert_eq!(encoded_parts("owl77"), Vec::<String>::new());
    }

    #[test]
    fn parts_extend_to_their_text() {
        let text = b"Basic dXNlcjpodW50ZXIyc2VjcmV0 x";
        assert_eq!(around_part(text, &(14..20)), 6..30);
        assert_eq!(around_part(b"a=YWJj==;", &(3..5)), 2..8);
    }
}
