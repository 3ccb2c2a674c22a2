//! The best parts for those who take single ones: of each file the best, and further
//! ones behind files that fit as much as they do.

use std::collections::HashMap;

use loom_engine::context::CorpusPart;

use super::{ContextAnswer, ContextRepository};
use crate::RepoPath;

/// Hits that are told.
const HITS: usize = 50;
/// Hits of one file, and what each is worth of the one before.
const MOST_OF_FILE: i32 = 12;
const FURTHER: f64 = 0.5;

/// A part that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextHit {
    /// Its file.
    pub path: RepoPath,
    /// Its first line, from 1.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// The score of its file, by how well it fits of what the file has.
    pub score: f64,
}

impl ContextAnswer {
    /// The best parts, the best first, whether or not there is room for them.
    pub fn hits(&self, repository: &ContextRepository) -> Vec<ContextHit> {
        let corpus = &repository.corpus;
        let files = self.selection.files.iter().take(HITS);
        let scores: HashMap<u32, f64> = files.map(|one| (one.number, one.score)).collect();
        // The score of the best part of each file, and how many were met.
        let mut met: HashMap<u32, (f64, i32)> = HashMap::new();
        let mut hits = Vec::new();
        for one in &self.selection.parts {
            let part = &corpus.parts[one.number as usize];
            let Some(of_file) = scores.get(&part.file) else {
                continue;
            };
            let (best, count) = met.entry(part.file).or_insert((one.score, 0));
            if *count < MOST_OF_FILE {
                let fits = one.score / best.max(f64::MIN_POSITIVE);
                hits.push((of_file * fits * FURTHER.powi(*count), part));
                *count += 1;
            }
        }
        hits.sort_by(|(a, one), (b, other)| {
            let place = |part: &CorpusPart| (part.file, part.first);
            b.total_cmp(a).then_with(|| place(one).cmp(&place(other)))
        });
        let hit = |(score, part): (f64, &CorpusPart)| ContextHit {
            path: corpus.files[part.file as usize].path.clone(),
            first: part.first as usize,
            last: part.last as usize,
            score,
        };
        hits.into_iter().take(HITS).map(hit).collect()
    }
}
