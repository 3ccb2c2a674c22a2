//! The text of one file in one version, with everything that is derived from it. Each value is
//! looked up in the cache or computed when it is first requested, and then kept: no file is
//! decoded, inspected, scanned or parsed twice.

use std::borrow::Cow;
use std::cell::OnceCell;

use loom_base::{ContentHash, RepoPath};
use loom_engine::{TextInspection, cells_of};
use loom_secrets::{Copies, Finding};
use loom_source::{Decoded, FoundFile, Reading, Reason};
use loom_store::Seal;
use loom_syntax::{Language, Structure};

use super::reader::{FileReader, SourceFile};
use super::text_pool::PooledText;
use crate::PackOptions;
use crate::cache::{CacheEntries, CacheSession, ContentKey, Counts, EntryKey, Facts, ScanTarget};
use crate::look::decoding;
use crate::memory_gate::TakenMemory;

/// Texts above this size in bytes wait until other large texts leave them enough memory.
const LARGE: u64 = 1 << 20;

/// Bytes of memory per byte of text: the text, and the notes of the scan for secrets.
const PER_TEXT_BYTE: u64 = 2;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct FileText<'a> {
    file: SourceFile<'a>,
    hash: ContentHash,
    /// Size of the file.
    size: u64,
    /// Cache key of the contents.
    content_key: Option<ContentKey>,
    seal: OnceCell<Seal>,
    decoded: Decoded,
    language: OnceCell<Option<Language>>,
    /// The cells of a notebook without their outputs.
    cells: OnceCell<Option<String>>,
    facts: OnceCell<Facts>,
    findings: OnceCell<Vec<Finding>>,
    /// Secrets in the cells of a notebook.
    cell_findings: OnceCell<Vec<Finding>>,
    structure: OnceCell<Structure>,
    /// Its share of the memory for large texts.
    _held: Option<TakenMemory<'a>>,
}

/// The text of a file before redaction, with its cache key.
pub(crate) struct ShownParts {
    pub(crate) text: String,
    pub(crate) content_key: Option<ContentKey>,
}

impl<'a> SourceFile<'a> {
    /// Reads and decodes the file within the size limit of the options.
    pub(crate) fn read(self) -> Result<FileText<'a>, Reason> {
        self.read_within(self.options().max_file_size)
    }

    /// Reads and decodes the file if it has at most `limit` bytes. A large file waits until other
    /// large texts leave it enough memory, and reserves it as long as its text exists. A text that
    /// an earlier pass left in the pool is not read again.
    pub(crate) fn read_within(self, limit: u64) -> Result<FileText<'a>, Reason> {
        let pooled = self.reader.pool.and_then(|pool| pool.take(self.at, limit));
        match pooled {
            Some(text) => text.map(|text| FileText::from_pooled(self, text)),
            None => self.read_from_disk(limit),
        }
    }

    fn read_from_disk(self, limit: u64) -> Result<FileText<'a>, Reason> {
        let FileReader { packer, recall, .. } = self.reader;
        let read = |limit| recall.read(&packer.source, self.found, limit, self.at);
        let (reading, held): (_, Option<TakenMemory<'a>>) = match read(limit.min(LARGE)) {
            Err(Reason::TooLarge { size, .. }) if size > limit => {
                return Err(Reason::TooLarge { size, limit });
            }
            Err(Reason::TooLarge { size, .. }) => {
                let held = packer.texts.take(PER_TEXT_BYTE.saturating_mul(size));
                (read(limit)?, Some(held))
            }
            reading => (reading?, None),
        };
        self.reader.unread.counts.count_read();
        FileText::new(self, reading, held)
    }
}

impl<'a> FileText<'a> {
    /// Decodes the bytes of a file.
    pub(super) fn new(
        file: SourceFile<'a>,
        reading: Reading,
        held: Option<TakenMemory<'a>>,
    ) -> Result<Self, Reason> {
        let (hash, size) = (reading.hash, reading.bytes.len());
        let recall = file.reader.recall;
        let content_key = recall.record_read(file.at, &reading);
        let seal = match &content_key {
            Some(_) if !is_its_own_text(&reading.bytes) => OnceCell::from(Seal::of(&reading.bytes)),
            _ => OnceCell::new(),
        };
        let decoded = recall.decoded(file.at, reading)?;
        // A value must never be encrypted with a key of other bytes than those of the file.
        let has_key = seal.get().is_some() || decoded.text.len() == size;
        Ok(Self {
            file,
            hash,
            size: size as u64,
            content_key: content_key.filter(|_| has_key),
            seal,
            decoded,
            language: OnceCell::new(),
            cells: OnceCell::new(),
            facts: OnceCell::new(),
            findings: OnceCell::new(),
            cell_findings: OnceCell::new(),
            structure: OnceCell::new(),
            _held: held,
        })
    }

