//! The cache and the search index, built ahead of other queries.

use loom_host::{IndexOptions, update_index};
use loom_wire::{IndexCall, IndexInfo};

use super::call::callable;
use super::{check, runs};
use crate::session::Choices;
use crate::{Control, Error, Infiniloom, Result, Snapshot, results};

/// An update of the cache and the search index, which reports the changes.
#[derive(Clone, Debug, Default)]
pub struct Index {
    languages: Vec<String>,
    is_status: bool,
    has_no_totals: bool,
}

impl Index {
    /// Indexes all files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports the changes, and writes nothing.
    pub fn status() -> Self {
        Self {
            is_status: true,
            ..Self::default()
        }
    }

    /// Parses only files in this language; more than one call adds languages.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.languages.push(language.into());
        self
    }

    /// Decides whether all tokens and bytes are counted, as usual; otherwise they are 0.
    #[must_use]
    pub fn totals(mut self, are_counted: bool) -> Self {
        self.has_no_totals = !are_counted;
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<IndexInfo> {
        let mut problems = Vec::new();
        let languages = super::languages(&self.languages, &mut problems);
        check(problems)?;
        let session = snapshot.session(&Choices::default(), control)?;
        if session.packer.options().cache.is_none() {
            let is_enabled = session.settings().cache.enabled;
            if is_enabled && snapshot.reader().engine.has_cache() {
                return Err(Error::no_cache_directory());
            }
            let hint = "build the engine with a cache";
            return Err(
                Error::invalid("no_cache", "cannot index: the cache is disabled")
                    .with_hint(hint.to_owned()),
            );
        }
        let options = IndexOptions {
            languages,
            is_only_asked: self.is_status,
            counts: !self.has_no_totals,
        };
        let run = session.run();
        let (progress, cancel) = (&*session.progress, &session.cancel);
        let report = update_index(&session.packer, &options, &run, progress, cancel)?;
        let mut info = results::index::info(&report, session.packer.store_bytes());
        info.notices = session.notices(&run.unread(), run.warnings());
        Ok(info)
    }
}

runs!(Index => IndexInfo);
callable!(Index => IndexInfo);

impl Index {
    fn call(&self) -> Result<IndexCall> {
        let Self {
            languages,
            is_status,
            has_no_totals,
        } = self;
        Ok(IndexCall {
            languages: languages.clone(),
            status: *is_status,
            no_totals: *has_no_totals,
        })
    }

    fn of_call(call: &IndexCall, _: &Infiniloom) -> Result<Self> {
        let IndexCall {
            languages,
            status,
            no_totals,
        } = call;
        Ok(Self {
            languages: languages.clone(),
            is_status: *status,
            has_no_totals: *no_totals,
        })
    }
}
