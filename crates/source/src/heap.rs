//! A work queue for threads whose items may add further items.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue of items that any idle thread pops.
pub(crate) struct Heap<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    things: Vec<T>,
    /// Number of items in progress, each of which may add more.
    busy: usize,
}

/// A guard: an item is in progress while it lives.
pub(crate) struct Turn<'a, T>(&'a Heap<T>);

impl<T> Heap<T> {
    pub(crate) fn new(things: Vec<T>) -> Self {
        Self {
            state: Mutex::new(State { things, busy: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Pops an item. Waits while other threads may still add items; returns `None` when the queue
    /// is empty and no item is in progress.
    pub(crate) fn take(&self) -> Option<(T, Turn<'_, T>)> {
        let mut state = self.lock();
        loop {
            if let Some(thing) = state.things.pop() {
                state.busy += 1;
                return Some((thing, Turn(self)));
            }
            if state.busy == 0 {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn add(&self, things: Vec<T>) {
        if !things.is_empty() {
            self.lock().things.extend(things);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.busy -= 1;
        if state.busy == 0 {
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn everything_is_done_once() {
        let heap = Heap::new(vec![12]);
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some((depth, turn)) = heap.take() {
                        done.fetch_add(1, Ordering::Relaxed);
                        heap.add(vec![depth - 1; if depth > 0 { 2 } else { 0 }]);
                        drop(turn);
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), (1 << 13) - 1);
    }

    #[test]
    fn who_breaks_off_holds_nobody() {
        let heap = Heap::new(vec![()]);
        std::thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _taken = heap.take();
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(broken.join().is_err());
        });
        assert!(heap.take().is_none());
    }
}
