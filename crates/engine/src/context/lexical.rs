//! Scores words with BM25F over parts and files, with fields for text, names, documentation and
//! path. One pass over all terms finds those of the query.

use std::collections::HashMap;

use super::corpus::{Corpus, CorpusPart};
use super::cut::{FIELDS, term_key};
use super::query::ParsedQuery;

/// Additional weight of a word in documentation, which also counts as text.
const DOC: f64 = 0.5;
/// Weights of a word in the name of a part, in names of a file, in the name of the file, and in
/// that of a directory, relative to the text. Each field saturates separately: the name still
/// matters for a file that contains a word a hundred times.
const PART_NAME: f64 = 0.4;
const FILE_NAME: f64 = 0.5;
const STEM: f64 = 1.0;
const FOLDER: f64 = 0.15;
/// Saturation of repeated words and normalization by length, the parameters k1 and b of BM25. A
/// larger saturation favours files that repeat a word, a larger normalization favours short files.
const SATURATION: f64 = 1.5;
const LENGTH: f64 = 0.7;

/// Word scores.
#[derive(Debug)]
pub(super) struct Lexical {
    /// Score of each file.
    pub(super) files: Vec<f64>,
    /// Score of each part.
    pub(super) parts: Vec<f64>,
    /// For each term of the query, true if any file contains it.
    pub(super) found: Vec<bool>,
    /// Terms of the query in parts, in the order of the parts.
    pub(super) hits: Vec<Hit>,
    /// Terms of the query in paths: file, term, weight.
    pub(super) in_paths: Vec<(u32, u16, f64)>,
}

/// A term of the query in a part.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) part: u32,
    pub(super) term: u16,
    pub(super) counts: [u8; FIELDS],
}

pub(super) fn score(asked: &ParsedQuery, corpus: &Corpus) -> Lexical {
    let mut numbers: HashMap<u32, u16> = HashMap::new();
    for (at, (term, _)) in asked.terms.iter().enumerate() {
        numbers.entry(term_key(term)).or_insert(at as u16);
    }
    let hits = hits(&numbers, corpus);
    let in_paths = in_paths(&numbers, corpus);
    let rarities = rarities(&hits, &in_paths, asked.terms.len(), corpus);
    let weights: Vec<f64> = asked
        .terms
        .iter()
        .zip(&rarities)
        .map(|((_, weight), rarity)| weight * rarity)
        .collect();
    let mut found = vec![false; asked.terms.len()];
    let terms = hits.iter().map(|hit| hit.term);
    for term in terms.chain(in_paths.iter().map(|(_, term, _)| *term)) {
        found[term as usize] = true;
    }
    Lexical {
        found,
        parts: parts(&hits, &weights, corpus),
        files: files(&hits, &in_paths, &weights, corpus),
        hits,
        in_paths,
    }
}

fn hits(numbers: &HashMap<u32, u16>, corpus: &Corpus) -> Vec<Hit> {
    // Most terms are not in the query: a bit filter rejects them before the hash lookup.
    let mut sieve = vec![0_u64; 1 << 10];
    for key in numbers.keys() {
        let at = key & 0xffff;
        sieve[at as usize >> 6] |= 1 << (at & 63);
    }
    let mut hits = Vec::new();
    let mut start = 0;
    let (keys, counts): (&[u32], &[[u8; FIELDS]]) = (&corpus.keys, &corpus.counts);
    for (part, one) in corpus.parts.iter().enumerate() {
        let end = one.terms_end as usize;
        for at in start..end {
            let key = keys[at];
            let low = key & 0xffff;
            if sieve[low as usize >> 6] & (1 << (low & 63)) == 0 {
                continue;
            }
            if let Some(term) = numbers.get(&key) {
                hits.push(Hit {
                    part: part as u32,
                    term: *term,
                    counts: counts[at],
                });
            }
        }
        start = end;
    }
    hits
}

/// Returns file, term and weight of each term in a path.
fn in_paths(numbers: &HashMap<u32, u16>, corpus: &Corpus) -> Vec<(u32, u16, f64)> {
    let mut found = Vec::new();
    for (at, file) in corpus.files.iter().enumerate() {
        for (keys, worth) in [(&file.stem, STEM), (&file.folders, FOLDER)] {
            for key in keys {
                if let Some(term) = numbers.get(key) {
                    found.push((at as u32, *term, worth));
                }
            }
        }
    }
    found
}

