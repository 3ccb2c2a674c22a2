//! Text of a repository as one line, so that none of it looks like a line of ours.

use std::borrow::Cow;

/// A text as one line, wherever it is read: what else begins lines is written out.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_break) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| match is_break(c) {
        true => c.escape_default().collect(),
        false => String::from(c),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Whether a character begins a new line somewhere, moves or turns what is written, or is
/// not seen at all. Those that join letters and signs stay.
fn is_break(c: char) -> bool {
    let is_unseen = matches!(c,
        '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}');
    (c.is_control() && c != '\t') || is_unseen
}

/// A number with a comma between thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (2310, "2,310"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
