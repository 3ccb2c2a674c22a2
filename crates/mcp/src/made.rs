//! Something that takes long to make from the files: made in the background, by one
//! thread at a time. Who cannot wait gets what was made of an earlier state.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use infiniloom::host::Cancel;

/// Who waits looks so often whether anybody still waits for the answer.
pub(crate) const LOOKS: Duration = Duration::from_millis(50);

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
    /// The state that nothing could be made of last, and why.
    failed: Option<(u64, String)>,
}

/// What somebody gets who waited.
#[derive(Debug)]
pub(crate) enum Got<T> {
    /// Of the files as they are.
    Current(Arc<T>),
    /// Of the files before they changed; another one is being made.
    Earlier(Arc<T>),
    /// It cannot be made of the files as they are.
    Failed(String),
    /// Nothing yet.
    Nothing,
}

impl<T> Now<T> {
    /// What is made of this state, or of a later one.
    fn current(&self, state: u64) -> Option<Arc<T>> {
        let made = self.made.as_ref().filter(|(of, _)| *of >= state);
        made.map(|(_, made)| Arc::clone(made))
    }

    fn failed(&self, state: u64) -> Option<&String> {
        let failed = self.failed.as_ref().filter(|(of, _)| *of >= state);
        failed.map(|(_, why)| why)
    }

    fn got(&self, state: u64) -> Got<T> {
        match (self.current(state), self.failed(state), &self.made) {
            (Some(made), ..) => Got::Current(made),
            (None, Some(why), _) => Got::Failed(why.clone()),
            (None, None, Some((_, made))) => Got::Earlier(Arc::clone(made)),
            (None, None, None) => Got::Nothing,
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
    /// as somebody waits for it. Nobody waits longer than `time`, or after a stop. What
    /// failed is told at once, and tried again meanwhile.
    pub(crate) fn get(
        self: &Arc<Self>,
        state: u64,
        time: Duration,
        cancel: &Cancel,
        make: impl FnOnce() -> Result<T, String> + Send + 'static,
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
                let work = Work {
                    of: state,
                    slot: Arc::clone(self),
                };
                std::thread::spawn(move || work.done(make()));
            }
            let left = time.saturating_sub(began.elapsed());
            if left.is_zero() || cancel.is_cancelled() || now.failed(state).is_some() {
                return now.got(state);
            }
            let making = now.making;
            let waits = |now: &mut Now<T>| now.making == making && now.current(state).is_none();
            let waited = self.changed.wait_timeout_while(now, left.min(LOOKS), waits);
            now = waited.unwrap_or_else(PoisonError::into_inner).0;
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
    fn done(self, made: Result<T, String>) {
        let mut now = lock(&self.slot.now);
        let is_newer = now.made.as_ref().is_none_or(|(of, _)| *of < self.of);
        match made {
            Ok(made) if is_newer => {
                now.made = Some((self.of, Arc::new(made)));
                now.failed = None;
            }
            Ok(_) => {}
            Err(why) => now.failed = Some((self.of, why)),
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        lock(&self.slot.now).making = None;
        self.slot.changed.notify_all();
    }
}

/// Locks, also after a thread that had the lock panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert_eq!(
            current(made.get(1, LONG, &Cancel::new(), || Ok(10))),
            Some(10)
        );
        assert_eq!(
            current(made.get(1, LONG, &Cancel::new(), || Ok(11))),
            Some(10)
        );
        assert_eq!(
            current(made.get(2, LONG, &Cancel::new(), || Ok(20))),
            Some(20)
        );
        // What is newer than asked for is right too, and stays.
        assert_eq!(
            current(made.get(1, LONG, &Cancel::new(), || Ok(12))),
            Some(20)
        );
        made.forget();
        assert_eq!(
            current(made.get(2, LONG, &Cancel::new(), || Ok(21))),
            Some(21)
        );
    }

