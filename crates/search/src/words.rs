//! The words of texts and questions: identifiers cut where their parts meet, in lower
//! case, with the ends of English words taken off, so that `parseHeaders`, `headers` and
//! "parsing a header" meet.

/// Longer identifiers are data: hashes, encoded bytes.
const LONGEST: usize = 64;

/// The identifiers of a text: runs of letters, digits and `_`.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    text.split(move |c: char| !is_part(c))
        .filter(|word| (2..=LONGEST).contains(&word.len()))
}

/// Hands out the terms of a text, in its order: what an index and a question have in
/// common.
pub fn terms_in(text: &str, mut each: impl FnMut(&str)) {
    for identifier in identifiers(text) {
        terms(identifier, &mut each);
    }
}

/// Hands out the terms of an identifier: its parts, and the whole where it has several.
pub(crate) fn terms(identifier: &str, mut each: impl FnMut(&str)) {
    let parts = parts(identifier);
    stems(&parts, &mut each);
    if parts.len() > 1 {
        let letters = identifier.chars().filter(|c| *c != '_');
        each(&letters.flat_map(char::to_lowercase).collect::<String>());
    }
}

/// Hands out the parts of an identifier alone.
pub fn term_parts_in(identifier: &str, mut each: impl FnMut(&str)) {
    stems(&parts(identifier), &mut each);
}

/// Hands out the parts of an identifier as they stand in it.
pub fn parts_in(identifier: &str, each: impl FnMut(&str)) {
    parts(identifier).into_iter().for_each(each);
}

fn stems(parts: &[&str], each: &mut impl FnMut(&str)) {
    let mut term = String::new();
    for part in parts {
        // One letter says nothing, and neither does a long number.
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if part.chars().nth(1).is_none() || (is_number && part.len() > 4) {
            continue;
        }
        term.clear();
        term.extend(part.chars().flat_map(char::to_lowercase));
        stem(&mut term);
        each(&term);
    }
}

/// `HTTPServer_v2Name` is `HTTP`, `Server`, `v2`, `Name`.
fn parts(identifier: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = identifier.char_indices().collect();
    for (number, &(at, c)) in chars.iter().enumerate() {
        if c == '_' {
            parts.push(&identifier[start..at]);
            start = at + 1;
            continue;
        }
        let Some(&(_, before)) = number.checked_sub(1).and_then(|last| chars.get(last)) else {
            continue;
        };
        let is_next_lower = chars.get(number + 1).is_some_and(|(_, c)| c.is_lowercase());
        let starts = c.is_uppercase() && (!before.is_uppercase() || is_next_lower);
        if starts && start < at {
            parts.push(&identifier[start..at]);
            start = at;
        }
    }
    parts.push(&identifier[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Takes English endings off. Both sides are treated alike, so that a wrong stem does
/// no harm as long as it is always the same.
fn stem(term: &mut String) {
    const LEAST: usize = 3;
    if !term.is_ascii() || term.len() <= LEAST {
        return;
    }
    if term.ends_with("sses") || term.ends_with("xes") || term.ends_with("ches") {
        term.truncate(term.len() - 2);
    } else if term.ends_with('s') && !term.ends_with("ss") && !term.ends_with("us") {
        term.truncate(term.len() - 1);
    }
    // `validation` and `validator` are of `validate`, `formatter` is not of `formate`.
    for ending in ["ations", "ation", "ators", "ator", "ating", "ated", "ate"] {
        if let Some(rest) = term.strip_suffix(ending)
            && rest.len() > LEAST
        {
            let length = rest.len();
            term.truncate(length);
            return;
        }
    }
    for ending in ["ing", "ers", "er", "ed", "or", "ion", "ment"] {
        let Some(rest) = term.strip_suffix(ending) else {
            continue;
        };
        let has_vowel = rest.bytes().any(|byte| b"aeiouy".contains(&byte));
        if rest.len() >= LEAST && has_vowel {
            let length = rest.len();
            term.truncate(length);
            undouble(term);
        }
        break;
    }
    if term.len() > LEAST && term.ends_with('e') {
        term.truncate(term.len() - 1);
    }
    // `entry` is one of the `entries`.
    if term.len() > LEAST && term.ends_with('y') {
        term.truncate(term.len() - 1);
        term.push('i');
    }
}

/// `mapp` of `mapping` is `map`.
fn undouble(term: &mut String) {
    let bytes = term.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && !b"aeiouls".contains(b)
    {
        term.truncate(term.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        for identifier in identifiers(text) {
            terms(identifier, |term| found.push(term.to_owned()));
        }
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn identifiers_fall_apart() {
        check("parseHeaders", "pars head parseheaders");
        check("HTTPServer_v2Name", "http serv v2 nam httpserverv2name");
        check("MAX_FILE_SIZE", "max fil siz maxfilesize");
        check("a b, x1 12345", "x1");
        check("größeÄnderung", "größe änderung größeänderung");
        check("_private__name", "priv nam privatename");
    }

    #[test]
    fn words_of_one_stem_meet() {
        for words in [
            ["parse", "parsing", "parser", "parsed"],
            ["connect", "connection", "connections", "connector"],
            ["map", "mapping", "mapped", "maps"],
            ["entry", "entries", "entry", "entries"],
            ["cookie", "cookies", "cookie", "cookies"],
            ["validate", "validation", "validators", "validated"],
            ["create", "creation", "creator", "creating"],
            ["format", "formatter", "formatting", "formatted"],
            ["serialize", "serialization", "serializer", "serialized"],
        ] {
            let stems: Vec<_> = words
                .iter()
                .map(|word| {
                    let mut word = (*word).to_owned();
                    stem(&mut word);
                    word
                })
                .collect();
            assert!(stems.iter().all(|one| one == &stems[0]), "{stems:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_words(text in "\\PC{0,40}") {
            for identifier in identifiers(&text) {
                terms(identifier, |term| assert!(!term.is_empty()));
            }
        }
    }
}
