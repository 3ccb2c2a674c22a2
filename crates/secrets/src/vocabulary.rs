//! Values that name things: identifiers, paths of words, names of headers, encodings and formats.
//! Judges only the value and its name, not context or points.

use crate::digests::is_integrity;
use crate::names;
use crate::random::CharStats;
use crate::words::WordList;

/// Longer values are texts or keys.
const LONGEST: usize = 160;

/// Returns true if `value` consists of words, with numbers that count or date something:
/// `keyword.$0`, `x-amz-s3session-token`, `utf-16le`, `0002_auto_20160226_1747`.
pub(crate) fn is_vocabulary(value: &[u8]) -> bool {
    if value.len() > LONGEST {
        return false;
    }
    let plain = without_escapes(value);
    let content = plain.iter().filter(|byte| byte.is_ascii_alphanumeric());
    // `32s=""`, `>B=0x1`: a binary packing format.
    let is_format = plain.contains(&b'=');
    let length = content.count();
    if length == 0 || length <= 4 && is_format {
        return true;
    }
    if has_odd_sign(&plain) {
        return false;
    }
    let runs: Vec<&[u8]> = plain
        .split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|run| !run.is_empty())
        .collect();
    // Short parts are judged together.
    let makeup = CharStats::of(&plain);
    if makeup.is_no_word() && (runs.len() == 1 || makeup.letters() >= 8) {
        return false;
    }
    let words = runs.iter().filter(|run| is_word(run)).count();
    let long = runs.iter().filter(|run| run.len() >= 3 && is_word(run));
    let has_long = long.count() > 0;
    let is_known = |run: &&[u8]| is_word(run) || is_counted(run, runs.len(), words, has_long);
    let letters = plain.iter().filter(|byte| byte.is_ascii_alphabetic());
    let is_mixed = |run: &&&[u8]| !run.iter().all(u8::is_ascii_digit);
    let mixed = runs.iter().filter(is_mixed).flat_map(|run| run.iter());
    let is_short = mixed.filter(|byte| byte.is_ascii_digit()).count() <= letters.count().max(3);
    is_short && runs.iter().all(is_known)
}

/// Returns true if `value` consists of words and separators, without a digit.
pub(crate) fn is_words(value: &[u8]) -> bool {
    !without_escapes(value).iter().any(u8::is_ascii_digit) && is_vocabulary(value)
}

/// Returns true if `value` is at least two words with only separators between them:
/// `private_key_password`, `upgrades.next`, `xet-auth`.
pub(crate) fn is_path_of_words(value: &[u8]) -> bool {
    let is_separator = |byte: &u8| b"_-./:".contains(byte);
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || is_separator(byte);
    value.iter().any(is_separator) && value.iter().all(is_part) && is_vocabulary(value)
}

/// Returns true if `value`, ignoring case and separators, is its own name or a part of it.
pub(crate) fn is_part_of_name(name: &[u8], value: &[u8]) -> bool {
    if value.len() < 4 || value.len() > 80 || name.is_empty() {
        return false;
    }
    let value = without_escapes(value);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.: ".contains(byte);
    if !value.iter().all(is_part) {
        return false;
    }
    let letters = |text: &[u8]| -> Vec<u8> {
        let kept = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
        kept.map(u8::to_ascii_lowercase).collect()
    };
    let value = letters(&value);
    value.len() >= 4 && memchr::memmem::find(&letters(name), &value).is_some()
}

/// Returns true if `value` is itself a name for a secret: `unicodepwd`, `private_key_password`. A
/// digit is part of a name only if the word for the secret is separate: `l2Passphrase`.
pub(crate) fn is_key_name(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte) || *byte >= 128;
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let last = value.iter().rposition(|byte| !byte.is_ascii_lowercase());
    let is_set_off = last.is_some_and(|at| value[at].is_ascii_uppercase() || value[at] == b'_');
    value.len() >= 4
        && value.iter().all(is_part)
        && (digits == 0 || digits == 1 && is_set_off)
        && names::promise(value).is_some()
}

