//! Reads ahead, for a process that lives on.

use std::ops::ControlFlow;

use loom_lookup::Keep;

use super::Searcher;
use super::searcher::AHEAD;
use crate::Cancel;
use crate::ordered::ordered;

impl Searcher {
    /// Reads up to `most` files that queries will ask for, as far as there is room. Says
    /// whether there are more.
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
                // Asked for again, it is known what it can match.
                let _ = self.text(wanted[at], Keep::Yes);
                let _ = self.text(wanted[at], Keep::Yes);
            }
        };
        let go_on = |_, ()| match stops() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        ordered(wanted.len(), threads, AHEAD, |_| 1, work, go_on);
        // What cannot be read, or is too large to be kept, is not tried for ever.
        wanted.len() == most && self.texts.len() > before && !stops()
    }
}
