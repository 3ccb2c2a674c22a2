//! Names that promise a secret only in configuration: because of a word that programs also use for
//! other purposes (`LOGIN=user:secret`, `MNEMONIC=…`), or because of their parent object
//! (`"Jwt": {"Key": …}`).

use std::ops::Range;

use crate::names::{self, NameClass};
use crate::place::{Role, TextContext};
use crate::words::WordList;

/// Maximum distance from a name back to the start of its object.
const BACK: usize = 600;

/// Returns the class of the name at `name` in the text at `place`.
pub(crate) fn promise(bytes: &[u8], name: &Range<usize>, place: TextContext) -> Option<NameClass> {
    let word = &bytes[name.clone()];
    let plain = names::promise(word);
    if place.role == Role::Text && plain == Some(NameClass::Key) && is_key_of_secret(bytes, name) {
        return Some(NameClass::ApiKey);
    }
    if place.role != Role::Config && place.role != Role::Settings {
        return plain;
    }
    match plain {
        None => of_setting(word),
        Some(NameClass::Key) if word.eq_ignore_ascii_case(b"key") => {
            let is_signing = |owner: Vec<u8>| {
                [&b"jwt"[..], b"encrypt", b"signing", b"hmac", b"cipher"]
                    .iter()
                    .any(|word| memchr::memmem::find(&owner, word).is_some())
            };
            let is_secret = owner(bytes, name.start).is_some_and(is_signing);
            Some(if is_secret {
                NameClass::ApiKey
            } else {
                NameClass::Key
            })
        }
        Some(NameClass::Auth) if word.eq_ignore_ascii_case(b"auth") => {
            let is_store = owner(bytes, name.start).is_some_and(|owner| owner == b"redis");
            Some(if is_store {
                NameClass::Password
            } else {
                NameClass::Auth
            })
        }
        // `{"auth": {"bearer": "…"}}`.
        Some(NameClass::Auth) if word.eq_ignore_ascii_case(b"bearer") => Some(NameClass::Token),
        promise => promise,
    }
}

/// Matches `VPN preshared key`, `API key`: in prose, a name has spaces.
fn is_key_of_secret(bytes: &[u8], name: &Range<usize>) -> bool {
    const WORDS: WordList =
        WordList::new("preshared pre-shared shared api secret access encryption signing master");
    let before = &bytes[name.start.saturating_sub(16)..name.start];
    let Some(before) = before.strip_suffix(b" ") else {
        return false;
    };
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic() && *byte != b'-');
    let word = word.into_iter().next().unwrap_or_default();
    bytes[name.clone()].eq_ignore_ascii_case(b"key") && WORDS.has(&word.to_ascii_lowercase())
}

/// Returns the class of a name that means a secret only in configuration.
fn of_setting(name: &[u8]) -> Option<NameClass> {
    let lower = name.to_ascii_lowercase();
    let is_word = |word: &u8| !matches!(word, b'_' | b'-' | b'.');
    let mut words = lower.rsplit(|byte| !is_word(byte));
    let last = words.next().unwrap_or_default();
    let before = words.next().unwrap_or_default();
    match last {
        b"login" if before.is_empty() => Some(NameClass::Credential),
        // A personal access token: `GITHUB_PAT`.
        b"pat" if !before.is_empty() => Some(NameClass::Token),
        b"mnemonic" | b"seedphrase" => Some(NameClass::Secret),
        b"phrase" if matches!(before, b"seed" | b"recovery" | b"mnemonic" | b"backup") => {
            Some(NameClass::Secret)
        }
        b"seed" if matches!(before, b"wallet" | b"hd" | b"totp" | b"otp") => {
            Some(NameClass::Secret)
        }
        _ => None,
    }
}

/// Returns the name of the object, table or mapping that contains the name at `start`.
fn owner(bytes: &[u8], start: usize) -> Option<Vec<u8>> {
    let from = start.saturating_sub(BACK);
    let before = &bytes[from..start];
    let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let open = open_brace(before);
    let name = match open {
        Some(at) => before[..at].trim_ascii_end(),
        None => above(&before[..line], &before[line..])?,
    };
    let name = name
        .strip_suffix(b":")
        .or_else(|| name.strip_suffix(b"="))
        .unwrap_or(name);
    let name = name.trim_ascii_end();
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b']');
    let end = name.iter().rposition(|byte| !is_quote(*byte))? + 1;
    let length = name[..end].iter().rev().take_while(is_part).count();
    Some(name[end - length..end].to_ascii_lowercase())
}

/// Returns the position of the last unclosed brace.
fn open_brace(before: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in before.iter().enumerate().rev() {
        match byte {
            b'}' => depth += 1,
            b'{' if depth == 0 => return Some(at),
            b'{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the closest line above with less indentation that names a mapping or a table.
fn above<'a>(lines: &'a [u8], own: &[u8]) -> Option<&'a [u8]> {
    let depth = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
    let deep = depth(own);
    let mut lines = lines.split(|byte| *byte == b'\n').rev();
    lines.find_map(|line| {
        let body = line.trim_ascii();
        let is_table = body.starts_with(b"[") && body.ends_with(b"]");
        let is_mapping = body.ends_with(b":") && depth(line) < deep;
        (is_table || is_mapping).then_some(body)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_and_words() {
        for (path, text, expected) in [
            (
                "a.json",
                "{\"Jwt\": {\"Issuer\": \"x\", \"Key",
                Some(NameClass::ApiKey),
            ),
            ("a.json", "{\"Cache\": {\"Key", Some(NameClass::Key)),
            ("a.yml", "jwt:\n  issuer: x\n  key", Some(NameClass::ApiKey)),
            ("a.toml", "[jwt]\nissuer = 1\nkey", Some(NameClass::ApiKey)),
            ("a.yml", "LOGIN", Some(NameClass::Credential)),
            ("a.yml", "WALLET_MNEMONIC", Some(NameClass::Secret)),
            ("a.yml", "GITHUB_PAT", Some(NameClass::Token)),
            ("a.yml", "PAT", None),
            ("a.yml", "random_seed", None),
            ("a.rs", "MNEMONIC", None),
        ] {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let start = text.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
            let found = promise(
                text.as_bytes(),
                &(start..text.len()),
                TextContext::new(path),
            );
            assert_eq!(found, expected, "{text}");
        }
    }
}
