//! Values that identify something under a name for a key or a token: files, requests, caches.

use super::Evidence;
use crate::names::NameClass;
use crate::place::Role;
use crate::value::{ValueClass, nature};

impl Evidence<'_> {
    /// Returns true for the id of a thing or a request outside configuration: a file or a UUID
    /// after a word for a key, a UUID for a client's token, an id that starts with the words of its
    /// name.
    pub(super) fn is_named_id(&self) -> bool {
        if self.place.role == Role::Config {
            return false;
        }
        let lower = || self.name.to_ascii_lowercase();
        match self.promise {
            NameClass::Key => is_file(self.found) || ends_in_uuid(self.found),
            // AWS' clients make one for each request, so that a repeated request changes nothing.
            NameClass::Token if self.nature == ValueClass::Uuid => {
                let letters: Vec<u8> = lower()
                    .into_iter()
                    .filter(u8::is_ascii_alphabetic)
                    .collect();
                letters.ends_with(b"clienttoken")
            }
            NameClass::Token => starts_with_name(self.name, self.found),
            _ => false,
        }
    }

    /// Matches `key: linux-cargo-1.79.0-f3a9`, `shared-key: stable-2024-05-11x`: the key of a cache
    /// joins words, versions and dates.
    pub(super) fn is_cache_key(&self) -> bool {
        let is_name = match self.promise {
            NameClass::Key => true,
            NameClass::ApiKey => self.name.eq_ignore_ascii_case(b"shared-key"),
            _ => false,
        };
        is_name && is_joined(self.found)
    }
}

/// Matches a word, and parts after `-` that are words, versions, dates or short digests. At least
/// one of them is not random.
fn is_joined(found: &[u8]) -> bool {
    const LONGEST: usize = 10;
    let mut parts = found.split(|byte| *byte == b'-');
    let first = parts.next().unwrap_or_default();
    let begins = first
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    if begins < 3 || first.len() > begins + 4 {
        return false;
    }
    let is_byte = |byte: &u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_')
    };
    let is_plain = |part: &[u8]| {
        let digits = part.iter().position(|byte| !b"0123456789.v".contains(byte));
        digits.is_none() || part.iter().all(u8::is_ascii_lowercase)
    };
    let mut count = 0;
    let mut has_plain = false;
    for part in parts {
        if part.len() > LONGEST || !part.iter().all(is_byte) {
            return false;
        }
        count += 1;
        has_plain |= is_plain(part);
    }
    count >= 2 && has_plain
}

/// Matches an image, a font or an archive in base64.
pub(super) fn is_media(found: &[u8]) -> bool {
    const BEGINS: [&[u8]; 10] = [
        b"iVBORw0KGgo",
        b"/9j/4",
        b"R0lGODlh",
        b"R0lGODdh",
        b"UklGR",
        b"PHN2Zy",
        b"AAABAA",
        b"JVBERi0",
        b"d09GRg",
        b"d09GMg",
    ];
    found.len() >= 40 && BEGINS.iter().any(|begin| found.starts_with(begin))
}

/// Matches `RHEL5export-i-fh8sjjsq.ova`.
fn is_file(found: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', found) else {
        return false;
    };
    let end = &found[dot + 1..];
    dot >= 3 && (2..=4).contains(&end.len()) && end.iter().all(u8::is_ascii_lowercase)
}

/// Matches `signed-2065c468-73e2-4385-a6c9-0123456789ab`.
fn ends_in_uuid(found: &[u8]) -> bool {
    const UUID: usize = 36;
    let Some(at) = found.len().checked_sub(UUID).filter(|at| *at > 1) else {
        return false;
    };
    let (word, uuid) = found.split_at(at);
    nature(uuid) == ValueClass::Uuid && matches!(word.last(), Some(b'-' | b'_' | b'/'))
}

/// Matches `ExportToken: export-token-cu4lg26`, `copy-product-token copyproduct-znn5tf5`.
fn starts_with_name(name: &[u8], found: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'_');
    let Some(end) = found.iter().rposition(is_sign) else {
        return false;
    };
    let letters = |text: &[u8]| -> Vec<u8> {
        let kept = text.iter().filter(|byte| !is_sign(byte));
        kept.map(u8::to_ascii_lowercase).collect()
    };
    let (name, words) = (letters(name), letters(&found[..end]));
    words.len() >= 8 && name.starts_with(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_keys_join_words_and_versions() {
        for (value, expected) in [
            ("linux-cargo-1.79.0-f3a9", true),
            ("pip-3.12.1-x86_64-2024w19", true),
            ("stable-2024-05-11x", true),
            ("sccache-v2-9f8e", true),
            ("v2-deps-main", false),
            ("ab12-9f8e-77ac-01fe", false),
            ("prod-9f8e7d6c5b4a39281706", false),
            ("live-8Fk2Lq0Z-x7Vn3Rt6", false),
            ("orders-key", false),
        ] {
            assert_eq!(is_joined(value.as_bytes()), expected, "{value}");
        }
    }
}
