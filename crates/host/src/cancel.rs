//! A cancellation request that all workers of a run share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Cancels a run. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    asked: Arc<AtomicBool>,
    /// The requests of the enclosing runs.
    above: Vec<Arc<AtomicBool>>,
    /// Deadline; the run counts as cancelled from then on.
    until: Option<Instant>,
}

impl Cancel {
    /// Creates a request that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the run.
    pub fn cancel(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Returns the same request with a deadline: it counts as cancelled after `time`.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let until = Instant::now().checked_add(time);
        Self {
            asked: Arc::clone(&self.asked),
            above: self.above.clone(),
            until: [self.until, until].into_iter().flatten().min(),
        }
    }

    /// Returns a request for a part of this run. Cancelling the run cancels the part, but not vice
    /// versa.
    #[must_use]
    pub fn child(&self) -> Self {
        let above = self.above.iter().chain([&self.asked]);
        Self {
            asked: Arc::default(),
            above: above.map(Arc::clone).collect(),
            until: self.until,
        }
    }

    /// Returns true if there is a deadline.
    pub fn has_end(&self) -> bool {
        self.until.is_some()
    }

    /// Returns true if the run is cancelled or past its deadline.
    pub fn is_cancelled(&self) -> bool {
        let is_over = |until: Instant| Instant::now() >= until;
        let is_asked = |one: &Arc<AtomicBool>| one.load(Ordering::Relaxed);
        is_asked(&self.asked) || self.above.iter().any(is_asked) || self.until.is_some_and(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_ends_with_its_parent_and_not_the_other_way_round() {
        let parent = Cancel::new();
        let (one, other) = (parent.child(), parent.child().child());
        one.cancel();
        assert!(one.is_cancelled() && !parent.is_cancelled() && !other.is_cancelled());
        parent.cancel();
        assert!(other.is_cancelled());
    }

    #[test]
    fn a_stop_is_asked_for_or_comes_with_time() {
        let cancel = Cancel::new();
        let (soon, later) = (
            cancel.within(Duration::ZERO),
            cancel.within(Duration::from_secs(3600)),
        );
        assert!(soon.is_cancelled() && soon.within(Duration::from_secs(9)).is_cancelled());
        assert!(!later.is_cancelled() && !cancel.is_cancelled());
        assert!(later.has_end() && !cancel.has_end());
        later.cancel();
        assert!(cancel.is_cancelled());
    }

    #[test]
    fn clone_shares_the_request_and_the_deadline() {
        let cancel = Cancel::new().within(Duration::ZERO);
        assert!(cancel.clone().is_cancelled());
        let cancel = Cancel::new();
        let (clone, child) = (cancel.clone(), cancel.clone().child());
        clone.cancel();
        assert!(cancel.is_cancelled() && child.is_cancelled());
    }

    /// The earlier of two deadlines holds, and a part of a run keeps that of the run.
    #[test]
    fn earlier_deadline_holds() {
        let long = Duration::from_secs(3600);
        let cancel = Cancel::new().within(Duration::ZERO);
        assert!(cancel.within(long).is_cancelled());
        assert!(cancel.child().is_cancelled() && cancel.child().has_end());
        let patient = Cancel::new().within(long);
        assert!(!patient.child().is_cancelled() && !patient.within(long).is_cancelled());
        assert!(patient.within(Duration::ZERO).is_cancelled());
        assert!(!Cancel::new().within(Duration::MAX).is_cancelled());
    }
}
