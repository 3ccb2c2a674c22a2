//! The files of one pass before reading: their cache entries, and the way to read them.

use loom_base::{ContentHash, RepoPath};
use loom_secrets::Finding;
use loom_source::{FoundFile, Reason, decode};
use loom_store::Version;
use loom_syntax::Limits;

use super::text_pool::TextPool;
use crate::cache::{CacheSession, Facts, ScanTarget};
use crate::unread::Unread;
use crate::{PackOptions, Packer};

/// Reads the files of one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileReader<'a> {
    pub(super) packer: &'a Packer,
    /// Cache entries of these files.
    pub(super) recall: &'a CacheSession,
    /// Counts the reads of the run.
    pub(super) unread: &'a Unread,
    /// Limits of each parse.
    pub(super) limits: Limits,
    /// Texts that the previous pass over the same files read.
    pub(super) pool: Option<&'a TextPool>,
}

/// A file of a pass before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceFile<'a> {
    pub(super) reader: FileReader<'a>,
    pub(super) found: &'a FoundFile,
    /// Its number among the files of the pass.
    pub(super) at: usize,
}

impl<'a> FileReader<'a> {
    /// Reads files whose cache entries are in `recall`.
    pub(crate) fn new(packer: &'a Packer, recall: &'a CacheSession, unread: &'a Unread) -> Self {
        Self {
            packer,
            recall,
            unread,
            limits: packer.options.parse_limits(),
            pool: None,
        }
    }

    /// Returns the cache entries of the files.
    pub(crate) fn recall(self) -> &'a CacheSession {
        self.recall
    }

    /// Parses within these limits.
    pub(crate) fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Takes texts from the pool before it reads a file, and lets passes add texts to it.
    pub(crate) fn with_pool(self, pool: &'a TextPool) -> Self {
        Self {
            pool: Some(pool),
            ..self
        }
    }

    /// Reads files without the cache.
    pub(crate) fn uncached(packer: &'a Packer, unread: &'a Unread) -> Self {
        Self::new(packer, CacheSession::none(), unread)
    }

    /// Returns the file number `at` of the pass.
    pub(crate) fn file(self, found: &'a FoundFile, at: usize) -> SourceFile<'a> {
        SourceFile {
            reader: self,
            found,
            at,
        }
    }
}

impl<'a> SourceFile<'a> {
    pub(crate) fn found(self) -> &'a FoundFile {
        self.found
    }

    /// Returns the cache entries of the files of its pass.
    pub(crate) fn recall(self) -> &'a CacheSession {
        self.reader.recall
    }

    /// Returns its number among the files of the pass.
    pub(crate) fn number(self) -> usize {
        self.at
    }

    pub(crate) fn path(self) -> &'a RepoPath {
        &self.found.path
    }

    pub(crate) fn options(self) -> &'a PackOptions {
        &self.reader.packer.options
    }

    /// Returns the size and contents of a file that did not change since it was cached.
    pub(crate) fn version(self) -> Option<(u64, &'a Version)> {
        self.reader.recall.version(self.at)
    }

    /// Returns true unless the last contents of the file in the cache have this `hash`.
    pub(crate) fn is_changed_from_cache(self, hash: &ContentHash) -> bool {
        let version = self.version().map(|(_, version)| version);
        let before = version.or_else(|| self.reader.recall.before(self.at));
        !matches!(before, Some(Version::Content(_, before)) if before == hash)
    }

    /// Returns the cached facts of a file that did not change.
    pub(crate) fn cached_facts(self) -> Option<Facts> {
        match self.version()?.1 {
            Version::Binary => None,
            Version::Content(content, _) => {
                self.reader.recall.facts(self.at, content, self.options())
            }
        }
    }

    /// Returns true if the cache shows, without a read, that the file contains no secret.
    pub(crate) fn is_cached_clean(self, target: ScanTarget) -> bool {
        match self.version() {
            Some((_, Version::Content(content, _))) => {
                let (recall, path) = (self.reader.recall, self.path());
                recall.is_clean(self.at, path, content, self.options(), target)
            }
            _ => false,
        }
    }

    /// Reads versions of a file that is being replaced, each with its secrets. These texts only
    /// contribute secrets; they are not cached.
    pub(crate) fn each_version(self, mut learn: impl FnMut(&str, &[Finding])) {
        let (limit, counts) = (self.options().learning_limit(), &self.reader.unread.counts);
        let source = &self.reader.packer.source;
        source.each_version(self.found, limit, |bytes| {
            counts.count_read();
            if let Ok(decoded) = decode(bytes) {
                counts.count_scan();
                let findings = self.options().secrets.scan(self.path(), &decoded.text);
                learn(&decoded.text, &findings);
            }
        });
    }

    /// Reads the momentary state of a file that is being written, with its secrets. Such a text
    /// only contributes secrets; it is not cached.
    pub(crate) fn read_at_once(self) -> Result<(String, Vec<Finding>), Reason> {
        let limit = self.options().learning_limit();
        let bytes = self.reader.packer.source.read_once(self.found, limit);
        self.reader.unread.counts.count_read();
        let text = decode(bytes.ok_or(Reason::KeptChanging)?).map_err(|_| Reason::Binary)?;
        self.reader.unread.counts.count_scan();
        let findings = self.options().secrets.scan(self.path(), &text.text);
        Ok((text.text, findings))
    }
}
