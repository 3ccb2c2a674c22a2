//! Turns a file on disk into its description and text, or into the reason for skipping it.

use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_engine::{FileMeta, Note};
use loom_secrets::{Finding, Replaced};
use loom_source::Reason;
use loom_store::Version;

use crate::cache::{ContentKey, Facts, ScanTarget};
use crate::look::left_out_by_looks;
use crate::reading::{FileText, ShownParts, SourceFile};

/// Description, text and secrets of a file.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub(crate) meta: FileMeta,
    pub(crate) text: String,
    /// Secrets in the text.
    pub(crate) findings: Vec<Finding>,
    /// Redacted spans with their placeholders.
    pub(crate) replaced: Arc<[Replaced]>,
    /// Cache key of the contents, if there is a cache.
    pub(crate) content_key: Option<Arc<ContentKey>>,
}

/// Result of reading a file again.
pub(crate) enum Reread {
    /// The contents are the same; contains their text.
    Same(String),
    /// The contents changed.
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

/// Reads a file whose contents had the hash `known`. Counts and describes only changed contents.
pub(crate) fn load_again(file: SourceFile<'_>, known: ContentHash) -> Result<Reread, Reason> {
    let text = file.read()?;
    match text.hash() == known {
        true => Ok(Reread::Same(text.into_shown().text)),
        false => Loaded::describe(text).map(Reread::Changed),
    }
}

impl Loaded {
    /// Describes a file. Returns the reason if it is skipped.
    pub(crate) fn describe(text: FileText<'_>) -> Result<Self, Reason> {
        let facts = text.facts().clone();
        if let Some(reason) = left_out_by_looks(&facts.look, text.found(), text.options()) {
            return Err(reason);
        }
        let meta = facts.meta(text.path().clone(), text.hash());
        let findings = text.findings(ScanTarget::Shown).to_vec();
        let ShownParts { text, content_key } = text.into_shown();
        Ok(Self {
            meta,
            text,
            findings,
            replaced: Arc::default(),
            content_key: content_key.map(Arc::new),
        })
    }
}

impl Facts {
    /// Builds the description of a file from its facts.
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

/// Returns the description of a file, or the reason for skipping it, from the cache. Returns `None`
/// if the file must be read.
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
    let is_clean = !options.secrets.looks_into(path) || file.is_cached_clean(ScanTarget::Shown);
    // A file above `max_tokens` must be read to be truncated.
    let most = options.shorten.max_tokens.unwrap_or(usize::MAX);
    let is_whole = facts.counts.upper <= most;
    (is_clean && is_whole).then(|| Ok(facts.meta(path.clone(), *hash)))
}

/// The decoded text of a file before redaction.
#[derive(Clone, Debug)]
pub(crate) struct DecodedFile {
    pub(crate) text: String,
    /// Differences between the text and the file.
    pub(crate) notes: Vec<Note>,
}

impl DecodedFile {
    /// Takes the decoded text of a file.
    pub(crate) fn of(text: FileText<'_>) -> Self {
        Self {
            notes: text.look().notes(),
            text: text.into_shown().text,
        }
    }
}
