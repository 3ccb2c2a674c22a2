//! Finds quoted messages and strings in the code: runs of three words that occur in both.

use std::collections::{BTreeMap, HashMap, HashSet};

use loom_search::terms_in;

use super::corpus::Corpus;
use super::cut::term_key;
use super::query::{ParsedQuery, words_of};
use super::signals::{Signal, Signals};

/// Number of examined parts, those with most words of the phrases.
const LOOKED_AT: usize = 120;
/// Number of adjacent words in a run.
const RUN: usize = 3;

/// `text` returns the text of a part.
pub(super) fn score(
    asked: &ParsedQuery,
    corpus: &Corpus,
    text: &dyn Fn(u32) -> Option<String>,
    signals: &mut Signals,
) {
    let runs = runs_of(asked);
    if runs.is_empty() {
        return;
    }
    let mut by_file: HashMap<u32, Vec<u32>> = HashMap::new();
    for part in candidates(asked, corpus) {
        by_file
            .entry(corpus.parts[part as usize].file)
            .or_default()
            .push(part);
    }
    let mut files: Vec<_> = by_file.into_iter().collect();
    files.sort_unstable();
    let mut with: HashMap<&Vec<String>, usize> = HashMap::new();
    let mut matches: Vec<(u32, Vec<&Vec<String>>)> = Vec::new();
    for (file, parts) in files {
        let Some(text) = text(file) else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        for part in parts {
            let one = &corpus.parts[part as usize];
            let last = (one.last as usize).min(lines.len());
            let first = (one.first as usize - 1).min(last);
            let words = words_of(&lines[first..last].join("\n"));
            let here: HashSet<&[String]> = words.windows(RUN).collect();
            let matched: Vec<&Vec<String>> = runs
                .keys()
                .filter(|run| here.contains(run.as_slice()))
                .collect();
            for run in &matched {
                *with.entry(*run).or_default() += 1;
            }
            matches.push((part, matched));
        }
    }
    for (part, matched) in matches {
        // A run that occurs in many parts is not a cue.
        let sum: f64 = matched
            .iter()
            .map(|run| runs[*run] / with[run] as f64)
            .sum();
        if sum > 0.0 {
            signals.add_part(part, Signal::Phrase, sum.min(1.5));
            signals.add_file(
                corpus.parts[part as usize].file,
                Signal::Phrase,
                sum.min(1.5),
            );
        }
    }
}

/// Returns the word runs of all phrases with their weights.
fn runs_of(asked: &ParsedQuery) -> BTreeMap<Vec<String>, f64> {
    let mut runs = BTreeMap::new();
    for phrase in &asked.phrases {
        let count = phrase.words.len().saturating_sub(RUN - 1);
        for run in phrase.words.windows(RUN) {
            let weight = phrase.weight / (count as f64).sqrt();
            runs.entry(run.to_vec()).or_insert(weight);
        }
    }
    runs
}

/// Returns the parts that contain most terms of a phrase.
fn candidates(asked: &ParsedQuery, corpus: &Corpus) -> Vec<u32> {
    let mut phrases_of: HashMap<u32, Vec<u16>> = HashMap::new();
    let mut sizes = vec![0_u16; asked.phrases.len()];
    for (number, phrase) in asked.phrases.iter().enumerate() {
        let mut keys = HashSet::new();
        for word in &phrase.words {
            terms_in(word, |term| {
                keys.insert(term_key(term));
            });
        }
        sizes[number] = keys.len() as u16;
        for key in keys {
            phrases_of.entry(key).or_default().push(number as u16);
        }
    }
    let mut scored: Vec<(u32, u32)> = Vec::new();
    let mut counts = vec![0_u16; asked.phrases.len()];
    let mut start = 0;
    for (at, part) in corpus.parts.iter().enumerate() {
        let end = part.terms_end as usize;
        counts.fill(0);
        for key in &corpus.keys[start..end] {
            for number in phrases_of.get(key).into_iter().flatten() {
                counts[*number as usize] += 1;
            }
        }
        start = end;
        let best = counts.iter().zip(&sizes).filter(|(count, _)| **count >= 3);
        let best = best
            .map(|(count, size)| u32::from(*count) * 1000 / u32::from((*size).max(1)))
            .max();
        if let Some(best) = best.filter(|best| *best >= 300)
            && !corpus.files[part.file as usize].is_aside
        {
            scored.push((best, at as u32));
        }
    }
    scored.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(LOOKED_AT);
    scored.into_iter().map(|(_, part)| part).collect()
}
