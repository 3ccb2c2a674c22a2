//! Texts that one pass of a run leaves to the next one, so that a repository that fits into the
//! share is read once. Files beyond the share are read again: the only second read of a run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use loom_source::Reason;

use super::file_text::{FileText, PooledText};
use super::reader::SourceFile;

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

    /// Adds the text of a file, unless it exceeds the rest of the share or the next pass would
    /// skip it for its size.
    pub(super) fn add(&self, text: FileText<'_>) {
        if text.size() > text.options().max_file_size {
            return;
        }
        let (at, text) = (text.number(), text.into_pooled());
        let take = |free: usize| free.checked_sub(text.held_bytes());
        let order = Ordering::Relaxed;
        if self.free.fetch_update(order, order, take).is_ok() {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.insert(at, text);
        }
    }

    /// Takes the text of a file; `None` if the file must be read. A text above `limit` bytes stays
    /// in the pool.
    pub(super) fn take<'a>(
        &self,
        file: SourceFile<'a>,
        limit: u64,
    ) -> Option<Result<FileText<'a>, Reason>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let size = texts.get(&file.number())?.size();
        if size > limit {
            return Some(Err(Reason::TooLarge { size, limit }));
        }
        let text = texts.remove(&file.number())?;
        drop(texts);
        Some(Ok(FileText::from_pooled(file, text)))
    }
}

#[cfg(test)]
mod tests;
