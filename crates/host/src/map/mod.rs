//! Maps of a source: collects the structures of the files, links them, and requests a map from the
//! engine. The linked files serve any number of maps.

mod about;
mod focus;
mod gather;
mod importance;
mod options;
mod recency;

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
use crate::surveyor::Surveyor;
use crate::threads::Threads;
use crate::{
    Cancel, FileCounter, NoProgress, PackError, Packer, Run, SecretsMode, StructureOptions,
};

pub use focus::{Unknown, focus_path};
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

    /// Renders a map.
    ///
    /// # Errors
    /// If the budget is too small for its header.
    pub fn render(&self, packer: &Packer, request: &MapRequest) -> Result<Filled, PackError> {
        let options = MapOptions {
            name: self.name.clone(),
            description: self.description.clone(),
            total: self.total,
            tokens: self.tokens,
            budget: request.budget,
            format: request.format,
            algorithm: request.algorithm,
            weights: request.weights,
            extract: request.extract,
            focus: request.focus.clone(),
            recency: self.recency.clone(),
        };
        let tokenizer = packer.options.model.tokenizer;
        let threads = Threads(packer.options.thread_count());
        let linked = &self.linked;
        let is_usual = options.focus == Focus::default()
            && options.algorithm == Algorithm::default()
            && options.weights == Weights::default();
        if !is_usual {
            return Ok(linked.map(&options, &tokenizer, &threads)?);
        }
        let make = || linked.importance(&options, &threads);
        let usual = self.usual.get_or_init(make);
        Ok(linked.map_by(usual, &options, &tokenizer)?)
    }

    /// Renders a page for a browser. The repository should contain token counts.
    ///
    /// # Errors
    /// If the budget is too small for the header of the map.
    pub fn render_page(&self, packer: &Packer, request: &MapRequest) -> Result<String, PackError> {
        let map = self.render(packer, request)?;
        let linked = &self.linked;
        let interest = request.focus.interest(linked);
        let known = importance(
            linked,
            request.algorithm,
            &request.weights,
            &self.recency,
            &interest,
            &Threads(packer.options.thread_count()),
        );
        let tokenizer = packer.options.model.tokenizer;
        let head = PageHead {
            name: self.name.clone(),
            description: self.description.clone(),
            total: self.total,
            tokens: self.tokens.unwrap_or_default(),
            model: packer.options.model.name.to_string(),
            sign: if tokenizer.is_exact() { "" } else { "~" },
        };
        Ok(page(linked, &known, &head, &map.document.key_symbols))
    }
}

/// Builds the maps of a source.
#[derive(Clone, Copy, Debug)]
pub struct MapBuilder<'a> {
    packer: &'a Packer,
    run: &'a Run,
    cancel: &'a Cancel,
}

impl<'a> MapBuilder<'a> {
    /// Creates a pass that `cancel` ends. The run records unreadable files.
    pub fn new(packer: &'a Packer, run: &'a Run, cancel: &'a Cancel) -> Self {
        Self {
            packer,
            run,
            cancel,
        }
    }

    /// Counts the tokens of the linked files. Returns the total of all files.
    fn count_tokens(self, linked: &mut SymbolGraph) -> Result<usize, PackError> {
        let counted = FileCounter::new(self.packer, self.cancel).count()?;
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
    pub fn build(self, wanted: &MapWanted) -> Result<MapRepository, PackError> {
        let (packer, run, cancel) = (self.packer, self.run, self.cancel);
        if packer.options.secrets.mode == SecretsMode::Fail {
            Surveyor::new(packer, &NoProgress, cancel).survey()?;
        }
        let mut scan = packer.listed(&packer.options.scan);
        Past::read(packer, &mut scan)?;
        run.unread.note_directories(&scan);
        run.unread
            .note_large(&scan.files, packer.options.max_file_size);
        let elsewhere = SecretLearner::new(packer, run.control(cancel)).elsewhere(&scan)?;
        run.secrets.know(&elsewhere);
        let options = StructureOptions {
            limits: Limits {
                all: wanted.generated,
                ..Limits::default()
            },
            redacts: true,
            ..StructureOptions::default()
        };
        let mut gathered = self.gather(&scan.files, &options)?;
        let tokens = match wanted.tokens {
            true => Some(self.count_tokens(&mut gathered.linked)?),
            false => None,
        };
        let failed = |flag: &str| {
            let flag = flag.to_owned();
            move |source| PackError::History { flag, source }
        };
        let changed = match wanted.changes {
            true => {
                changed_files(&packer.source, &scan, &run.unread).map_err(failed("--changes"))?
            }
            false => Vec::new(),
        };
        let recency = match wanted.recency {
            true => recency::recency(&packer.source, &scan, &gathered.linked),
            false => Vec::new(),
        };
        Ok(MapRepository {
            description: about::about(packer, run, &scan),
            linked: gathered.linked,
            total: gathered.total,
            tokens,
            name: packer.source.name(),
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
