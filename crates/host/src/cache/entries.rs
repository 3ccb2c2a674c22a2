//! The cached values of one text. They quote it, so they are encrypted with its content key. The
//! neighbouring modules own the serialization of each kind of value.

use loom_store::{Seal, ValueKind};
use loom_syntax::Structure;

use super::structure::{STRUCTURE, structure_variant};
use super::{CacheSession, ContentKey};
use crate::{Language, Limits};

/// The contents of a text, with the content key of the values that quote it.
#[derive(Debug)]
pub(crate) struct EntryKey {
    pub(crate) content_key: ContentKey,
    pub(crate) seal: Seal,
}

impl EntryKey {
    /// Returns the cache entries of the text.
    pub(crate) fn entries<'a>(&'a self, recall: &'a CacheSession) -> CacheEntries<'a> {
        CacheEntries {
            recall,
            content_key: &self.content_key,
            seal: &self.seal,
        }
    }
}

/// The cache entries of one text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheEntries<'a> {
    pub(crate) recall: &'a CacheSession,
    pub(crate) content_key: &'a ContentKey,
    pub(crate) seal: &'a Seal,
}

impl CacheEntries<'_> {
    /// Returns the cached structure of the text.
    pub(crate) fn structure(self, language: Language, limits: &Limits) -> Option<Structure> {
        let variant = structure_variant(language, limits);
        Structure::from_bytes(&self.get(STRUCTURE, variant)?)
    }

    /// Caches the structure of the text, encrypted with its content key.
    pub(crate) fn keep_structure(self, language: Language, limits: &Limits, structure: &Structure) {
        let variant = structure_variant(language, limits);
        self.keep(STRUCTURE, variant, &structure.to_bytes());
    }

    /// Returns a cached value of any kind.
    pub(crate) fn get(self, kind: ValueKind, variant: i64) -> Option<Vec<u8>> {
        self.recall
            .sealed(self.content_key, kind, variant, self.seal)
    }

    /// Caches a value of any kind.
    pub(crate) fn keep(self, kind: ValueKind, variant: i64, value: &[u8]) {
        self.recall
            .keep_sealed(self.content_key, kind, variant, value, self.seal);
    }
}
