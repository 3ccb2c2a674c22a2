//! Values that name a location: URLs, paths, hosts, objects of a program; also versions and dates.

use crate::random::CharStats;
use crate::words::WordList;

pub(super) fn is_address(value: &[u8], makeup: &CharStats) -> bool {
    let has = |needle: &[u8]| memchr::memmem::find(value, needle).is_some();
    if is_path_of_host(value) || is_path_of_object(value) {
        return true;
    }
    if has(b"://")
        || has(b".md#")
        || has(b".html#")
        || value.starts_with(b"/") && value[1..].contains(&b'/')
    {
        return true;
    }
    if value.starts_with(b"./") || value.starts_with(b"../") || value.starts_with(b"~/") {
        return true;
    }
    if value[0] == b'/' && !makeup.is_drawn() {
        return true;
    }
    // Suffixes of files and hosts.
    const ENDS: WordList = WordList::new(
        ".com .org .net .io .local .json .pem .key .crt .yml .yaml .txt .md .html \
         .js .ts .py .go .java .xml .php .png .svg .jks .p12 .pfx .cer .css .dev \
         .rb .rs .p8 .der .bin",
    );
    if ENDS.iter().any(|end| value.ends_with(end)) {
        return true;
    }
    // Versions and dates: digits with separators, and hardly a letter.
    let signs = value
        .iter()
        .filter(|byte| matches!(byte, b'.' | b'-' | b':' | b'/'));
    makeup.letters() <= 2
        && makeup.digits >= 2
        && signs.count() >= 2
        && makeup.other * 3 <= value.len() * 2
        && value.iter().all(|byte| {
            byte.is_ascii_alphanumeric()
                || matches!(
                    byte,
                    b'.' | b'-' | b':' | b'/' | b'^' | b'~' | b'+' | b'>' | b'='
                )
        })
}

/// Matches `package.module.part:Name`, an object of a program.
fn is_path_of_object(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|byte| !byte.is_ascii_digit()) && part.iter().all(is_part)
    };
    let Some(colon) = memchr::memchr(b':', value) else {
        return false;
    };
    let (module, object) = (&value[..colon], &value[colon + 1..]);
    module.contains(&b'.') && module.split(|byte| *byte == b'.').all(is_name) && is_name(object)
}

/// Matches `k8s.io/api/core/v1`, a host and a path.
fn is_path_of_host(value: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', value) else {
        return false;
    };
    let host = &value[..slash];
    let is_label = |label: &[u8]| {
        !label.is_empty()
            && label
                .iter()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
    };
    let ends_in_word = host
        .rsplit(|byte| *byte == b'.')
        .next()
        .is_some_and(|last| last.len() >= 2 && last.iter().all(u8::is_ascii_lowercase));
    host.contains(&b'.') && ends_in_word && host.split(|byte| *byte == b'.').all(is_label)
}
