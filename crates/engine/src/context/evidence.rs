//! Decides whether a query matches a repository: which of its words occur, and whether they occur
//! in names and descriptions or only by accident.
//!
//! Tests and data contain all kinds of words: passwords, hashes, made-up hosts. A word that occurs
//! only there is weak evidence, so all words of the query must occur in one such file.

use std::collections::HashMap;

use super::corpus::{Corpus, CorpusFile};
use super::lexical::Lexical;
use super::past::Past;
use super::query::{ParsedQuery, QueryWord};
use crate::FileRole;

/// A plain text with fewer words per line is a list, not a document.
const LEAST_WORDS_OF_PROSE: f64 = 3.0;

/// Number of query words that occur in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordsFound {
    /// Words that occur in a file's text, names or path.
    pub found: usize,
    /// All words without stop words.
    pub all: usize,
}

/// Evidence that a query matches a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Words that occur in a file.
    pub(super) words: WordsFound,
    /// True if the words suffice for a match.
    pub(super) is_match: bool,
    /// True if there is nothing else that matches precisely: a path, a quoted text, a name of code.
    pub(super) has_only_words: bool,
}

impl WordsFound {
    /// Returns true if less than half of the words occur.
    pub(super) fn is_minority(self) -> bool {
        2 * self.found < self.all
    }
}

/// Judges the words of a query. Commit messages count if there is a `past`.
pub(super) fn judge(
    asked: &ParsedQuery,
    corpus: &Corpus,
    found: &Lexical,
    past: Option<&Past>,
) -> Evidence {
    let words = words(asked);
    let count = words.len();
    let with = |has: &[bool]| words.iter().filter(|word| word.is_in(has)).count();
    let weak = weak_files(corpus);
    let mut strong = strong_terms(asked, corpus, found, &weak);
    if let Some(past) = past {
        past.mark_terms(asked, &mut strong);
    }
    Evidence {
        words: WordsFound {
            found: with(&found.found),
            all: count,
        },
        is_match: with(&strong) > 0 || has_all_in_one(&words, asked.terms.len(), found, corpus),
        has_only_words: true,
    }
}

/// A word, as indices of its terms in the query.
struct Word {
    parts: Vec<usize>,
    whole: Option<usize>,
}

impl Word {
    /// Returns true if the word occurs: the whole of it or half of its parts. The `user` of
    /// `xyzzy_user_frobnicator` is not evidence of it.
    fn is_in(&self, has: &[bool]) -> bool {
        let parts = self.parts.iter().filter(|part| has[**part]).count();
        self.whole.is_some_and(|whole| has[whole])
            || !self.parts.is_empty() && 2 * parts >= self.parts.len()
    }
}

/// Returns the words to judge. For a long text, these are only the heaviest terms.
fn words(asked: &ParsedQuery) -> Vec<Word> {
    let terms = asked.terms.iter().enumerate();
    let numbers: HashMap<&str, usize> = terms.map(|(at, (term, _))| (term.as_str(), at)).collect();
    let word = |word: &QueryWord| {
        let number = |term: &String| numbers.get(term.as_str()).copied();
        let (whole, parts) = match word.terms.split_last() {
            Some((whole, parts)) if !parts.is_empty() => (number(whole), parts),
            _ => (None, word.terms.as_slice()),
        };
        let parts: Vec<usize> = parts.iter().filter_map(number).collect();
        (whole.is_some() || !parts.is_empty()).then_some(Word { parts, whole })
    };
    asked.words.iter().filter_map(word).collect()
}

/// Returns the terms that occur in a path, in a defined name, or in the text of a file that is
/// neither test nor data.
fn strong_terms(asked: &ParsedQuery, corpus: &Corpus, found: &Lexical, weak: &[bool]) -> Vec<bool> {
    let mut strong = vec![false; asked.terms.len()];
    for (_, term, _) in &found.in_paths {
        strong[*term as usize] = true;
    }
    for hit in &found.hits {
        let file = corpus.parts[hit.part as usize].file as usize;
        let is_named = hit.counts[1] > 0 && corpus.files[file].kind != FileRole::Ballast;
        if is_named || !weak[file] {
            strong[hit.term as usize] = true;
        }
    }
    strong
}

/// Marks the files that contain words by accident; none if all files are tests or data.
fn weak_files(corpus: &Corpus) -> Vec<bool> {
    let files = corpus.files.iter().enumerate();
    let weak: Vec<bool> = files.map(|(at, file)| is_weak(corpus, at, file)).collect();
    match weak.contains(&false) {
        true => weak,
        false => vec![false; weak.len()],
    }
}

fn is_weak(corpus: &Corpus, at: usize, file: &CorpusFile) -> bool {
    let is_weak = |kind: FileRole| matches!(kind, FileRole::Test | FileRole::Ballast);
    if file.kind != FileRole::Ballast {
        return is_weak(file.kind);
    }
    // A pack treats a plain text as data, but it may be documentation.
    let is_plain = file
        .path
        .file_name()
        .to_ascii_lowercase()
        .ends_with(b".txt");
    let words = |part: &super::CorpusPart| f64::from(part.words[0]);
    let words: f64 = corpus.parts_of(at as u32).iter().map(words).sum();
    let is_prose = is_plain && words >= LEAST_WORDS_OF_PROSE * f64::from(file.lines);
    !is_prose || is_weak(FileRole::of_path(&file.path, Some("markdown")))
}

/// Returns true if one file contains all words at any position.
fn has_all_in_one(words: &[Word], terms: usize, found: &Lexical, corpus: &Corpus) -> bool {
    if words.is_empty() || !words.iter().all(|word| word.is_in(&found.found)) {
        return false;
    }
    let mut has = vec![false; terms];
    let mut hits = found.hits.iter().peekable();
    while let Some(hit) = hits.next() {
        let file = corpus.parts[hit.part as usize].file;
        has[hit.term as usize] = true;
        let next = hits
            .peek()
            .map(|next| corpus.parts[next.part as usize].file);
        if next != Some(file) {
            if words.iter().all(|word| word.is_in(&has)) {
                return true;
            }
            has.fill(false);
        }
    }
    false
}
