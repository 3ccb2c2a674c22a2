//! Text from outside in a form that a terminal shows and does not obey.

use std::borrow::Cow;

/// `text` with control characters escaped, so that nothing in it moves the cursor,
/// changes colours or starts a new line.
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
    fn controls_are_escaped() {
        assert_eq!(printable("grün 日本"), "grün 日本");
        assert_eq!(printable("a\x1b[2J\n\u{9b}b"), "a\\u{1b}[2J\\n\\u{9b}b");
    }
}
