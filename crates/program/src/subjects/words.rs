//! Splits names into words, and removes the words that mark a test from a test's name.

/// Words that mark a test and do not describe its subject.
const MARKS: &[&str] = &[
    "test",
    "tests",
    "testcase",
    "testing",
    "spec",
    "specs",
    "suite",
    "unittest",
    "unittests",
    "benchmark",
    "bench",
    "fuzz",
    "example",
];

/// Normalises a name to lower-case letters and digits: `parse_url` and `parseURL` are equal.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the words of a name in lower case: `parseURLFast`, `parse_url_fast` and `parse url fast`
/// have three.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let is_after_small = at > 0 && chars[at - 1].is_lowercase();
        let is_before_small = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_after_word = at > 0 && chars[at - 1].is_alphanumeric();
        let is_hump = c.is_uppercase() && (is_after_small || (is_before_small && is_after_word));
        if is_hump || !c.is_alphanumeric() {
            close(&mut words, &mut word);
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    close(&mut words, &mut word);
    words
}

fn close(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// Returns the words of a test's name without the leading and trailing marks.
pub(super) fn subject_words(name: &str) -> Vec<String> {
    let words = words(name);
    let is_mark = |word: &String| MARKS.contains(&word.as_str());
    let start = words.iter().position(|word| !is_mark(word));
    let end = words.iter().rposition(|word| !is_mark(word));
    match (start, end) {
        (Some(start), Some(end)) => words[start..=end].to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_into_words() {
        let check = |name: &str, expected: &str| assert_eq!(words(name).join(" "), expected);
        check("parseURLFast", "parse url fast");
        check("parse_url", "parse url");
        check("HTTPServer2Go", "http server2 go");
        check("does a thing", "does a thing");
        check("", "");
    }

    #[test]
    fn marks_are_removed_from_the_subject() {
        let check =
            |name: &str, expected: &str| assert_eq!(subject_words(name).join(" "), expected);
        check("test_parse_url", "parse url");
        check("TestParser_Next", "parser next");
        check("GsonBuilderTest", "gson builder");
        check("BenchmarkSort", "sort");
        check("tests", "");
        check("run_test_twice", "run test twice");
    }
}
