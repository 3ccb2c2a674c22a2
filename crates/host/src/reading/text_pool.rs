//! Texts that one pass of a run leaves to the next one, so that a repository that fits into the
//! share is read once. Files beyond the share are read again: the only second read of a run.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use loom_base::ContentHash;
use loom_secrets::Finding;
use loom_source::{Decoded, Reason};
use loom_store::Seal;

use crate::cache::ContentKey;

/// The text of a file between two passes, with the values that do not depend on the pass.
#[derive(Debug)]
pub(super) struct PooledText {
    pub(super) hash: ContentHash,
    pub(super) size: u64,
    pub(super) content_key: Option<ContentKey>,
    pub(super) seal: OnceCell<Seal>,
    pub(super) decoded: Decoded,
    pub(super) findings: OnceCell<Vec<Finding>>,
}

impl PooledText {
    /// Estimates its memory in bytes.
    fn held_bytes(&self) -> usize {
        let findings = self.findings.get().map_or(0, Vec::capacity);
        size_of::<Self>() + self.decoded.text.capacity() + findings * size_of::<Finding>()
    }
}

/// Texts by file number, within a share of the memory.
#[derive(Debug)]
pub(crate) struct TextPool {
    /// Bytes that may still be added.
    free: AtomicUsize,
    texts: Mutex<HashMap<usize, PooledText>>,
}

impl TextPool {
    /// Creates a pool for at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            free: AtomicUsize::new(bytes),
            texts: Mutex::default(),
        }
    }

    /// Adds the text of the file number `at`, unless it exceeds the rest of the share.
    pub(super) fn add(&self, at: usize, text: PooledText) {
        let take = |free: usize| free.checked_sub(text.held_bytes());
        let order = Ordering::Relaxed;
        if self.free.fetch_update(order, order, take).is_ok() {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.insert(at, text);
        }
    }

    /// Takes the text of the file number `at`; `None` if the file must be read. A text above
    /// `limit` bytes stays in the pool.
    pub(super) fn take(&self, at: usize, limit: u64) -> Option<Result<PooledText, Reason>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        match texts.get(&at)?.size {
            size if size > limit => Some(Err(Reason::TooLarge { size, limit })),
            _ => texts.remove(&at).map(Ok),
        }
    }
}

#[cfg(test)]
mod tests;
