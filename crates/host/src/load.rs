//! From a file on disk to its description and text, or to the one reason for
//! which it is left out.

use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_engine::{FileMeta, Note};
use loom_secrets::{Finding, Replaced};
use loom_source::{FoundFile, Reading, Reason, Source, decode};
use loom_store::Version;

use crate::PackOptions;
use crate::cache::{Counts, Facts, Looked, Met, Recall};
use crate::look::{Look, without_outputs};

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
pub(crate) enum Again {
    /// The same contents: their text.
    Same(String),
    /// Other contents.
    Changed(Loaded),
}

/// Reads, decodes and describes one file of at most `limit` bytes, the file number
/// `at` of what is recalled.
pub(crate) fn load(
    source: &Source,
    options: &PackOptions,
    file: &FoundFile,
    limit: u64,
    (recall, at): (&Recall<'_>, usize),
) -> Result<Loaded, Reason> {
    options.shorten.excludes(&file.path)?;
    let reading = recall.read(source, file, limit, at)?;
    describe_reading(reading, options, file, (recall, at))
}

/// Reads a file whose contents had the hash `known`. Unchanged contents are not
/// counted and described again.
pub(crate) fn load_again(
    source: &Source,
    options: &PackOptions,
    file: &FoundFile,
    known: ContentHash,
) -> Result<Again, Reason> {
    let reading = source.read(file, options.max_file_size)?;
    if reading.hash != known {
        let nothing = (&Recall::nothing(), 0);
        return describe_reading(reading, options, file, nothing).map(Again::Changed);
    }
    let decoded = decode(reading.bytes).map_err(|_| Reason::Binary)?;
    Ok(Again::Same(without_outputs(file, decoded.text).0))
}

fn describe_reading(
    reading: Reading,
    options: &PackOptions,
    file: &FoundFile,
    (recall, at): (&Recall<'_>, usize),
) -> Result<Loaded, Reason> {
    let hash = reading.hash;
    let met = recall.met(at, &reading);
    let content = met.as_ref().and_then(Met::content);
    let decoded = recall.decoded(at, reading)?;
    let (look, text) = Look::at(file, decoded);
    let known = content.and_then(|content| recall.facts(at, content, options));
    let is_known = known.is_some();
    let counts = known.map_or_else(|| count(&text, options), |facts| facts.counts);
    let facts = Facts { look, counts };
    if let Some(met) = met.as_ref().filter(|_| !is_known) {
        recall.keep_facts(&file.path, met, &facts, options);
    }
    if let Some(reason) = facts.look.left_out(file, options) {
        return Err(reason);
    }
    let findings = match content {
        Some(content) if recall.is_clean(at, &file.path, content, (options, Looked::Shown)) => {
            Vec::new()
        }
        _ => {
            let findings = options.secrets.scan(&file.path, &text);
            if let Some(met) = met.as_ref()
                && findings.is_empty()
                && options.secrets.looks_into(&file.path)
            {
                recall.keep_clean(&file.path, met, (options, Looked::Shown));
            }
            findings
        }
    };
    Ok(Loaded {
        meta: facts.meta(file.path.clone(), hash),
        text,
        findings,
        replaced: Arc::default(),
        met: met.map(Arc::new),
    })
}

pub(crate) fn count(text: &str, options: &PackOptions) -> Counts {
    let counted = options.model.tokenizer.count(text);
    Counts {
        tokens: counted.likely(),
        lower: counted.lower(),
        upper: counted.upper(),
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

/// What is known about the file number `at`, where nothing has to be read to know it.
pub(crate) fn recalled(
    options: &PackOptions,
    file: &FoundFile,
    (recall, at): (&Recall<'_>, usize),
) -> Option<Result<FileMeta, Reason>> {
    let (size, version) = recall.version(at)?;
    if let Err(reason) = options.shorten.excludes(&file.path) {
        return Some(Err(reason));
    }
    let limit = options.max_file_size;
    if size > limit {
        return Some(Err(Reason::TooLarge { size, limit }));
    }
    let (content, hash) = match version {
        Version::Binary => return Some(Err(Reason::Binary)),
        Version::Content(content, hash) => (content, *hash),
    };
    let facts = recall.facts(at, content, options)?;
    if let Some(reason) = facts.look.left_out(file, options) {
        return Some(Err(reason));
    }
    let is_clean = !options.secrets.looks_into(&file.path)
        || recall.is_clean(at, &file.path, content, (options, Looked::Shown));
    // One that is cut has to be read.
    let most = options.shorten.max_tokens.unwrap_or(usize::MAX);
    let is_whole = facts.counts.upper <= most;
    (is_clean && is_whole).then(|| Ok(facts.meta(file.path.clone(), hash)))
}

/// The text of a file as it is shown, before secrets are taken out.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// In what it differs from the file.
    pub(crate) notes: Vec<Note>,
}

/// Decodes what was read, and leaves out what nobody wants to read.
pub(crate) fn shown(
    reading: Reading,
    options: &PackOptions,
    file: &FoundFile,
) -> Result<Shown, Reason> {
    let decoded = decode(reading.bytes).map_err(|_| Reason::Binary)?;
    let (look, text) = Look::at(file, decoded);
    match look.left_out(file, options) {
        Some(reason) => Err(reason),
        None => Ok(Shown {
            text,
            notes: look.notes(),
        }),
    }
}
