//! Evidence from the history: files that changed for similar reasons, and files that changed
//! together with those. Only the caller's commits count.

use std::collections::HashMap;

use loom_search::terms_in;

use super::corpus::Corpus;
use super::cut::term_key;
use super::query::ParsedQuery;
use super::signals::{Signal, Signals};

/// A commit that changes more files is weak evidence for each.
const MOST_FILES: usize = 30;
/// Number of commits that count per file.
const COMMITS: usize = 3;

/// Messages and changes of commits, the newest first.
#[derive(Clone, Debug, Default)]
pub struct Past {
    pub(super) commits: Vec<PastCommit>,
}

#[derive(Clone, Debug)]
pub(super) struct PastCommit {
    pub(super) terms: Vec<u32>,
    pub(super) files: Vec<u32>,
}

impl Past {
    /// Adds a commit: its message, and its changed files that are in the corpus.
    pub fn add(&mut self, message: &str, files: Vec<u32>) {
        if files.is_empty() || files.len() > MOST_FILES {
            return;
        }
        let mut terms = Vec::new();
        // The first lines give the reason; lists of names and links follow.
        for line in message.lines().take(8) {
            terms_in(line, |term| terms.push(term_key(term)));
        }
        terms.sort_unstable();
        terms.dedup();
        self.commits.push(PastCommit { terms, files });
    }

    /// Returns the files of each commit.
    pub(super) fn changes(&self) -> impl Iterator<Item = &[u32]> {
        self.commits.iter().map(|commit| commit.files.as_slice())
    }

    /// Marks the terms of a query that occur in commit messages.
    pub(super) fn mark_terms(&self, asked: &ParsedQuery, marks: &mut [bool]) {
        let terms = asked.terms.iter().enumerate();
        let numbers: HashMap<u32, usize> =
            terms.map(|(at, (term, _))| (term_key(term), at)).collect();
        for term in self.commits.iter().flat_map(|commit| &commit.terms) {
            if let Some(at) = numbers.get(term) {
                marks[*at] = true;
            }
        }
    }

    /// Returns the number of commits.
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Returns true without commits.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }
}

pub(super) fn score(asked: &ParsedQuery, past: &Past, corpus: &Corpus, signals: &mut Signals) {
    let weights: HashMap<u32, f64> = asked
        .terms
        .iter()
        .map(|(term, weight)| (term_key(term), *weight))
        .collect();
    let mut with: HashMap<u32, f64> = HashMap::new();
    for commit in &past.commits {
        for term in commit
            .terms
            .iter()
            .filter(|term| weights.contains_key(term))
        {
            *with.entry(*term).or_default() += 1.0;
        }
    }
    let all = past.commits.len() as f64;
    let mut similar: HashMap<u32, Vec<f64>> = HashMap::new();
    for commit in &past.commits {
        let mut sum = 0.0;
        for term in &commit.terms {
            if let (Some(weight), Some(with)) = (weights.get(term), with.get(term)) {
                sum += weight * (1.0 + all / (with + 0.5)).ln();
            }
        }
        // Long messages contain more words by chance.
        let sum =
            sum / (8.0 + commit.terms.len() as f64).sqrt() / (commit.files.len() as f64).sqrt();
        if sum > 0.0 {
            for file in &commit.files {
                similar.entry(*file).or_default().push(sum);
            }
        }
    }
    let mut scores: Vec<(u32, f64)> = Vec::new();
    for (file, mut sums) in similar {
        sums.sort_by(|a, b| b.total_cmp(a));
        scores.push((file, sums.iter().take(COMMITS).sum()));
    }
    let most = scores.iter().map(|(_, score)| *score).fold(0.0, f64::max);
    for (file, score) in scores {
        if (file as usize) < corpus.files.len() && most > 0.0 {
            signals.add_file(file, Signal::History, score / most);
        }
    }
}

/// Scores files by how often they changed together with the best files; `anchors` are those files
/// with their scores.
pub(super) fn together(anchors: &[(u32, f64)], past: &Past, signals: &mut Signals) {
    let mut alone: HashMap<u32, f64> = HashMap::new();
    let mut pairs: HashMap<(u32, u32), f64> = HashMap::new();
    for commit in &past.commits {
        for file in &commit.files {
            *alone.entry(*file).or_default() += 1.0;
        }
        for (anchor, _) in anchors
            .iter()
            .filter(|(anchor, _)| commit.files.contains(anchor))
        {
            for file in commit.files.iter().filter(|file| *file != anchor) {
                *pairs.entry((*anchor, *file)).or_default() +=
                    1.0 / (commit.files.len() as f64).sqrt();
            }
        }
    }
    let mut sums: HashMap<u32, f64> = HashMap::new();
    for ((anchor, file), count) in pairs {
        let weight = anchors
            .iter()
            .find(|(one, _)| *one == anchor)
            .map_or(0.0, |(_, weight)| *weight);
        let often = count / (alone[&anchor] + 2.0);
        let best = sums.entry(file).or_default();
        *best = best.max(weight * often);
    }
    for (file, sum) in sums {
        signals.add_file(file, Signal::Together, sum);
    }
}
