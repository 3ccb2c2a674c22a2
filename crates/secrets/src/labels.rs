//! Labels of a user interface: `username: "Nom d'usuari", password: "Contrasenya"`. A word next to
//! a text of several words, on one line, is a label in any language.

use std::ops::Range;

use crate::assigned::string_at;
use crate::random::CharStats;

/// Maximum distance of a neighbour.
const REACH: usize = 120;

/// Returns true if the word at `value`, the member `name`, has a neighbour with several words.
pub(crate) fn is_label(bytes: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 128;
    // A value may precede its name, as in a command.
    let between = bytes.get(name.end..value.start);
    let is_member = between.is_some_and(|between| between.contains(&b':'));
    is_member
        && !CharStats::of(&bytes[value.clone()]).is_no_word()
        && bytes[value.clone()].iter().all(is_letter)
        && (is_text_before(bytes, name.start) || is_text_behind(bytes, value.end + 1))
}

/// Matches `login:"Log in"` after the comma.
fn is_text_behind(bytes: &[u8], from: usize) -> bool {
    let rest = &bytes[from.min(bytes.len())..bytes.len().min(from + REACH)];
    let Some(member) = rest.strip_prefix(b",") else {
        return false;
    };
    let Some(colon) = memchr::memchr(b':', member) else {
        return false;
    };
    let name = member[..colon].trim_ascii();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_\"'".contains(byte);
    let gap = member[colon + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    let start = from + 1 + colon + 1 + gap.count();
    name.iter().all(is_part) && string_at(bytes, start).is_some_and(|span| is_text(bytes, &span))
}

/// Matches `username:"User name",` before the name.
fn is_text_before(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(REACH)..start];
    let before = match before {
        [head @ .., b'"' | b'\''] => head,
        _ => before,
    };
    let line = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    let Some(before) = line.trim_ascii_end().strip_suffix(b",") else {
        return false;
    };
    let Some((quote, text)) = before.split_last() else {
        return false;
    };
    let begin = match quote {
        b'"' | b'\'' | b'`' => memchr::memrchr(*quote, text),
        _ => None,
    };
    begin.is_some_and(|begin| text[begin + 1..].contains(&b' '))
}

fn is_text(bytes: &[u8], span: &Range<usize>) -> bool {
    bytes[span.clone()].contains(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_before_its_name_is_no_label() {
        let text = "{\"value\": \"Contrasenya\", \"name\": \"DB_PASSWORD\"}";
        assert!(!is_label(text.as_bytes(), &(34..45), &(11..22)));
    }

    #[test]
    fn words_beside_texts() {
        for (text, expected) in [
            ("{username:`nom d'usuari`,password:`XX`,x:1}", true),
            (
                "{username:`usuario`,password:`XX`,login:`Iniciar sesión`}",
                true,
            ),
            ("{\"username\": \"User name\", \"password\": \"XX\"}", true),
            (
                "{username: \"joe\", password: \"XX\", host: \"a.b\"}",
                false,
            ),
            ("password = \"XX\", \"two words\"", false),
        ] {
            let name = text.find("password").unwrap();
            let value = text.find("XX").unwrap();
            let found = is_label(text.as_bytes(), &(name..name + 8), &(value..value + 2));
            assert_eq!(found, expected, "{text}");
        }
    }
}
