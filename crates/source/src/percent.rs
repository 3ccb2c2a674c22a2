//! Percent-encoding of the paths in URLs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// All bytes except the unreserved ones of RFC 3986 and the slash between components.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Decodes a part of a URL. Leaves invalid escapes unchanged.
pub fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Encodes a path as a part of a URL; keeps slashes.
pub fn percent_encoded(path: &[u8]) -> String {
    percent_encode(path, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_reverses_encoding() {
        for text in ["", "src/a b.rs", "größe/#1?.py", "100%", "%41", "a\nb"] {
            let coded = percent_encoded(text.as_bytes());
            assert!(coded.is_ascii() && !coded.contains([' ', '#', '?', '\n']));
            assert_eq!(percent_decoded(&coded), text);
        }
        assert_eq!(percent_encoded(b"a b/c%~"), "a%20b/c%25~");
        assert_eq!(percent_encoded(b"\xff\x0a"), "%FF%0A");
    }

    #[test]
    fn invalid_escapes_stay() {
        assert_eq!(percent_decoded("%2e%2E/%+1%4%zz%"), "../%+1%4%zz%");
        assert_eq!(percent_decoded("é%C3%A9"), "éé");
    }
}
