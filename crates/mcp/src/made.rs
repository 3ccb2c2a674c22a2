//! Something that takes long to make from the files: made in the background, once for
//! each state of them. Who cannot wait gets what was made of an earlier state.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::root::lock;

/// What was made last, and what is being made.
#[derive(Debug)]
pub(crate) struct Made<T> {
    now: Mutex<Now<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Now<T> {
    made: Option<(u64, Arc<T>)>,
    making: Option<u64>,
}

/// What somebody gets who waited.
#[derive(Debug)]
pub(crate) enum Got<T> {
    /// Of the files as they are.
    Current(Arc<T>),
    /// Of the files before they changed; another one is being made.
    Earlier(Arc<T>),
    /// Nothing yet.
    Nothing,
}

impl<T: Send + Sync + 'static> Made<T> {
    pub(crate) fn new() -> Arc<Self> {
        let now = Now {
            made: None,
            making: None,
        };
        Arc::new(Self {
            now: Mutex::new(now),
            changed: Condvar::new(),
        })
    }

    /// What is made of `state`. Nobody else makes it at the same time, and nobody waits
    /// longer than `time`.
    pub(crate) fn get(
        self: &Arc<Self>,
        state: u64,
        time: Duration,
        make: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Got<T> {
        let mut now = lock(&self.now);
        let is_made = |now: &Now<T>| now.made.as_ref().is_some_and(|(of, _)| *of == state);
        if !is_made(&now) && now.making != Some(state) {
            now.making = Some(state);
            let slot = Arc::clone(self);
            std::thread::spawn(move || slot.keep(state, make()));
        }
        let waits = |now: &mut Now<T>| !is_made(now) && now.making == Some(state);
        let waited = self.changed.wait_timeout_while(now, time, waits);
        let (now, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &now.made {
            Some((of, made)) if *of == state => Got::Current(Arc::clone(made)),
            Some((_, made)) => Got::Earlier(Arc::clone(made)),
            None => Got::Nothing,
        }
    }

    fn keep(&self, state: u64, made: Option<T>) {
        let mut now = lock(&self.now);
        if let Some(made) = made {
            now.made = Some((state, Arc::new(made)));
        }
        if now.making == Some(state) {
            now.making = None;
        }
        self.changed.notify_all();
    }

    /// Gives back what was made.
    pub(crate) fn forget(&self) {
        lock(&self.now).made = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn current(got: Got<u64>) -> Option<u64> {
        match got {
            Got::Current(made) => Some(*made),
            _ => None,
        }
    }

    #[test]
    fn it_is_made_once_and_again_for_another_state() {
        let made = Made::new();
        assert_eq!(current(made.get(1, LONG, || Some(10))), Some(10));
        assert_eq!(current(made.get(1, LONG, || Some(11))), Some(10));
        assert_eq!(current(made.get(2, LONG, || Some(20))), Some(20));
        made.forget();
        assert_eq!(current(made.get(2, LONG, || Some(21))), Some(21));
    }

    #[test]
    fn who_does_not_wait_gets_the_earlier_one() {
        let made = Made::new();
        let (go, wait) = channel::<()>();
        let slow = move || wait.recv().ok().map(|()| 20);
        assert!(matches!(made.get(0, Duration::ZERO, || None), Got::Nothing));
        assert_eq!(current(made.get(1, LONG, || Some(10))), Some(10));
        assert!(matches!(made.get(2, Duration::ZERO, slow), Got::Earlier(one) if *one == 10));
        go.send(()).unwrap();
        assert_eq!(current(made.get(2, LONG, || None)), Some(20));
    }
}