    /// Continues with a text that an earlier pass read.
    fn from_pooled(file: SourceFile<'a>, text: PooledText) -> Self {
        // Evidence for secrets depends on the path, which may be a redacted one by now.
        let is_same_path = file.found.path == *file.found.actual_path();
        Self {
            file,
            hash: text.hash,
            size: text.size,
            content_key: text.content_key,
            seal: text.seal,
            decoded: text.decoded,
            language: OnceCell::new(),
            cells: OnceCell::new(),
            facts: OnceCell::new(),
            findings: match is_same_path {
                true => text.findings,
                false => OnceCell::new(),
            },
            cell_findings: OnceCell::new(),
            structure: OnceCell::new(),
            _held: None,
        }
    }

    fn into_pooled(mut self) -> PooledText {
        self.decoded.text.shrink_to_fit();
        PooledText {
            hash: self.hash,
            size: self.size,
            content_key: self.content_key,
            seal: self.seal,
            decoded: self.decoded,
            findings: self.findings,
        }
    }

    /// Leaves the text to the next pass over the files, if their reader has a pool with room, and
    /// that pass does not skip the file for its size.
    pub(crate) fn leave_to_next_pass(self) {
        let file = self.file;
        if let Some(pool) = file.reader.pool
            && self.size <= file.options().max_file_size
        {
            pool.add(file.at, self.into_pooled());
        }
    }

    /// Returns the hash of the raw bytes.
    pub(crate) fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Returns the size of the file.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns its number among the files of the pass.
    pub(crate) fn number(&self) -> usize {
        self.file.at
    }

