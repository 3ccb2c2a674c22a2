//! Maps of a source: collects the structures of the files, links them, and requests a map from the
//! engine. The linked files serve any number of maps.

mod about;
mod focus;
mod gather;
mod importance;
mod options;
mod recency;

use crate::surveyor::Surveyor;
use std::collections::HashMap;
use std::sync::OnceLock;

use loom_base::RepoPath;
use loom_engine::map::{
    Algorithm, Extract, Filled, Focus, Importance, MapFormat, MapOptions, PageHead, SymbolGraph,
    Weights, importance, page,
};

use loom_syntax::Limits;

use crate::past::{Past, changed_files};
use crate::secrets::SecretLearner;
use crate::threads::Threads;
use crate::{
    Cancel, FileCounter, NoProgress, PackError, Packer, Run, SecretsMode, StructureOptions,
};

pub use focus::Unknown;
pub(crate) use importance::FileImportance;
pub use options::map_request;

/// Options of a map.
#[derive(Clone, Debug, Default)]
pub struct MapRequest {
    /// Maximum number of tokens.
    pub budget: usize,
    /// Output format.
    pub format: MapFormat,
    /// Ranking of the files.
    pub algorithm: Algorithm,
    /// Weights of the ranking factors.
    pub weights: Weights,
    /// Kinds of symbols to show, and imports.
    pub extract: Extract,
    /// Files, names or text that the map is about.
    pub focus: Focus,
}

/// A source with linked files.
#[derive(Debug)]
pub struct MapRepository {
    pub(crate) linked: SymbolGraph,
    /// Number of files, including those without a language, and of their lines.
    total: (usize, usize),
    /// Total of [`FileCounter::count`], if requested.
    tokens: Option<usize>,
    name: String,
    description: Option<String>,
    /// Recency of each file's changes, if requested.
    recency: Vec<f64>,
    /// Files that differ from the last commit, if requested.
    pub changed: Vec<RepoPath>,
    /// Importance without a focus.
    usual: OnceLock<Importance>,
}

impl MapRepository {
    /// Returns the linked files.
    pub fn linked(&self) -> &SymbolGraph {
        &self.linked
    }
}

impl Packer {
    /// Renders a map.
    ///
    /// # Errors
    /// If the budget is too small for its header.
    pub fn map(
        &self,
        repository: &MapRepository,
        request: &MapRequest,
    ) -> Result<Filled, PackError> {
        let options = MapOptions {
            name: repository.name.clone(),
            description: repository.description.clone(),
            total: repository.total,
            tokens: repository.tokens,
            budget: request.budget,
            format: request.format,
            algorithm: request.algorithm,
            weights: request.weights,
            extract: request.extract,
            focus: request.focus.clone(),
            recency: repository.recency.clone(),
        };
        let tokenizer = self.options.model.tokenizer;
        let threads = Threads(self.options.thread_count());
        let linked = &repository.linked;
        let is_usual = options.focus == Focus::default()
            && options.algorithm == Algorithm::default()
            && options.weights == Weights::default();
        if !is_usual {
            return Ok(linked.map(&options, &tokenizer, &threads)?);
        }
        let make = || linked.importance(&options, &threads);
        let usual = repository.usual.get_or_init(make);
        Ok(linked.map_by(usual, &options, &tokenizer)?)
    }

    /// Renders a page for a browser. The repository should contain token counts.
    ///
    /// # Errors
    /// If the budget is too small for the header of the map.
    pub fn map_page(
        &self,
        repository: &MapRepository,
        request: &MapRequest,
    ) -> Result<String, PackError> {
        let map = self.map(repository, request)?;
        let linked = &repository.linked;
        let interest = request.focus.interest(linked);
        let known = importance(
            linked,
            request.algorithm,
            &request.weights,
            &repository.recency,
            &interest,
            &Threads(self.options.thread_count()),
        );
        let tokenizer = self.options.model.tokenizer;
        let head = PageHead {
            name: repository.name.clone(),
            description: repository.description.clone(),
            total: repository.total,
            tokens: repository.tokens.unwrap_or_default(),
            model: self.options.model.name.to_string(),
            sign: if tokenizer.is_exact() { "" } else { "~" },
        };
        Ok(page(linked, &known, &head, &map.document.key_symbols))
    }

    /// Counts the tokens of the linked files. Returns the total of all files.
    fn count_tokens(&self, linked: &mut SymbolGraph, cancel: &Cancel) -> Result<usize, PackError> {
        let counted = FileCounter::new(self, cancel).count()?;
        let by_path: HashMap<&RepoPath, usize> = counted
            .files()
            .map(|file| (&file.path, file.tokens))
            .collect();
        for file in &mut linked.files {
            file.tokens = by_path.get(&file.path).copied();
        }
        Ok(counted.overview.tokens)
    }

    /// Reads the source for maps.
    ///
    /// # Errors
    /// If the caller cancels, required git data is not available, or the run finds secrets in mode
    /// `fail`.
    pub fn map_repository(
        &self,
        wanted: &MapWanted,
        run: &Run,
        cancel: &Cancel,
    ) -> Result<MapRepository, PackError> {
        if self.options.secrets.mode == SecretsMode::Fail {
            Surveyor::new(self, &NoProgress, cancel).survey()?;
        }
        let mut scan = self.listed(&self.options.scan);
        Past::read(self, &mut scan)?;
        run.unread.note_directories(&scan);
        run.unread
            .note_large(&scan.files, self.options.max_file_size);
        let elsewhere = SecretLearner::new(self, run.control(cancel)).elsewhere(&scan)?;
        run.secrets.know(&elsewhere);
        let options = StructureOptions {
            limits: Limits {
                all: wanted.generated,
                ..Limits::default()
            },
            redacts: true,
            ..StructureOptions::default()
        };
        let mut gathered = self.gather_map(&scan.files, &options, run, cancel)?;
        let tokens = match wanted.tokens {
            true => Some(self.count_tokens(&mut gathered.linked, cancel)?),
            false => None,
        };
        let failed = |flag: &str| {
            let flag = flag.to_owned();
            move |source| PackError::History { flag, source }
        };
        let changed = match wanted.changes {
            true => changed_files(&self.source, &scan, &run.unread).map_err(failed("--changes"))?,
            false => Vec::new(),
        };
        let recency = match wanted.recency {
            true => self.recency(&scan, &gathered.linked),
            false => Vec::new(),
        };
        Ok(MapRepository {
            description: self.about(run, &scan),
            linked: gathered.linked,
            total: gathered.total,
            tokens,
            name: self.source.name(),
            recency,
            changed,
            usual: OnceLock::new(),
        })
    }
}

/// Selects the data that a map needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapWanted {
    /// Recency of each file's changes.
    pub recency: bool,
    /// Files that differ from the last commit.
    pub changes: bool,
    /// Token count of each file, and the total.
    pub tokens: bool,
    /// Symbols of minified and generated files, too.
    pub generated: bool,
}
