//! A searcher for the files as they are now, made from an earlier one: it keeps the secrets that the
//! earlier one knows.

use std::sync::Arc;

use loom_lookup::QueryCache;

use super::index::Index;
use super::searcher::{IndexState, IndexUse, Searcher};
use crate::source_files::SourceFiles;
use crate::unread::Unread;
use crate::{Cancel, PackError};

impl Searcher {
    /// Lists the files again. Returns a searcher for them, which shares the cached texts and
    /// symbols; `None` if nothing changed.
    ///
    /// # Errors
    /// If the caller cancels, or the git data to select changed files is not available.
    pub fn refreshed(&self, cancel: &Cancel) -> Result<Option<Self>, PackError> {
        self.refreshed_listed(&SourceFiles::list(&self.packer), cancel)
    }

    /// The same for files that were listed before.
    ///
    /// # Errors
    /// As [`Searcher::refreshed`].
    pub fn refreshed_listed(
        &self,
        listed: &SourceFiles,
        cancel: &Cancel,
    ) -> Result<Option<Self>, PackError> {
        let now = self.opened_again(listed, IndexUse::Auto, cancel)?;
        let is_same = self.files == now.files
            && self.known == now.known
            && now.is_all_known
            && self.known_secrets().digest() == now.known_secrets().digest();
        Ok((!is_same).then_some(now))
    }

    /// Returns a searcher for listed files whose index covers all of them, without a cache in a
    /// temporary directory.
    ///
    /// # Errors
    /// As [`Searcher::refreshed`].
    pub fn indexed_listed(&self, listed: &SourceFiles, cancel: &Cancel) -> Result<Self, PackError> {
        self.opened_again(listed, IndexUse::Update, cancel)
    }

    fn opened_again(
        &self,
        listed: &SourceFiles,
        usage: IndexUse,
        cancel: &Cancel,
    ) -> Result<Self, PackError> {
        let unread = Arc::<Unread>::default();
        let (scan, memory) = Self::recall_listed(&self.packer, listed, &unread)?;
        let mut now = Self {
            packer: Arc::clone(&self.packer),
            known: vec![IndexState::Nothing; scan.files.len()],
            files: scan.files.clone(),
            index: Index::default(),
            location: self.location.clone(),
            own: self.own.clone(),
            built: None,
            cache: QueryCache::default(),
            texts: Arc::clone(&self.texts),
            symbols: Arc::clone(&self.symbols),
            is_all_known: false,
            secrets: Arc::default(),
            unread,
        };
        if usage == IndexUse::Update && now.location.is_none() {
            now.use_temporary_index();
        }
        let read = now.use_index(usage, memory, &crate::NoProgress, cancel)?;
        now.learn_secrets(&read, listed, Some(self), &crate::NoProgress, cancel)?;
        Ok(now)
    }
}
