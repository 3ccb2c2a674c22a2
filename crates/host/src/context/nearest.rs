//! Searches by meaning: compares the embeddings of all candidates with a question.

use loom_embed::{CodeTable, Vectors};
use loom_engine::context::{ContextWeights, Granularity, Unit};
use loom_lookup::{RankedHit, lines_of};

use super::ContextRepository;
use crate::Packer;
use crate::search::search_text;
use crate::threads::Threads;
use crate::unread::Unread;

impl ContextRepository {
    /// Returns the units most similar to `question`, the most similar first. Tests, examples,
    /// documents and data rank after code that is about as similar.
    pub fn nearest(&self, question: &str, of: Granularity, most: usize) -> Vec<RankedHit> {
        let units = self.corpus.units(of);
        let mut vectors = Vectors::new(CodeTable::DIMENSIONS);
        let mut sum = vec![0.0_f32; CodeTable::DIMENSIONS];
        for unit in &units {
            if let [part] = unit.parts[..] {
                vectors.push_bytes(self.vectors.bytes_of(part as usize));
                continue;
            }
            sum.fill(0.0);
            self.add(unit, &mut sum);
            vectors.push(&sum);
        }
        let meant = CodeTable.vector(question);
        if meant.iter().all(|one| *one == 0.0) {
            return Vec::new();
        }
        let weights = ContextWeights::default();
        let threads = Threads(std::thread::available_parallelism().map_or(1, usize::from));
        let close = vectors.nearest(&meant, most, &threads, |at, close| {
            f64::from(close) * self.corpus.standing(units[at].file, &weights)
        });
        let hit = |(at, score): (usize, f64)| {
            let unit: &Unit = &units[at];
            RankedHit {
                path: self.corpus.files[unit.file as usize].path.clone(),
                score,
                start_line: unit.first as usize,
                end_line: unit.last as usize,
                symbol: unit.symbol.clone(),
                has_secret: false,
            }
        };
        let close = close.into_iter().filter(|(_, score)| *score > 0.0);
        close.map(hit).collect()
    }

    /// Adds the embeddings of a unit's parts, weighted by the size of their text.
    fn add(&self, unit: &Unit, sum: &mut [f32]) {
        for part in &unit.parts {
            let bytes = self.vectors.bytes_of(*part as usize);
            let length = bytes.iter().map(|one| f32::from(*one).powi(2)).sum::<f32>();
            if length > 0.0 {
                let size = self.corpus.parts[*part as usize].words[0] as f32;
                let weight = size.max(1.0) / length.sqrt();
                for (sum, one) in sum.iter_mut().zip(bytes) {
                    *sum += weight * f32::from(*one);
                }
            }
        }
    }
}

impl ContextRepository {
    /// Marks the hits of a search by meaning that contain secrets, unless scanning is off.
    pub fn mark_secrets(&self, packer: &Packer, hits: &mut [RankedHit]) {
        let unread = Unread::default();
        for hit in hits {
            let mut files = self.files.iter();
            let found = files.find(|file| file.path == hit.path);
            let Some((text, _)) = found.and_then(|found| search_text(packer, &unread, found))
            else {
                continue;
            };
            let secrets = &packer.options.secrets;
            let findings = secrets.scan(&hit.path, &text);
            let findings = secrets.with_copies(&hit.path, &text, findings, &self.secrets);
            let shown = hit.start_line..=hit.end_line;
            let lines = lines_of(&findings, &text);
            hit.has_secret = lines.iter().any(|line| shown.contains(line));
        }
    }
}