/// Returns true if the form of `value` is public: the address of a wallet or a contract, a point of
/// a curve, a labelled digest, or a public key in base64 (of SSH, or as in a certificate).
pub(crate) fn is_public(value: &[u8]) -> bool {
    const BEGINS: WordList = WordList::new(
        "sha1- sha1: sha256- sha256: sha384- sha512- sha512: md5: blake3: urn: amzn1. __Host- __Secure- \
         AAAAB3NzaC1 AAAAC3NzaC1 AAAAE2VjZHNh AAAAGnNrLX MIIBIjANBgkqhkiG9w0 MIGfMA0GCSqGSIb3 \
         MIICIjANBgkqhkiG9w0 MFkwEwYHKoZIzj0 MCowBQYDK2V",
    );
    let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
    let is_address = value
        .strip_prefix(b"0x")
        .is_some_and(|rest| rest.len() == 40 && is_hex(rest));
    // A public key of NATS; seeds start with `S`.
    let is_base32 = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7');
    let is_nkey = value.len() == 56 && b"UAONCX".contains(&value[0]) && value.iter().all(is_base32);
    let is_point = match value.len() {
        66 => value.starts_with(b"02") || value.starts_with(b"03"),
        130 => value.starts_with(b"04"),
        _ => false,
    };
    is_address
        || is_qualified_id(value)
        || is_single_use(value)
        || is_nkey
        || is_point && is_hex(value)
        || is_integrity(value)
        || BEGINS.iter().any(|begin| value.starts_with(begin))
}

/// Matches `aws.auth#sigv4a`, the id of a shape in a name space, and `erc721:0x…/9`, an asset of a
/// contract.
fn is_qualified_id(value: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'.';
    if let Some(at) = memchr::memchr(b'#', value) {
        let (space, shape) = (&value[..at], &value[at + 1..]);
        return space.contains(&b'.')
            && space.iter().all(is_word)
            && !shape.is_empty()
            && shape.len() <= 40
            && shape.iter().all(u8::is_ascii_alphanumeric);
    }
    let Some(at) = memchr::memmem::find(value, b":0x") else {
        return false;
    };
    let address = value[at + 3..].split(|byte| *byte == b'/').next();
    let address = address.unwrap_or_default();
    value[..at].iter().all(is_word)
        && address.len() == 40
        && address.iter().all(u8::is_ascii_hexdigit)
}

/// Matches `tok_visa`, `tok_189g…`: Stripe's id of a card, valid for one charge.
fn is_single_use(value: &[u8]) -> bool {
    let Some(id) = value.strip_prefix(b"tok_") else {
        return false;
    };
    let is_name = id.len() <= 12 || id.len() <= 24 && id.iter().all(u8::is_ascii_lowercase);
    let is_id = id.starts_with(b"1") && (23..=28).contains(&id.len());
    id.iter().all(u8::is_ascii_alphanumeric) && (is_name || is_id)
}

/// Returns true for word-like letters in one of the usual cases.
fn is_word(run: &[u8]) -> bool {
    if !run.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    let humps = run
        .windows(2)
        .filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        .count();
    let is_usual = humps * 3 <= run.len();
    is_usual && (run.len() <= 6 || !CharStats::of(run).is_no_word())
}

/// Returns true for a word with a number, a number by itself, or a word around a digit, among
/// enough words.
fn is_counted(run: &[u8], runs: usize, words: usize, has_long: bool) -> bool {
    let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits == run.len() {
        return has_long && (digits <= 4 || digits == 8 && matches!(run[0], b'1' | b'2'));
    }
    let edges = run
        .windows(2)
        .filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit());
    let is_within = |most: usize| digits <= most;
    match (edges.count(), run[0].is_ascii_digit()) {
        (1, false) => {
            let word = &run[..run.len() - digits];
            let most = if runs == 1 { 2 } else { 3 };
            let short = if runs < 4 { 2 } else { 3 };
            is_word(word) && (word.len() >= 3 && is_within(most) || has_long && is_within(short))
        }
        (1, true) => is_word(&run[digits..]) && is_within(3) && (has_long || words > 0),
        (2, false) => words >= 2 && has_long && is_within(2) && run.len() >= 4,
        _ => false,
    }
}

/// Returns true for a character that passwords have and names do not.
fn has_odd_sign(value: &[u8]) -> bool {
    let is_letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
    let is_path = value.contains(&b'/');
    let mut each = value.iter().enumerate();
    each.any(|(at, byte)| match byte {
        b'!' | b'?' | b'&' | b'^' => true,
        b'@' | b'$' | b'#' => {
            let before = at.checked_sub(1).and_then(|at| value.get(at));
            !is_path && is_letter(before) && is_letter(value.get(at + 1))
        }
        _ => false,
    })
}

