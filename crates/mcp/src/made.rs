//! Something that takes long to make from the files: made in the background, by one
//! thread at a time. Who cannot wait gets what was made of an earlier state.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    /// The state that nothing could be made of last.
    failed: Option<u64>,
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

impl<T> Now<T> {
    /// What is made of this state, or of a later one.
    fn current(&self, state: u64) -> Option<Arc<T>> {
        let made = self.made.as_ref().filter(|(of, _)| *of >= state);
        made.map(|(_, made)| Arc::clone(made))
    }

    fn got(&self, state: u64) -> Got<T> {
        match (self.current(state), &self.made) {
            (Some(made), _) => Got::Current(made),
            (None, Some((_, made))) => Got::Earlier(Arc::clone(made)),
            (None, None) => Got::Nothing,
        }
    }
}

impl<T: Send + Sync + 'static> Made<T> {
    pub(crate) fn new() -> Arc<Self> {
        let now = Now {
            made: None,
            making: None,
            failed: None,
        };
        Arc::new(Self {
            now: Mutex::new(now),
            changed: Condvar::new(),
        })
    }

    /// What is made of `state`; states grow. Nobody else makes anything at the same time:
    /// where an earlier state is being made, this one is begun when that is done, as long
    /// as somebody waits for it. Nobody waits longer than `time`.
    pub(crate) fn get(
        self: &Arc<Self>,
        state: u64,
        time: Duration,
        make: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Got<T> {
        let began = Instant::now();
        let mut make = Some(make);
        let mut now = lock(&self.now);
        loop {
            if now.current(state).is_some() {
                return now.got(state);
            }
            if now.making.is_none() {
                let Some(make) = make.take() else {
                    // It was begun here, and nothing came of it.
                    return now.got(state);
                };
                now.making = Some(state);
                now.failed = None;
                let work = Work {
                    of: state,
                    slot: Arc::clone(self),
                };
                std::thread::spawn(move || work.done(make()));
            }
            let left = time.saturating_sub(began.elapsed());
            let (making, is_there) = (now.making, |now: &Now<T>| now.current(state).is_some());
            let waits = |now: &mut Now<T>| now.making == making && !is_there(now);
            let waited = self.changed.wait_timeout_while(now, left, waits);
            let (after, is_over) = waited.unwrap_or_else(PoisonError::into_inner);
            now = after;
            if is_over.timed_out() || now.failed == Some(state) {
                return now.got(state);
            }
        }
    }

    /// Gives back what was made.
    pub(crate) fn forget(&self) {
        lock(&self.now).made = None;
    }
}

/// Somebody who makes something; when it goes, whatever happened, the next one may begin.
struct Work<T> {
    of: u64,
    slot: Arc<Made<T>>,
}

impl<T> Work<T> {
    fn done(self, made: Option<T>) {
        let mut now = lock(&self.slot.now);
        let is_newer = now.made.as_ref().is_none_or(|(of, _)| *of < self.of);
        match made {
            Some(made) if is_newer => now.made = Some((self.of, Arc::new(made))),
            Some(_) => {}
            None => now.failed = Some(self.of),
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        lock(&self.slot.now).making = None;
        self.slot.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
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
        // What is newer than asked for is right too, and stays.
        assert_eq!(current(made.get(1, LONG, || Some(12))), Some(20));
        made.forget();
        assert_eq!(current(made.get(2, LONG, || Some(21))), Some(21));
    }

    #[test]
    fn who_does_not_wait_gets_the_earlier_one() {
        let made = Made::new();
        let (go, wait) = channel::<()>();
        let slow = move || wait.recv().ok().map(|()| 20);
        assert!(matches!(made.get(0, LONG, || None), Got::Nothing));
        assert_eq!(current(made.get(1, LONG, || Some(10))), Some(10));
        assert!(matches!(made.get(2, Duration::ZERO, slow), Got::Earlier(one) if *one == 10));
        go.send(()).unwrap();
        assert_eq!(current(made.get(2, LONG, || None)), Some(20));
    }

    #[test]
    fn one_is_made_at_a_time_however_often_the_files_change() {
        let made = Made::new();
        let (go, wait) = channel::<()>();
        let (at_work, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let make = |of: u64, before: Box<dyn FnOnce() + Send>| {
            let (at_work, most) = (Arc::clone(&at_work), Arc::clone(&most));
            move || {
                let now = at_work.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                before();
                at_work.fetch_sub(1, Ordering::SeqCst);
                Some(of)
            }
        };
        let waits: Box<dyn FnOnce() + Send> = Box::new(move || wait.recv().unwrap());
        assert!(matches!(
            made.get(1, Duration::ZERO, make(1, waits)),
            Got::Nothing
        ));
        for state in 2..50 {
            let got = made.get(state, Duration::ZERO, make(state, Box::new(|| {})));
            assert!(matches!(got, Got::Nothing));
        }
        let waiting: Vec<_> = (0..8)
            .map(|_| {
                let (made, make) = (Arc::clone(&made), make(50, Box::new(|| {})));
                std::thread::spawn(move || current(made.get(50, LONG, make)))
            })
            .collect();
        go.send(()).unwrap();
        for one in waiting {
            assert_eq!(one.join().unwrap(), Some(50));
        }
        assert_eq!(most.load(Ordering::SeqCst), 1);
        assert_eq!(current(made.get(3, LONG, || None)), Some(50));
    }

    #[test]
    fn a_maker_that_breaks_does_not_stop_the_next() {
        let made = Made::<u64>::new();
        let broken = || -> Option<u64> { panic!("on purpose") };
        assert!(matches!(made.get(1, LONG, broken), Got::Nothing));
        assert_eq!(current(made.get(1, LONG, || Some(10))), Some(10));
    }
}