    #[test]
    fn who_does_not_wait_gets_the_earlier_one() {
        let made = Made::new();
        let (go, wait) = channel::<()>();
        let slow = move || wait.recv().map(|()| 20).map_err(|_| "gone".to_owned());
        assert!(
            matches!(made.get(0, LONG, &Cancel::new(), || Err("no".to_owned())), Got::Failed(why) if why == "no")
        );
        assert_eq!(
            current(made.get(1, LONG, &Cancel::new(), || Ok(10))),
            Some(10)
        );
        assert!(
            matches!(made.get(2, Duration::ZERO, &Cancel::new(), slow), Got::Earlier(one) if *one == 10)
        );
        go.send(()).unwrap();
        assert_eq!(
            current(made.get(2, LONG, &Cancel::new(), || Err("no".to_owned()))),
            Some(20)
        );
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
                Ok(of)
            }
        };
        let waits: Box<dyn FnOnce() + Send> = Box::new(move || wait.recv().unwrap());
        assert!(matches!(
            made.get(1, Duration::ZERO, &Cancel::new(), make(1, waits)),
            Got::Nothing
        ));
        for state in 2..50 {
            let got = made.get(
                state,
                Duration::ZERO,
                &Cancel::new(),
                make(state, Box::new(|| {})),
            );
            assert!(matches!(got, Got::Nothing));
        }
        let waiting: Vec<_> = (0..8)
            .map(|_| {
                let (made, make) = (Arc::clone(&made), make(50, Box::new(|| {})));
                std::thread::spawn(move || current(made.get(50, LONG, &Cancel::new(), make)))
            })
            .collect();
        go.send(()).unwrap();
        for one in waiting {
            assert_eq!(one.join().unwrap(), Some(50));
        }
        assert_eq!(most.load(Ordering::SeqCst), 1);
        assert_eq!(
            current(made.get(3, LONG, &Cancel::new(), || Err("no".to_owned()))),
            Some(50)
        );
    }

    #[test]
    fn a_maker_that_breaks_does_not_stop_the_next() {
        let made = Made::<u64>::new();
        let broken = || -> Result<u64, String> { panic!("on purpose") };
        assert!(matches!(
            made.get(1, LONG, &Cancel::new(), broken),
            Got::Nothing
        ));
        assert_eq!(
            current(made.get(1, LONG, &Cancel::new(), || Ok(10))),
            Some(10)
        );
    }

    /// What fails is told, however often it is asked for, and works as soon as it can.
    #[test]
    fn what_fails_is_told_and_tried_again() {
        let made = Made::<u64>::new();
        let ask = |makes: Result<u64, String>| {
            let got = made.get(1, LONG, &Cancel::new(), move || makes);
            // What is tried meanwhile is done before the next one asks.
            while lock(&made.now).making.is_some() {
                std::thread::yield_now();
            }
            got
        };
        for _ in 0..3 {
            let got = ask(Err("secrets".to_owned()));
            assert!(matches!(got, Got::Failed(why) if why == "secrets"));
        }
        assert!(matches!(ask(Ok(7)), Got::Failed(_)));
        assert!(matches!(ask(Ok(8)), Got::Current(one) if *one == 7));
    }

    #[test]
    fn who_is_stopped_does_not_wait() {
        let made = Made::<u64>::new();
        let (go, wait) = channel::<()>();
        let (cancel, stop) = (Cancel::new(), Cancel::new());
        let slow = move || wait.recv().map(|()| 1).map_err(|_| "gone".to_owned());
        cancel.cancel();
        assert!(matches!(made.get(1, LONG, &cancel, slow), Got::Nothing));
        let waiting = {
            let (made, stop) = (Arc::clone(&made), stop.clone());
            std::thread::spawn(move || made.get(1, LONG, &stop, || Ok(2)))
        };
        stop.cancel();
        assert!(matches!(waiting.join().unwrap(), Got::Nothing));
        go.send(()).unwrap();
    }
}
