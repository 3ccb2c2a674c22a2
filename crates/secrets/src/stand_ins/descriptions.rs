//! Texts about a secret in place of its value: `Password of the user`, `enter your token`. A pass
//! phrase has words, too, so such a text must mention secrets.

use crate::words::WordList;

/// Returns true if `value`, which has spaces, is a text about the secret of `name`; `lower` is its
/// start in lower case.
pub(super) fn is_description(name: &[u8], value: &[u8], lower: &[u8]) -> bool {
    const SECRETS: WordList = WordList::new(
        "password passwords passphrase passwort secret secrets token tokens key keys \
         credential credentials username user login account",
    );
    const ADVICE: WordList = WordList::new(
        "your please must should required invalid wrong incorrect forgot missing expired \
         optional provide specify choose used leave cannot e.g. i.e. whether null empty field",
    );
    const ARTICLES: WordList = WordList::new("the for this that");
    let words = || {
        lower.split(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b',' | b'.' | b'?' | b':' | b'!')
        })
    };
    let has = |list: &WordList| words().any(|word| list.has(word));
    if is_variable(name) {
        return is_request(lower) && (has(&SECRETS) || has(&ADVICE));
    }
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let is_capital = value[0].is_ascii_uppercase();
    let is_about = has(&SECRETS) && (is_capital || has(&ARTICLES)) && (is_capital || !has_digit);
    is_about
        || has(&ADVICE)
        || is_request(lower) && has(&SECRETS)
        || words().count() > 12 && !has_digit
}

/// Matches `DB_PASSWORD`: the value of a variable is not its description.
fn is_variable(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_long = name.len() > 5 || name.contains(&b'_');
    is_long && name.iter().all(is_part)
}

/// Matches a text that requests the secret, or names its location.
fn is_request(lower: &[u8]) -> bool {
    const FIRST: WordList = WordList::new(
        "enter your please insert put type the see ask replace change set paste add fill \
         provide use choose generate get password secret token same no",
    );
    let first = lower.split(|byte| *byte == b' ').next();
    first.is_some_and(|first| FIRST.has(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_phrases() {
        for (name, value, expected) in [
            ("DB_PASSWORD", "Enter your password", true),
            ("DB_PASSWORD", "the password of the user", true),
            ("DB_PASSWORD", "Is this it?", false),
            (
                "JWT_SECRET",
                "a very long secret phrase for signing 2024",
                false,
            ),
            ("PASS", "all images used are here", true),
            ("password", "Password of the user", true),
            ("password", "Enter sandman", false),
            ("password", "this is a passphrase with spaces 9", false),
            ("password", "Password must have 8 characters", true),
            ("password", "Forgot your password?", true),
            (
                "SecretKey",
                "a very long secret phrase for signing 2024",
                false,
            ),
        ] {
            let lower = value.to_ascii_lowercase();
            let found = is_description(name.as_bytes(), value.as_bytes(), lower.as_bytes());
            assert_eq!(found, expected, "{name}={value}");
        }
    }
}
