//! The escapes of addresses: a byte as `%` and two digits.

/// What an address says. Escapes that are none stay as they are.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%');
        let value = escaped.and_then(|digits| Some(digit(digits[0])? << 4 | digit(digits[1])?));
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text as a part of an address, with the slashes between its parts.
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_comes_back() {
        for text in ["", "src/a b.rs", "größe/#1?.py", "100%", "%41", "a\nb"] {
            let coded = percent_encoded(text);
            assert!(coded.is_ascii() && !coded.contains([' ', '#', '?', '\n']));
            assert_eq!(percent_decoded(&coded), text);
        }
        assert_eq!(percent_encoded("a b/c%"), "a%20b/c%25");
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(percent_decoded("%2e%2E/%+1%4%zz%"), "../%+1%4%zz%");
        assert_eq!(percent_decoded("é%C3%A9"), "éé");
    }
}
