//! Ruby: rewrites `list <<"a long text"`, which the grammar parses as the start of a heredoc. Its
//! scanner stores the length of the word in a byte, and aborts the program on a longer one.

use std::borrow::Cow;

/// Maximum length of a word that the scanner can store, in characters.
const LONGEST: usize = 255;

/// Rewrites `a <<"…"` with a longer word to `a  +"…"`.
pub(super) fn prepared(text: &str) -> Cow<'_, str> {
    let mut prepared = Cow::Borrowed(text);
    for (at, _) in text.match_indices("<<") {
        if is_too_long(&text[at + 2..]) {
            prepared.to_mut().replace_range(at..at + 2, " +");
        }
    }
    prepared
}

/// Returns whether the next word exceeds that length.
fn is_too_long(rest: &str) -> bool {
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    let mut letters = rest.chars();
    match letters.next() {
        Some(quote @ ('\'' | '"' | '`')) => {
            let word = letters.take(LONGEST + 1);
            !word.into_iter().any(|letter| letter == quote)
        }
        _ => {
            let is_part = |letter: &char| letter.is_alphanumeric() || *letter == '_';
            rest.chars().take_while(is_part).take(LONGEST + 1).count() > LONGEST
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_are_replaced() {
        let check = |text: String, is_changed: bool| {
            let parsed = prepared(&text);
            assert_eq!(parsed.len(), text.len());
            assert_eq!(parsed.contains(" +"), is_changed, "{text}");
        };
        for (start, end) in [("<<", ""), ("<<-'", "'"), ("<<~\"", "\""), ("<<`", "`")] {
            check(format!("a = {start}{}{end}\nb\n", "w".repeat(255)), false);
            check(format!("a = {start}{}{end}\nb\n", "w".repeat(256)), true);
        }
        check("a <<'no end".to_owned(), true);
        check("a << b; c << 1 << \"d\"; class << self".to_owned(), false);
    }
}
