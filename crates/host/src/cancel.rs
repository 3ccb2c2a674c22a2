//! A request to stop, shared by everybody who works on a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asks a run to stop. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    asked: Arc<AtomicBool>,
    /// The requests of those who started this run.
    above: Vec<Arc<AtomicBool>>,
    /// From then on nobody waits any more.
    until: Option<Instant>,
}

impl Cancel {
    /// One that nobody has asked to stop yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the stop.
    pub fn cancel(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// The same request for who has no more than this time: it counts as asked for then.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let until = Instant::now().checked_add(time);
        Self {
            asked: Arc::clone(&self.asked),
            above: self.above.clone(),
            until: [self.until, until].into_iter().flatten().min(),
        }
    }

    /// A request for a part of this run. It ends with this one, and not the other way round.
    #[must_use]
    pub fn child(&self) -> Self {
        let above = self.above.iter().chain([&self.asked]);
        Self {
            asked: Arc::default(),
            above: above.map(Arc::clone).collect(),
            until: self.until,
        }
    }

    /// Whether it counts as asked for at some time.
    pub fn has_end(&self) -> bool {
        self.until.is_some()
    }

    /// Whether a stop was asked for.
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
}
