//! Fills the text cache in advance, for a long-running process.

use std::ops::ControlFlow;

use loom_lookup::Keep;

use super::Searcher;
use super::searcher::AHEAD;
use crate::Cancel;
use crate::ordered::ordered;

impl Searcher {
    /// Reads up to `most` indexed files into the cache while there is room. Returns true if there
    /// are more.
    pub fn warm(&self, most: usize, threads: usize, cancel: &Cancel) -> bool {
        let hash = |number: usize| {
            let place = self.known[number].place();
            place.and_then(|place| self.index.hash(place))
        };
        let wanted: Vec<usize> = (0..self.files.len())
            .filter(|number| hash(*number).is_some_and(|hash| !self.texts.has(&hash)))
            .take(most)
            .collect();
        let before = self.texts.len();
        let stops = || cancel.is_cancelled() || self.texts.is_full();
        let work = |at: usize| {
            if !stops() {
                // The second call builds the filter of a content that was redacted.
                let _ = self.text(wanted[at], Keep::Yes);
                let _ = self.text(wanted[at], Keep::Yes);
            }
        };
        let go_on = |_, ()| match stops() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        ordered(wanted.len(), threads, AHEAD, |_| 1, work, go_on);
        // Stop if no text was added: unreadable and oversized files would be tried forever.
        wanted.len() == most && self.texts.len() > before && !stops()
    }
}
