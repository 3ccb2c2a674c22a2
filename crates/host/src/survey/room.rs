//! Limits the text that a survey keeps in memory, and the concurrent reads of large files.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of text that may still be kept, and a lock for large files.
pub(crate) struct Room {
    left: AtomicUsize,
    pub(crate) large: Mutex<()>,
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The kept texts fit into the room, and a text that fits is kept.
        #[test]
        fn kept_texts_fit(room in 0usize..200, sizes in prop::collection::vec(0usize..80, 0..12)) {
            let limit = Room::new(room);
            let mut left = room;
            for size in sizes {
                let mut text = "x".repeat(size);
                text.reserve(1_000);
                match limit.keep(text) {
                    Some(kept) => {
                        prop_assert!(kept.len() == size && kept.capacity() < 1_000);
                        left = left.checked_sub(size).unwrap();
                    }
                    None => prop_assert!(size > left),
                }
            }
        }
    }
}
