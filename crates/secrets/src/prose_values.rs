//! Prose values in any language: labels and messages that a program shows under names such as
//! `password`. Only files with user interface texts have them.

use crate::names::NameClass;
use crate::random::CharStats;

/// Longer letter runs are not words.
const LONGEST: usize = 24;

/// Returns true if `value`, assigned to a name in a file with user interface texts, is prose and
/// not a secret.
pub(crate) fn reads_as_text(promise: NameClass, value: &[u8]) -> bool {
    let plain = without_escapes(value);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 128;
    let letters = plain.iter().filter(|byte| is_letter(byte)).count();
    if plain.contains(&b' ') {
        // `Password (at least 8 characters)`: most of a text is letters.
        return letters * 3 >= plain.len() * 2;
    }
    let is_sign = |byte: &u8| b"'-.:!?*()/".contains(byte);
    let is_word = letters > 0 && plain.iter().all(|byte| is_letter(byte) || is_sign(byte));
    if !is_word {
        return false;
    }
    let is_foreign = plain.iter().any(|byte| *byte >= 128);
    let rest = plain.get(1..).unwrap_or_default();
    let is_capital = plain[0].is_ascii_uppercase() && !rest.iter().any(u8::is_ascii_uppercase);
    let is_lower = !plain.iter().any(u8::is_ascii_uppercase);
    let is_name = matches!(
        promise,
        NameClass::Password | NameClass::Secret | NameClass::Token
    );
    // Letter statistics do not apply to other languages: a capital suffices.
    is_foreign
        || is_capital && plain.len() <= LONGEST
        || is_lower && is_name && !CharStats::of(&plain).is_no_word()
}

/// Replaces each `\u00f1`, `&#241;` and `&ntilde;` by a letter.
fn without_escapes(value: &[u8]) -> Vec<u8> {
    const LETTER: &[u8] = "ñ".as_bytes();
    let mut plain = Vec::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        let rest = &value[at..];
        let escape = match rest[0] {
            b'\\' if rest.starts_with(b"\\u") && rest.len() >= 6 => Some(6),
            b'&' => rest
                .iter()
                .take(10)
                .position(|byte| *byte == b';')
                .map(|end| end + 1),
            _ => None,
        };
        match escape {
            Some(_) => plain.extend_from_slice(LETTER),
            None if rest[0] == b'\\' => {}
            None => plain.push(rest[0]),
        }
        at += escape.unwrap_or(1);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_texts_and_keys_are_not() {
        for (value, expected) in [
            ("Mot de passe", true),
            ("Введите пароль", true),
            ("Passwort", true),
            ("Geheimnis", true),
            ("wachtwoord:", true),
            ("Contrase\\u00f1a", true),
            ("Contrase&#241;a", true),
            ("Mot d\\'acc\u{e8}s", true),
            ("Password (at least 8 characters)", true),
            ("hunter2secret99", false),
            ("xkqzvwpjtr", false),
            ("Tr0ub4dor&3", false),
        ] {
            let found = reads_as_text(NameClass::Password, value.as_bytes());
            assert_eq!(found, expected, "{value}");
        }
        assert!(reads_as_text(NameClass::ApiKey, "Clé d'API".as_bytes()));
        assert!(!reads_as_text(NameClass::ApiKey, b"maps-key-weak"));
    }
}
