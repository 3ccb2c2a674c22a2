//! The sessions of clients: which are used, and which of them gives way when a new client
//! comes and there is no room. What a session says is not known here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of a session.
type Id = Arc<str>;

/// The use of all sessions.
#[derive(Clone, Default)]
pub(super) struct Sessions(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    /// Counts what happens: the session with the smallest number is idle longest.
    now: u64,
    used: HashMap<Id, Use>,
}

#[derive(Default)]
struct Use {
    last: u64,
    /// Calls in flight and open streams.
    open: usize,
}

impl Sessions {
    /// Notes a session that has begun. Forgets those that are no longer there.
    pub(super) fn begin(&self, id: &str, is_there: impl Fn(&str) -> bool) {
        let mut table = self.lock();
        table.used.retain(|id, _| is_there(id));
        let last = table.tick();
        let new = Use { last, open: 0 };
        table.used.insert(Arc::from(id), new);
    }

    /// Says that a request of a session is here: until the returned value is dropped, the
    /// session does not give way.
    pub(super) fn work(&self, id: &str) -> SessionWork {
        let mut table = self.lock();
        let last = table.tick();
        // Nothing is kept for a name that somebody made up.
        let known = table.used.get_key_value(id).map(|(id, _)| Arc::clone(id));
        if let Some(used) = table.used.get_mut(id) {
            used.last = last;
            used.open += 1;
        }
        drop(table);
        SessionWork {
            sessions: self.clone(),
            id: known,
        }
    }

    /// Takes the session out that has been idle longest. Returns `None` if all are at work.
    pub(super) fn give_way(&self) -> Option<Id> {
        let mut table = self.lock();
        let idle = table.used.iter().filter(|(_, used)| used.open == 0);
        let longest = idle.min_by_key(|(_, used)| used.last);
        let id = longest.map(|(id, _)| Arc::clone(id))?;
        table.used.remove(&id);
        Some(id)
    }

    /// A panic elsewhere leaves the table as it was: every change is one step.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }
}

/// A request of a session that is answered.
pub(super) struct SessionWork {
    sessions: Sessions,
    id: Option<Id>,
}

impl Drop for SessionWork {
    fn drop(&mut self) {
        let Some(id) = &self.id else {
            return;
        };
        let mut table = self.sessions.lock();
        let last = table.tick();
        if let Some(used) = table.used.get_mut(id) {
            used.last = last;
            used.open = used.open.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_that_is_idle_longest_gives_way() {
        let sessions = Sessions::default();
        for id in ["a", "b", "c", "d"] {
            sessions.begin(id, |_| true);
        }
        let stream = sessions.work("a");
        drop(sessions.work("b"));
        assert_eq!(sessions.give_way().as_deref(), Some("c"));
        assert_eq!(sessions.give_way().as_deref(), Some("d"));
        assert_eq!(sessions.give_way().as_deref(), Some("b"));
        assert_eq!(sessions.give_way(), None);
        drop(stream);
        assert_eq!(sessions.give_way().as_deref(), Some("a"));
    }

    #[test]
    fn nothing_is_kept_for_unknown_and_ended_sessions() {
        let sessions = Sessions::default();
        drop(sessions.work("made-up"));
        sessions.begin("a", |_| true);
        sessions.begin("b", |id| id != "a");
        assert_eq!(sessions.lock().used.len(), 1);
    }
}
