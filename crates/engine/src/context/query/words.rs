//! Words of a query as typed, each with its index terms. Excludes stop words.

use std::collections::HashSet;

use loom_search::{is_stop_word, terms_in};

use super::lines::Line;
use super::{names, weight};

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryWord {
    /// The word in lower case.
    pub text: String,
    /// Its terms: those of its parts, and the whole if it has several.
    pub terms: Vec<String>,
}

/// More words mean a log, not a query.
const MOST: usize = 256;

/// Words that name no part of a repository: a query of only these requests an overview.
const GENERAL: &[&str] = &[
    "app",
    "application",
    "architecture",
    "code",
    "codebase",
    "describe",
    "explain",
    "general",
    "library",
    "overview",
    "package",
    "program",
    "project",
    "purpose",
    "readme",
    "repo",
    "repository",
    "software",
    "source",
    "structure",
    "summarise",
    "summarize",
    "summary",
    "tool",
    "work",
    "working",
    "works",
    // The question words of Chinese, as pairs of characters.
    "\u{4e3a}\u{4ec0}",
    "\u{4ec0}\u{4e48}",
    "\u{600e}\u{4e48}",
    "\u{5982}\u{4f55}",
];

/// Returns the distinct words of the lines that count.
pub(super) fn read(lines: &[Line<'_>]) -> Vec<QueryWord> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut words = Vec::new();
    for line in lines.iter().filter(|line| weight(line) > 0.0) {
        for (text, is_code) in names::spans(line.text) {
            for word in loom_search::identifiers(text) {
                let lower = word.to_lowercase();
                if (!is_code && is_stop_word(&lower)) || !seen.insert(lower.clone()) {
                    continue;
                }
                let mut terms = Vec::new();
                terms_in(word, |term| terms.push(term.to_owned()));
                if !terms.is_empty() {
                    words.push(QueryWord { text: lower, terms });
                }
                if words.len() == MOST {
                    return words;
                }
            }
        }
    }
    words
}

/// Returns true if the words are about the repository as a whole. False for no words.
pub(super) fn are_general(words: &[QueryWord]) -> bool {
    let is_general = |word: &QueryWord| GENERAL.contains(&word.text.as_str());
    !words.is_empty() && words.iter().all(is_general)
}

#[cfg(test)]
mod tests {
    use super::super::ParsedQuery;

    fn check(query: &str, words: &[&str], is_general: bool) {
        let asked = ParsedQuery::new(query);
        let found: Vec<&str> = asked.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found, words, "{query}");
        assert_eq!(asked.is_general(), is_general, "{query}");
    }

    #[test]
    fn words_are_distinct_and_exclude_stop_words() {
        check("asdfgh qwerty zzz", &["asdfgh", "qwerty", "zzz"], false);
        check(
            "Retry the retry of parseHeaders",
            &["retry", "parseheaders"],
            false,
        );
        check("explain the scheduler", &["explain", "scheduler"], false);
    }

    #[test]
    fn queries_about_the_whole_repository_are_general() {
        check("what does this project do?", &["project"], true);
        check("Explain the codebase", &["explain", "codebase"], true);
    }

    #[test]
    fn stop_words_alone_are_no_query() {
        check("", &[], false);
        check("what is the of and", &[], false);
        check("?!", &[], false);
    }
}