/// Removes `\n`, `\x00`, `\u0000`, `\033` and formats such as `%s`.
fn without_escapes(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        // In a string within a string, backslashes are doubled.
        if *byte == b'\\' && value.get(at + 1) == Some(&b'\\') {
            out.push(b' ');
            at += 1;
            continue;
        }
        let next = value.get(at + 1).copied().unwrap_or_default();
        let length = match (byte, next) {
            (b'\\', b'x') => 4,
            (b'\\', b'u') => 6,
            (b'\\', b'0'..=b'7') => {
                let digits = value[at + 1..].iter().take(3);
                1 + digits.take_while(|byte| byte.is_ascii_digit()).count()
            }
            (b'\\', b'n' | b'r' | b't' | b'e' | b'"' | b'\'') | (b'%', b's' | b'd' | b'v') => 2,
            _ => 0,
        };
        match length {
            0 => out.push(*byte),
            // A new word may start after it.
            _ => out.push(b' '),
        }
        at += length.max(1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_things() {
        for value in [
            "headerBg",
            "keyword.$0",
            "@brackets.directive",
            "string.$1.delim",
            "button.ghost.border-radius",
            "@jupyterlab/application:ILayoutRestorer",
            "|SPEAKER|",
            "▁<PRE>",
            "]<]image[>[",
            "0002_auto_20160226_1747",
            "write:pets",
            "@firebase/performance/config",
            "x-amz-s3session-token",
            "pm2-io-token",
            "%s_downgrades",
            "utf-16le",
            "base64",
            "dep:pkcs8",
            ">B=0x1",
            "\\r\\n",
            "\\u0000",
            "\\\\u0000",
            "keyword.tag-$1",
            "32s=\"\"",
            "h*w*seconds*24/1024",
            "@jupyterlab/application:Router#stop",
            "\\\\relax",
            "AWS4-HMAC-SHA256",
            "20s=b\"\"",
            "pre-commit-v3-linux",
        ] {
            assert!(is_vocabulary(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn made_up_values_are_not_vocabulary() {
        for value in [
            "t0k3n!",
            "s3cr3t",
            "P@ssword",
            "my$ecret",
            "vK8#pq2Zr!",
            "dpf43f3p2l4k3l03",
            "401f7ac837da42b97f613d789819ff93537bee6a",
            "a515cfa4-5da4-22e1-f5b5-00a0451e6bf7",
            "hunter2secret99",
            "qzxvkj",
            "kefl_tpdzuy",
            "vdstvw-scyqm-575",
            "AKI1234567",
            "1a2b3c4d-5e6f-7a8b-9c0d-1e2f3a4b5c6d",
            "2V_zBYc4TdeoppzDaIu0zw",
        ] {
            assert!(!is_vocabulary(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn own_names_and_public_forms() {
        assert!(is_part_of_name(b"ai21labs_api_key", b"ai21labs_api_key"));
        assert!(is_part_of_name(b"ACCESS_TOKEN_STORAGE_KEY", b"accessToken"));
        assert!(!is_part_of_name(b"api_key", b"vK8#pq2Zr!"));
        assert!(is_key_name(b"unicodepwd") && is_key_name(b"private_key_password"));
        assert!(!is_key_name(b"hunter2password"));
        assert!(is_public(b"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"));
        assert!(!is_public(b"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb4"));
        for (value, expected) in [
            ("aws.auth#sigv4a", true),
            ("hunter2#sigv4a", false),
            ("aws.auth#Tr0ub!dor", false),
            (
                "erc721:0xc92ceddfb8dd984a89fb494c376f9a48b999aafc/9018",
                true,
            ),
            ("erc721:0xc92ceddfb8dd984a89fb494c376f9a48b999", false),
            ("tok_visa", true),
            ("tok_189g322eZvKYlo2CeoPw2sdy", true),
            ("tok_live_9f3kLq0ZpXw5Vt7Rn2YbQ8s4Hd6J", false),
        ] {
            assert_eq!(is_public(value.as_bytes()), expected, "{value}");
        }
    }
}