    pub(crate) fn found(&self) -> &'a FoundFile {
        self.file.found
    }

    pub(crate) fn path(&self) -> &'a RepoPath {
        self.file.path()
    }

    pub(crate) fn options(&self) -> &'a PackOptions {
        self.file.options()
    }

    /// Returns the decoded text.
    pub(crate) fn text(&self) -> &str {
        &self.decoded.text
    }

    /// Takes the decoded text.
    pub(crate) fn into_text(self) -> String {
        self.decoded.text
    }

    /// Returns the text as a pack shows it: a notebook without its outputs.
    pub(crate) fn shown(&self) -> &str {
        self.cells().unwrap_or(&self.decoded.text)
    }

    /// Takes the shown text, with the cache key of the contents.
    pub(crate) fn into_shown(self) -> ShownParts {
        self.cells();
        let cells = self.cells.into_inner().flatten();
        ShownParts {
            text: cells.unwrap_or(self.decoded.text),
            content_key: self.content_key,
        }
    }

    fn cells(&self) -> Option<&str> {
        let make = || cells_of(self.path(), &self.decoded.text);
        self.cells.get_or_init(make).as_deref()
    }

    fn is_notebook(&self) -> bool {
        self.path().extension() == Some(b"ipynb")
    }

    /// Returns the language of the decoded text.
    pub(crate) fn language(&self) -> Option<Language> {
        let detect = || Language::detect(self.path(), self.text());
        *self.language.get_or_init(detect)
    }

    /// Returns true if the cache contains the facts of these contents.
    pub(crate) fn has_cached_facts(&self) -> bool {
        self.cached_facts().is_some()
    }

    fn cached_facts(&self) -> Option<Facts> {
        let content = self.content_key.as_ref()?.content()?;
        let recall = self.file.reader.recall;
        recall.facts(self.file.at, content, self.options())
    }

    /// Returns the properties and the token count of the shown text.
    pub(crate) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            self.cached_facts().unwrap_or_else(|| {
                let facts = Facts {
                    look: self.look(),
                    counts: Counts::of(self.shown(), self.options()),
                };
                if let Some(content_key) = &self.content_key {
                    let recall = self.file.reader.recall;
                    recall.keep_facts(self.path(), content_key, &facts, self.options());
                }
                facts
            })
        })
    }

    /// Inspects the shown text without counting its tokens.
    pub(crate) fn look(&self) -> TextInspection {
        match self.facts.get() {
            Some(facts) => facts.look.clone(),
            None => TextInspection::new(
                self.path(),
                &self.decoded.text,
                self.cells(),
                decoding(&self.decoded),
            ),
        }
    }

    /// Returns the secrets in the whole text or in the shown one, without copies of those of other
    /// files. The cache only knows texts without secrets.
    pub(crate) fn findings(&self, target: ScanTarget) -> &[Finding] {
        let is_part = target == ScanTarget::Shown && self.is_notebook();
        let (cell, text) = match is_part {
            true => (&self.cell_findings, self.shown()),
            false => (&self.findings, self.text()),
        };
        cell.get_or_init(|| self.scanned(target, text))
    }

    /// Returns the secrets in a text, including copies of those of other texts.
    pub(crate) fn findings_with(&self, target: ScanTarget, copies: &Copies) -> Vec<Finding> {
        let text = match target {
            ScanTarget::File => self.text(),
            ScanTarget::Shown => self.shown(),
        };
        let findings = self.findings(target).to_vec();
        let secrets = &self.options().secrets;
        secrets.with_copies(self.path(), text, findings, copies)
    }

    /// Returns the secrets in the whole text by the default options, independent of the user's.
    pub(crate) fn default_findings(&self) -> Cow<'_, [Finding]> {
        if self.options().secrets.scans_by_default(self.path()) {
            return Cow::Borrowed(self.findings(ScanTarget::File));
        }
        self.file.reader.unread.counts.count_scan();
        let secrets = self.options().secrets.to_default();
        Cow::Owned(secrets.scan(self.path(), self.text()))
    }

    fn scanned(&self, target: ScanTarget, text: &str) -> Vec<Finding> {
        let secrets = &self.options().secrets;
        if !secrets.looks_into(self.path()) {
            return Vec::new();
        }
        let (recall, options) = (self.file.reader.recall, self.options());
        let is_clean = |content_key: &ContentKey| {
            let content = content_key.content();
            content.is_some_and(|content| {
                recall.is_clean(self.file.at, self.path(), content, options, target)
            })
        };
        if self.content_key.as_ref().is_some_and(is_clean) {
            return Vec::new();
        }
        self.file.reader.unread.counts.count_scan();
        let findings = secrets.scan(self.path(), text);
        if let Some(content_key) = self.content_key.as_ref().filter(|_| findings.is_empty()) {
            recall.keep_clean(self.path(), content_key, options, target);
        }
        findings
    }

    /// Returns the definitions, references and imports of the text.
    pub(crate) fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| {
            let Some(language) = self.language() else {
                return Structure::default();
            };
            let limits = &self.file.reader.limits;
            let entries = self.entries();
            let known = entries.and_then(|entries| entries.structure(language, limits));
            known.unwrap_or_else(|| {
                let structure = self.extracted(language, self.text());
                if let Some(entries) = entries {
                    entries.keep_structure(language, limits, &structure);
                }
                structure
            })
        })
    }

    /// Extracts the structure for the cache, unless the cache contains it.
    pub(crate) fn cache_structure(&self) {
        let is_cached = |language| {
            let limits = &self.file.reader.limits;
            let content_key = self.content_key.as_ref();
            content_key.is_some_and(|content_key| {
                self.file
                    .reader
                    .recall
                    .has_structure(content_key, language, limits)
            })
        };
        if self.structure.get().is_none() && !self.language().is_some_and(is_cached) {
            self.structure();
        }
    }

    /// Extracts the structure of another form of the text, such as the redacted one.
    pub(crate) fn structure_of(&self, text: &str) -> Structure {
        let language = self.language();
        language.map_or_else(Structure::default, |one| self.extracted(one, text))
    }

    fn extracted(&self, language: Language, text: &str) -> Structure {
        let reader = self.file.reader;
        reader.unread.counts.count_parse();
        reader.packer.extract(language, text, &reader.limits)
    }

    /// Takes the structure, for a caller that no longer needs the text.
    pub(crate) fn take_structure(&mut self) -> Structure {
        self.structure();
        self.structure.take().unwrap_or_default()
    }

    /// Returns the cache entries of the text.
    pub(crate) fn entries(&self) -> Option<CacheEntries<'_>> {
        Some(CacheEntries {
            recall: self.file.reader.recall,
            content_key: self.content_key.as_ref()?,
            seal: self.seal(),
        })
    }

    /// Returns the key of the cache entries, which may outlive the text.
    pub(crate) fn key(&self) -> Option<EntryKey> {
        Some(EntryKey {
            content_key: self.content_key.clone()?,
            seal: self.seal().clone(),
        })
    }

    /// Returns the cache entries of the files of its pass.
    pub(crate) fn recall(&self) -> &'a CacheSession {
        self.file.reader.recall
    }

    fn seal(&self) -> &Seal {
        let make = || Seal::of(self.decoded.text.as_bytes());
        self.seal.get_or_init(make)
    }
}

/// Returns true if the bytes of a file are its text, so that the text gives their hash.
fn is_its_own_text(bytes: &[u8]) -> bool {
    let has_mark = bytes.starts_with(b"\xef\xbb\xbf");
    !has_mark && memchr::memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok()
}
