//! The best candidates for callers that show single hits: the best of each file, and further ones
//! after files with about the same score.

use std::collections::HashMap;

use loom_engine::context::CorpusPart;

use super::{ContextAnswer, ContextRepository};
use crate::RepoPath;

/// Maximum number of hits.
const HITS: usize = 50;
/// Maximum number of hits per file, and the weight of each relative to the previous one. With half
/// the weight each, one file with many matches cannot push all other files down.
const MOST_OF_FILE: i32 = 12;
const FURTHER: f64 = 0.5;

/// A matching candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextHit {
    /// Path of its file.
    pub path: RepoPath,
    /// First line, from 1.
    pub first: usize,
    /// Last line.
    pub last: usize,
    /// Score of its file, reduced unless it is the best candidate of the file.
    pub score: f64,
}

impl ContextAnswer {
    /// Returns the best candidates, the best first, even if the budget has no room for them.
    pub fn hits(&self, repository: &ContextRepository) -> Vec<ContextHit> {
        let corpus = &repository.corpus;
        let files = self.selection.files.iter().take(HITS);
        let scores: HashMap<u32, f64> = files.map(|one| (one.number, one.score)).collect();
        // The score of the best candidate of each file, and the number of its hits.
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
