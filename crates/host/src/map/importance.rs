//! Importance of files in the map, to select the files of a pack within a budget.

use std::cell::OnceCell;
use std::collections::HashMap;

use loom_base::RepoPath;
use loom_engine::map::{Algorithm, Interest, Weights, importance};
use loom_engine::priority;
use loom_source::FoundFile;

use super::MapBuilder;
use crate::survey::Survey;
use crate::threads::Threads;
use crate::{Cancel, PackError, Packer, StructureOptions};

/// Importance of files, computed at first use, because it parses all of them.
#[derive(Debug, Default)]
pub(crate) struct FileImportance(OnceCell<HashMap<RepoPath, f64>>);

impl FileImportance {
    /// Returns the files of a survey, the most important first.
    pub(crate) fn order(
        &self,
        packer: &Packer,
        survey: &Survey,
        budget: usize,
        cancel: &Cancel,
    ) -> Result<Vec<usize>, PackError> {
        if self.0.get().is_none() {
            let found = file_importance(packer, survey, cancel)?;
            let _ = self.0.set(found);
        }
        let known = self.0.get();
        let of = |path: &RepoPath| known.and_then(|known| known.get(path)).copied();
        let mut order: Vec<usize> = (0..survey.files.len()).collect();
        order.sort_by_cached_key(|&at| {
            let meta = &survey.files[at].meta;
            (priority(meta, budget, of(&meta.path).unwrap_or(0.0)), at)
        });
        Ok(order)
    }
}

fn file_importance(
    packer: &Packer,
    survey: &Survey,
    cancel: &Cancel,
) -> Result<HashMap<RepoPath, f64>, PackError> {
    let found: Vec<FoundFile> = survey.files.iter().map(|one| one.found.clone()).collect();
    let gathered = {
        let options = StructureOptions::default();
        MapBuilder::new(packer, &survey.run, cancel).gather(&found, &options)?
    };
    let known = importance(
        &gathered.linked,
        Algorithm::Pagerank,
        &Weights::default(),
        &[],
        &Interest::default(),
        &Threads(packer.options.thread_count()),
    );
    let files = gathered.linked.files.into_iter().zip(known.files);
    Ok(files.map(|(file, score)| (file.path, score)).collect())
}
