//! A work queue for threads whose items may add further items.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue of items that any idle thread pops.
pub(crate) struct WorkQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    items: Vec<T>,
    /// Number of items in progress, each of which may add more.
    busy: usize,
}

/// A guard: an item is in progress while it lives.
pub(crate) struct WorkGuard<'a, T>(&'a WorkQueue<T>);

impl<T> WorkQueue<T> {
    pub(crate) fn new(items: Vec<T>) -> Self {
        Self {
            state: Mutex::new(State { items, busy: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Pops an item. Waits while other threads may still add items; returns `None` when the queue
    /// is empty and no item is in progress.
    pub(crate) fn pop(&self) -> Option<(T, WorkGuard<'_, T>)> {
        let mut state = self.lock();
        loop {
            if let Some(item) = state.items.pop() {
                state.busy += 1;
                return Some((item, WorkGuard(self)));
            }
            if state.busy == 0 {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn push_all(&self, items: Vec<T>) {
        if !items.is_empty() {
            self.lock().items.extend(items);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for WorkGuard<'_, T> {
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
    fn every_item_is_processed_once() {
        let queue = WorkQueue::new(vec![12]);
        let count = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some((depth, guard)) = queue.pop() {
                        count.fetch_add(1, Ordering::Relaxed);
                        queue.push_all(vec![depth - 1; if depth > 0 { 2 } else { 0 }]);
                        drop(guard);
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), (1 << 13) - 1);
    }

    #[test]
    fn panicking_thread_blocks_no_other() {
        let queue = WorkQueue::new(vec![()]);
        std::thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _taken = queue.pop();
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(broken.join().is_err());
        });
        assert!(queue.pop().is_none());
    }
}
