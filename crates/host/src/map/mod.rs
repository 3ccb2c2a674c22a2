//! Maps of a source: gathers what the files hold, links them, and asks the engine for a
//! map. What is linked can be asked again and again.

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

use crate::threads::Threads;
use crate::{Cancel, NoProgress, PackError, Packer, Run, SecretsMode, StructureOptions};

pub use focus::Unknown;
pub(crate) use importance::FileImportance;
pub use options::map_request;

/// What a map is asked for.
#[derive(Clone, Debug, Default)]
pub struct MapRequest {
    /// At most so many tokens.
    pub budget: usize,
    /// The form.
    pub format: MapFormat,
    /// How files are ranked.
    pub algorithm: Algorithm,
    /// How much each factor counts.
    pub weights: Weights,
    /// What is shown.
    pub extract: Extract,
    /// What it is for.
    pub focus: Focus,
}

/// A source, read and linked.
#[derive(Debug)]
pub struct MapRepository {
    pub(crate) linked: SymbolGraph,
    /// All files, also those without a language, and their lines.
    total: (usize, usize),
    /// The total of [`Packer::count`], if it was asked for.
    tokens: Option<usize>,
    name: String,
    description: Option<String>,
    /// How lately files changed, where that counts.
    recency: Vec<f64>,
    /// The files that differ from the last commit, where they were asked for.
    pub changed: Vec<RepoPath>,
    /// How important everything is for who asks for nothing in particular.
    usual: OnceLock<Importance>,
}

impl MapRepository {
    /// The files and how they are linked.
    pub fn linked(&self) -> &SymbolGraph {
        &self.linked
    }
}

impl Packer {
    /// A map of what was read.
    ///
    /// # Errors
    /// When the budget does not hold even its head.
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

    /// A page for a browser, of what was read with the tokens of files.
    ///
    /// # Errors
    /// When the key symbols cannot be had.
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

    /// Counts the tokens of the linked files, and returns the total of all files.
    fn count_tokens(&self, linked: &mut SymbolGraph, cancel: &Cancel) -> Result<usize, PackError> {
        let counted = self.count(cancel)?;
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
    /// When a stop was asked for, what git knows is asked for and cannot be told, or
    /// there are secrets and nothing may be written then.
    pub fn map_repository(
        &self,
        wanted: &MapWanted,
        run: &Run,
        cancel: &Cancel,
    ) -> Result<MapRepository, PackError> {
        if self.options.secrets.mode == SecretsMode::Fail {
            self.survey(&NoProgress, cancel)?;
        }
        let mut scan = self.listed(&self.options.scan);
        self.past(&mut scan)?;
        run.unread.note_directories(&scan);
        run.unread
            .note_large(&scan.files, self.options.max_file_size);
        let elsewhere = self.secrets_elsewhere(&scan, run.control(cancel))?;
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
            true => self
                .changed_files(&scan, run)
                .map_err(failed("--changes"))?,
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

/// What has to be known for a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapWanted {
    /// How lately files changed.
    pub recency: bool,
    /// Which files differ from the last commit.
    pub changes: bool,
    /// How many tokens each file has, and all of them.
    pub tokens: bool,
    /// Minified and generated files too.
    pub generated: bool,
}
