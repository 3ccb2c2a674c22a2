//! Terms of a natural-language question, without stop words.

use super::names::{AskedName, names};
use crate::words;

/// Maximum length of a question: an issue with its log, but not a whole log.
const LONGEST: usize = 64 << 10;
/// Maximum number of distinct terms.
const TERMS: usize = 256;

/// A parsed question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Distinct terms in the order of the question, with their counts.
    pub(crate) terms: Vec<(String, u32)>,
    names: Vec<AskedName>,
}

impl Question {
    /// Parses a question.
    pub fn new(text: &str) -> Self {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut question = Self::default();
        for identifier in words::identifiers(&text[..end]) {
            if is_stop_word(&identifier.to_lowercase()) {
                continue;
            }
            words::terms(identifier, |term| question.add(term));
        }
        let is_stop = |word: &str| is_stop_word(&word.to_lowercase());
        question.names = names(&text[..end], is_stop);
        question
    }

    fn add(&mut self, term: &str) {
        let at = self.terms.iter().position(|(known, _)| known == term);
        match at {
            Some(at) => self.terms[at].1 += 1,
            None if self.terms.len() < TERMS => self.terms.push((term.to_owned(), 1)),
            None => {}
        }
    }

    /// Returns true if the question has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the names in the question.
    pub fn names(&self) -> &[AskedName] {
        &self.names
    }

    /// Returns its terms.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|(term, _)| term.as_str())
    }
}

/// Returns true if a lower-case word says nothing about code.
pub fn is_stop_word(word: &str) -> bool {
    STOPS.binary_search(&word).is_ok()
}

/// English words that say nothing about code, sorted.
const STOPS: &[&str] = &[
    "about",
    "after",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "between",
    "both",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "each",
    "find",
    "for",
    "from",
    "get",
    "gets",
    "given",
    "had",
    "has",
    "have",
    "having",
    "here",
    "how",
    "if",
    "implementation",
    "implemented",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "like",
    "logic",
    "made",
    "make",
    "makes",
    "many",
    "may",
    "more",
    "most",
    "much",
    "must",
    "no",
    "not",
    "of",
    "off",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "same",
    "should",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "up",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "very",
    "via",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "work",
    "works",
    "would",
    "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_can_be_looked_up() {
        assert!(STOPS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("parser"));
    }

    #[test]
    fn a_question_is_its_words() {
        let question = Question::new("How does the HTTP client parse headers and parse cookies?");
        let terms: Vec<_> = question.terms().collect();
        assert_eq!(terms, ["http", "client", "pars", "head", "cooki"]);
        assert_eq!(question.terms[2].1, 2);
        assert!(Question::new("what is it").is_empty());
    }
}
