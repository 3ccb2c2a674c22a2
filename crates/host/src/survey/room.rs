//! Limits the text that a survey keeps in memory, and the concurrent reads of large files.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of text that may still be kept, and a lock for large files.
pub(crate) struct Room {
    left: AtomicUsize,
    pub(super) large: Mutex<()>,
}

impl Room {
    /// Creates room for `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            left: AtomicUsize::new(bytes),
            large: Mutex::new(()),
        }
    }

    /// Keeps a text, if there is room for it.
    pub(crate) fn keep(&self, mut text: String) -> Option<String> {
        let take = |room: usize| room.checked_sub(text.len());
        let order = Ordering::Relaxed;
        self.left.fetch_update(order, order, take).ok()?;
        text.shrink_to_fit();
        Some(text)
    }
}
