//! Values that documentation and code put where a secret is: a member of the object that has the
//! secret, words about a password. Placeholders of configuration are in `stand_ins`.

use crate::names::NameClass;
use crate::place::Purpose;
use crate::value::names_its_use;

/// Minimum number of letters in words about a password.
const LETTERS: usize = 12;

/// Matches `secret: secret.base32`: a member of the object with the last word of the name.
pub(crate) fn is_member_of(name: &[u8], value: &[u8]) -> bool {
    let Some(dot) = memchr::memchr(b'.', value) else {
        return false;
    };
    let (object, member) = (&value[..dot], &value[dot + 1..]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = name.len().checked_sub(object.len()).map(|at| &name[at..]);
    dot >= 4
        && end.is_some_and(|end| end.eq_ignore_ascii_case(object))
        && member.first().is_some_and(u8::is_ascii_alphabetic)
        && member.iter().all(is_part)
}

/// Matches `generatedwebdavpassword1` in documentation: words about a password, with at most one
/// digit.
pub(crate) fn is_sample(promise: NameClass, value: &[u8], purpose: Purpose) -> bool {
    let letters = value.iter().take_while(|byte| byte.is_ascii_lowercase());
    let letters = letters.count();
    let digits = &value[letters..];
    purpose == Purpose::Example
        && promise == NameClass::Password
        && letters >= LETTERS
        && digits.len() <= 1
        && digits.iter().all(u8::is_ascii_digit)
        && names_its_use(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_the_object_with_the_name() {
        for (name, value, expected) in [
            ("secret", "secret.base32", true),
            ("two_factor_temp_secret", "secret.base32", true),
            ("apiToken", "token.value", true),
            ("secret", "secret.42-live", false),
            ("secret", "other.base32", false),
            ("pw", "pw.x", false),
            ("password", "password", false),
        ] {
            let found = is_member_of(name.as_bytes(), value.as_bytes());
            assert_eq!(found, expected, "{name}: {value}");
        }
    }

    #[test]
    fn words_about_a_password_in_documentation() {
        for (value, purpose, expected) in [
            ("generatedwebdavpassword1", Purpose::Example, true),
            ("generatedwebdavpassword1", Purpose::Plain, false),
            ("mypassword1", Purpose::Example, false),
            ("generatedwebdavpassword1977", Purpose::Example, false),
            ("blue-tram-password", Purpose::Example, false),
        ] {
            let found = is_sample(NameClass::Password, value.as_bytes(), purpose);
            assert_eq!(found, expected, "{value}");
        }
    }
}
