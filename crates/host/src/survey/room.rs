//! How much text a survey keeps in memory, and whose turn it is to read a large file.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes of text that may still be kept, and the turn of a large file.
pub(crate) struct Room {
    left: AtomicUsize,
    pub(super) large: Mutex<()>,
}

impl Room {
    /// Room for so many bytes.
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
