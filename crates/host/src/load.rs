//! From a file on disk to its description and text, or to the one reason for
//! which it is left out.

use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_engine::{FileMeta, Note};
use loom_secrets::{Finding, Replaced};
use loom_source::Reason;
use loom_store::Version;

use crate::cache::{Facts, Looked, Met};
use crate::look::left_out_by_looks;
use crate::reading::{FileText, ShownParts, SourceFile};

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub(crate) meta: FileMeta,
    pub(crate) text: String,
    /// The secrets in its text.
    pub(crate) findings: Vec<Finding>,
    /// What was taken out of it.
    pub(crate) replaced: Arc<[Replaced]>,
    /// The contents, where something is remembered about such.
    pub(crate) met: Option<Arc<Met>>,
}

/// What a second read found.
pub(crate) enum Reread {
    /// The same contents: their text.
    Same(String),
    /// Other contents.
    Changed(Loaded),
}

/// Reads and describes one file.
pub(crate) fn load(file: SourceFile<'_>) -> Result<Loaded, Reason> {
    load_within(file, file.options().max_file_size)
}

/// Reads and describes one file of at most `limit` bytes.
pub(crate) fn load_within(file: SourceFile<'_>, limit: u64) -> Result<Loaded, Reason> {
    file.options().shorten.excludes(file.path())?;
    Loaded::describe(file.read_within(limit)?)
}

/// Reads a file whose contents had the hash `known`. Unchanged contents are not
/// counted and described again.
pub(crate) fn load_again(file: SourceFile<'_>, known: ContentHash) -> Result<Reread, Reason> {
    let text = file.read()?;
    match text.hash() == known {
        true => Ok(Reread::Same(text.into_shown().text)),
        false => Loaded::describe(text).map(Reread::Changed),
    }
}

impl Loaded {
    /// Describes a file that was read, and says if it is left out.
    pub(crate) fn describe(text: FileText<'_>) -> Result<Self, Reason> {
        let facts = text.facts().clone();
        if let Some(reason) = left_out_by_looks(&facts.look, text.found(), text.options()) {
            return Err(reason);
        }
        let meta = facts.meta(text.path().clone(), text.hash());
        let findings = text.findings(Looked::Shown).to_vec();
        let ShownParts { text, met } = text.into_shown();
        Ok(Self {
            meta,
            text,
            findings,
            replaced: Arc::default(),
            met: met.map(Arc::new),
        })
    }
}

impl Facts {
    /// What is known about a file with these facts.
    pub(crate) fn meta(self, path: RepoPath, hash: ContentHash) -> FileMeta {
        FileMeta {
            path,
            language: self.look.language,
            lines: self.look.lines,
            bytes: self.look.bytes,
            tokens: self.counts.tokens,
            lower: self.counts.lower,
            upper: self.counts.upper,
            hash,
            first_line: 1,
            notes: self.look.notes(),
            marks: None,
            shortened: None,
        }
    }
}

/// What is known about a file, where nothing has to be read to know it.
pub(crate) fn recalled(file: SourceFile<'_>) -> Option<Result<FileMeta, Reason>> {
    let (size, version) = file.version()?;
    let (path, options) = (file.path(), file.options());
    if let Err(reason) = options.shorten.excludes(path) {
        return Some(Err(reason));
    }
    let limit = options.max_file_size;
    if size > limit {
        return Some(Err(Reason::TooLarge { size, limit }));
    }
    let Version::Content(_, hash) = version else {
        return Some(Err(Reason::Binary));
    };
    let facts = file.cached_facts()?;
    if let Some(reason) = left_out_by_looks(&facts.look, file.found(), options) {
        return Some(Err(reason));
    }
    let is_clean = !options.secrets.looks_into(path) || file.is_cached_clean(Looked::Shown);
    // One that is cut has to be read.
    let most = options.shorten.max_tokens.unwrap_or(usize::MAX);
    let is_whole = facts.counts.upper <= most;
    (is_clean && is_whole).then(|| Ok(facts.meta(path.clone(), *hash)))
}

/// The text of a file as it is shown, before secrets are taken out.
#[derive(Clone, Debug)]
pub(crate) struct DecodedFile {
    pub(crate) text: String,
    /// In what it differs from the file.
    pub(crate) notes: Vec<Note>,
}

impl DecodedFile {
    /// The shown text of a file that was read.
    pub(crate) fn of(text: FileText<'_>) -> Self {
        Self {
            notes: text.look().notes(),
            text: text.into_shown().text,
        }
    }
}
