//! Words of texts and questions: identifiers are split at the boundaries of their parts, in lower
//! case and without English suffixes, so that `parseHeaders`, `headers` and "parsing a header"
//! share words.

/// Longer identifiers are data: hashes, encoded bytes.
const LONGEST: usize = 64;

/// Returns the identifiers of a text: runs of letters, digits and `_`. Chinese, Japanese and Korean
/// have no spaces between words, so every two adjacent characters are one identifier, and so is a
/// single character.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    text.split(move |c: char| !is_part(c))
        .flat_map(words_of_run)
}

/// Returns the words of a run of letters: the whole run, or pairs of characters for scripts without
/// spaces.
pub fn words_of_run(run: &str) -> impl Iterator<Item = &str> {
    // The rest of a part without spaces, and the text after that part.
    let (mut spaceless, mut rest) = ("", run);
    let next = move || {
        if spaceless.is_empty() {
            let is_spaceless = has_no_spaces(rest.chars().next()?);
            let end = rest.find(|c| has_no_spaces(c) != is_spaceless);
            let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
            rest = behind;
            if !is_spaceless {
                return Some(part);
            }
            spaceless = part;
        }
        // The next pair starts with the second character of this one.
        let mut ends = spaceless.char_indices().map(|(at, c)| at + c.len_utf8());
        let (one, two, three) = (ends.next()?, ends.next(), ends.next());
        let pair = &spaceless[..two.unwrap_or(one)];
        spaceless = if three.is_some() {
            &spaceless[one..]
        } else {
            ""
        };
        Some(pair)
    };
    std::iter::from_fn(next).filter(|word| (2..=LONGEST).contains(&word.len()))
}

/// Returns true for characters of scripts without spaces: Chinese, Japanese, and Korean, whose
/// endings merge with the words.
fn has_no_spaces(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Calls `each` with the terms of a text, in order. Indexes and questions use the same terms.
pub fn terms_in(text: &str, mut each: impl FnMut(&str)) {
    for identifier in identifiers(text) {
        terms(identifier, &mut each);
    }
}

/// Calls `each` with the terms of an identifier: its parts, and the whole if it has several.
pub(crate) fn terms(identifier: &str, mut each: impl FnMut(&str)) {
    let parts = parts(identifier);
    stems(&parts, &mut each);
    if parts.len() > 1 {
        let letters = identifier.chars().filter(|c| *c != '_');
        each(&letters.flat_map(char::to_lowercase).collect::<String>());
    }
}

/// Calls `each` only with the parts of an identifier.
pub fn term_parts_in(identifier: &str, mut each: impl FnMut(&str)) {
    stems(&parts(identifier), &mut each);
}

/// Calls `each` with the parts of an identifier as written.
pub fn parts_in(identifier: &str, each: impl FnMut(&str)) {
    parts(identifier).into_iter().for_each(each);
}

fn stems(parts: &[&str], each: &mut impl FnMut(&str)) {
    let mut term = String::new();
    for part in parts {
        // A single letter is meaningless, and so is a long number.
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = part.chars().nth(1).is_none() && !part.starts_with(has_no_spaces);
        if is_letter || (is_number && part.len() > 4) {
            continue;
        }
        term.clear();
        term.extend(part.chars().flat_map(char::to_lowercase));
        stem(&mut term);
        each(&term);
    }
}

/// Splits `HTTPServer_v2Name` into `HTTP`, `Server`, `v2`, `Name`.
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

/// Removes English suffixes. Texts and questions use the same rules, so a wrong stem does no harm
/// while it is consistent.
fn stem(term: &mut String) {
    // Words of up to three letters are not stemmed, and every stem is longer.
    const LEAST: usize = 3;
    if !term.is_ascii() || term.len() <= LEAST {
        return;
    }
    if term.ends_with("sses") || term.ends_with("xes") || term.ends_with("ches") {
        term.truncate(term.len() - 2);
    } else if term.ends_with('s') && !term.ends_with("ss") && !term.ends_with("us") {
        term.truncate(term.len() - 1);
    }
    // `validation` and `validator` come from `validate`, but `formatter` does not come from
    // `formate`.
    for ending in ["ation", "ator", "ating", "ated", "ate"] {
        if let Some(rest) = term.strip_suffix(ending)
            && rest.len() > LEAST
        {
            let length = rest.len();
            term.truncate(length);
            return;
        }
    }
    for ending in ["ing", "er", "ed", "or", "ion", "ment"] {
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
    // `entry` is the singular of `entries`.
    if term.len() > LEAST && term.ends_with('y') {
        term.truncate(term.len() - 1);
        term.push('i');
    }
}

/// Turns `mapp` of `mapping` into `map`.
fn undouble(term: &mut String) {
    let bytes = term.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && !b"aeiouls".contains(b)
    {
        term.truncate(term.len() - 1);
    }
}

/// Keeps only letters and digits in lower case: `flat_hash_map` and `FlatHashMap` become equal.
pub fn squeezed(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
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
    fn identifiers_are_split_into_terms() {
        check("parseHeaders", "pars head parseheaders");
        check("HTTPServer_v2Name", "http serv v2 nam httpserverv2name");
        check("MAX_FILE_SIZE", "max fil siz maxfilesize");
        check("a b, x1 12345", "x1");
        check("größeÄnderung", "größe änderung größeänderung");
        check("_private__name", "priv nam privatename");
    }

    #[test]
    fn text_without_spaces_is_split_into_pairs() {
        check("解析请求头", "解析 析请 请求 求头");
        check("リクエストを解析 a", "リク クエ エス スト トを を解 解析");
        check("요청 헤더를", "요청 헤더 더를");
        check("解析HTTPHeader头", "解析 http head httpheader 头");
        check("解 x1", "解 x1");
        check(&"解".repeat(100), &vec!["解解"; 99].join(" "));
    }

    #[test]
    fn words_with_the_same_stem_are_equal() {
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
