//! Escapes of control characters in text from outside, so that a terminal shows them and does not
//! obey them.

use std::borrow::Cow;

/// Escapes control characters in `text`, so that they cannot move the cursor, change colours or
/// start a new line.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().collect(),
        false => String::from(c),
    };
    Cow::Owned(text.chars().map(escape).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("grün 日本"), "grün 日本");
        assert_eq!(printable("a\x1b[2J\n\u{9b}b"), "a\\u{1b}[2J\\n\\u{9b}b");
    }
}