/// Returns the rarity of each term: higher if fewer files contain it.
fn rarities(hits: &[Hit], in_paths: &[(u32, u16, f64)], terms: usize, corpus: &Corpus) -> Vec<f64> {
    let mut last = vec![u32::MAX; terms];
    let mut with = vec![0.0; terms];
    let parts: &[CorpusPart] = &corpus.parts;
    for hit in hits {
        let file = parts[hit.part as usize].file;
        if last[hit.term as usize] != file {
            last[hit.term as usize] = file;
            with[hit.term as usize] += 1.0;
        }
    }
    for (_, term, _) in in_paths {
        if last[*term as usize] == u32::MAX {
            with[*term as usize] += 1.0;
        }
    }
    let all = corpus.files.len() as f64;
    with.iter()
        .map(|with| (1.0 + (all - with + 0.5_f64).max(0.0) / (with + 0.5)).ln())
        .collect()
}

fn parts(hits: &[Hit], weights: &[f64], corpus: &Corpus) -> Vec<f64> {
    let mean = mean(corpus.parts.iter().map(|part| part.words[0]));
    let mut scores = vec![0.0; corpus.parts.len()];
    let parts: &[CorpusPart] = &corpus.parts;
    for hit in hits {
        let words = f64::from(parts[hit.part as usize].words[0]);
        // A part of three lines does not benefit from being short.
        let length = (1.0 - LENGTH + LENGTH * words / mean).max(0.6);
        let text = f64::from(hit.counts[0]) / length;
        let doc = f64::from(hit.counts[2]) * DOC / length;
        let mut score = (text + doc) / (SATURATION + text + doc);
        if hit.counts[1] > 0 {
            score += PART_NAME;
        }
        scores[hit.part as usize] += weights[hit.term as usize] * score;
    }
    scores
}

fn files(hits: &[Hit], in_paths: &[(u32, u16, f64)], weights: &[f64], corpus: &Corpus) -> Vec<f64> {
    let sizes: Vec<[f64; FIELDS]> = (0..corpus.files.len() as u32)
        .map(|file| {
            let mut sum = [0.0; FIELDS];
            for part in corpus.parts_of(file) {
                for (sum, words) in sum.iter_mut().zip(part.words) {
                    *sum += f64::from(words);
                }
            }
            sum
        })
        .collect();
    let count = corpus.files.len().max(1) as f64;
    let means: Vec<f64> = (0..FIELDS)
        .map(|field| (sizes.iter().map(|size| size[field]).sum::<f64>() / count).max(1.0))
        .collect();
    // Counts of a term in the text and names of a file, summed over its parts.
    let mut all: Vec<(u32, u16, f64, f64)> = Vec::with_capacity(hits.len());
    let parts: &[CorpusPart] = &corpus.parts;
    for hit in hits {
        let file = parts[hit.part as usize].file;
        let size = &sizes[file as usize];
        let by = |field: usize, weight: f64| {
            let length = 1.0 - LENGTH + LENGTH * size[field] / means[field];
            weight * f64::from(hit.counts[field]) / length
        };
        all.push((file, hit.term, by(0, 1.0) + by(2, DOC), by(1, 1.0)));
    }
    all.sort_by_key(|(file, term, ..)| (*file, *term));
    let mut scores = vec![0.0; corpus.files.len()];
    let mut at = 0;
    while at < all.len() {
        let (file, term, mut text, mut names) = all[at];
        at += 1;
        while at < all.len() && (all[at].0, all[at].1) == (file, term) {
            text += all[at].2;
            names += all[at].3;
            at += 1;
        }
        let score = text / (SATURATION + text) + FILE_NAME * names / (1.0 + names);
        scores[file as usize] += weights[term as usize] * score;
    }
    for (file, term, worth) in in_paths {
        scores[*file as usize] += weights[*term as usize] * worth;
    }
    scores
}

fn mean(values: impl Iterator<Item = u32>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += f64::from(value);
        count += 1.0;
    }
    if count > 0.0 {
        (sum / count).max(1.0)
    } else {
        1.0
    }
}
