//! Reads the redacted texts of files for a context, each once per answer.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use loom_base::Embedder;
use loom_embed::Vectors;
use loom_engine::context::{DisplayText, Piece};
use loom_secrets::{Numbers, Replaced, redact};
use loom_source::Reason;

use super::ContextRepository;
use crate::cache::{EntryKey, ScanTarget};
use crate::reading::FileReader;
use crate::{Cancel, Packer, RepoPath, Run, SecretsMode};

/// Texts read so far.
pub(super) struct Texts<'a> {
    packer: &'a Packer,
    run: &'a Run,
    repository: &'a ContextRepository,
    known: RefCell<HashMap<u32, Option<Arc<DisplayText>>>>,
    numbers: RefCell<Numbers>,
    /// Lines with secrets, by file.
    secrets: RefCell<HashMap<u32, Vec<u32>>>,
    /// Files that changed since the corpus was built.
    changed: RefCell<BTreeSet<u32>>,
    cancel: &'a Cancel,
    /// Cache keys of texts without secrets.
    keys: RefCell<HashMap<u32, EntryKey>>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(
        packer: &'a Packer,
        run: &'a Run,
        repository: &'a ContextRepository,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            packer,
            run,
            repository,
            known: RefCell::default(),
            numbers: RefCell::default(),
            secrets: RefCell::default(),
            changed: RefCell::default(),
            cancel,
            keys: RefCell::default(),
        }
    }

    /// Returns the files read so far that changed since the corpus was built.
    pub(super) fn changed(&self) -> Vec<RepoPath> {
        let files = &self.repository.corpus.files;
        let changed = self.changed.borrow();
        let paths = changed.iter().map(|file| &files[*file as usize].path);
        paths.cloned().collect()
    }

    /// Counts the secrets in the shown lines.
    pub(super) fn secrets_in(&self, pieces: &[Piece]) -> usize {
        let secrets = self.secrets.borrow();
        let of = |piece: &Piece| {
            let lines = secrets.get(&piece.file).into_iter().flatten();
            lines
                .filter(|line| (piece.first..=piece.last).contains(line))
                .count()
        };
        pieces.iter().map(of).sum()
    }

    /// Returns the text of a file of the corpus; `None` if the file changed, because the lines of
    /// the corpus no longer match. Reads nothing after a cancellation.
    pub(super) fn get(&self, file: u32) -> Option<Arc<DisplayText>> {
        if let Some(known) = self.known.borrow().get(&file) {
            return known.clone();
        }
        if self.cancel.is_cancelled() {
            return None;
        }
        let read = self.read(file).map(Arc::new);
        self.known.borrow_mut().insert(file, read.clone());
        read
    }

    /// Returns the cached embeddings of a file's candidates.
    pub(super) fn remembered_vectors(
        &self,
        file: u32,
        embedder: &dyn Embedder,
        count: usize,
    ) -> Option<Vectors> {
        self.get(file)?;
        let keys = self.keys.borrow();
        let entries = keys.get(&file)?.entries(&self.repository.recall);
        entries.vectors(embedder.id(), count, embedder.dimensions())
    }

    /// Caches the embeddings of a file's candidates.
    pub(super) fn remember_vectors(&self, file: u32, embedder: &dyn Embedder, vectors: &Vectors) {
        if let Some(key) = self.keys.borrow().get(&file) {
            let entries = key.entries(&self.repository.recall);
            entries.keep_vectors(embedder.id(), vectors);
        }
    }

    fn read(&self, file: u32) -> Option<DisplayText> {
        let packer = self.packer;
        let at = *self.repository.numbers.get(file as usize)?;
        let found = self.repository.files.get(at)?;
        let reader = FileReader::new(packer, &self.repository.recall, &self.run.unread);
        let text = reader.file(found, at).read();
        let text = text.inspect_err(|reason| {
            self.run.unread.note(found, reason);
            if *reason == Reason::Binary {
                self.changed.borrow_mut().insert(file);
            }
        });
        let text = text.ok()?;
        let hash = text.hash();
        if self.repository.versions.get(file as usize) != Some(&hash) {
            self.changed.borrow_mut().insert(file);
            return None;
        }
        if packer.options.secrets.mode == SecretsMode::Off {
            return Some(DisplayText::new(text.into_text(), hash));
        }
        let findings = text.findings_with(ScanTarget::File, &self.run.secrets.copies());
        if findings.is_empty() {
            if let Some(key) = text.key() {
                self.keys.borrow_mut().insert(file, key);
            }
            return Some(DisplayText::new(text.into_text(), hash));
        }
        let text = text.into_text();
        let line = |at: usize| memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u32;
        let lines = findings.iter().map(|one| 1 + line(one.span.start));
        self.secrets.borrow_mut().insert(file, lines.collect());
        if !packer.options.secrets.mode.hides() {
            return Some(DisplayText::new(text, hash));
        }
        let plan = Replaced::plan(&text, &findings, &mut self.numbers.borrow_mut());
        Some(DisplayText::new(redact(&text, &plan), hash))
    }
}
