//! A queue between the thread that reads and its consumer, bounded by number and weight, so that a
//! slow consumer pauses the reading. The reading pauses at one threshold and resumes at a lower
//! one, so that not every single item wakes it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Thresholds at which the reading pauses and resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Upper limit of waiting items. It may exceed `pause`: one file can add several items.
    pub(crate) most: usize,
    pub(crate) pause: usize,
    pub(crate) resume: usize,
    /// Total weight at which the reading pauses, independent of the number of items.
    pub(crate) weight: usize,
}

/// Items on their way from one thread to another.
pub(crate) struct Backlog<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    marks: Marks,
}

struct State<T> {
    items: VecDeque<(usize, T)>,
    weight: usize,
    is_paused: bool,
    /// Number of threads in [`Backlog::ready`].
    held: usize,
    /// The producer is done.
    is_complete: bool,
    /// The consumer is gone.
    is_abandoned: bool,
    waker: Option<Waker>,
}

/// The consumer takes no more items.
#[derive(Debug)]
pub(crate) struct Abandoned;

impl<T> Backlog<T> {
    pub(crate) fn new(marks: Marks) -> Self {
        let state = State {
            items: VecDeque::new(),
            weight: 0,
            is_paused: false,
            held: 0,
            is_complete: false,
            is_abandoned: false,
            waker: None,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            marks,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while the reading is paused.
    pub(crate) fn ready(&self) -> Result<(), Abandoned> {
        let mut state = self.lock();
        state.held += 1;
        while state.is_paused && !state.is_abandoned {
            state = self.wait(state);
        }
        state.held -= 1;
        match state.is_abandoned {
            true => Err(Abandoned),
            false => Ok(()),
        }
    }

    /// Adds an item as soon as there is room for it.
    pub(crate) fn put(&self, item: T, weight: usize) -> Result<(), Abandoned> {
        let mut state = self.lock();
        while self.is_full(&state) && !state.is_abandoned {
            state = self.wait(state);
        }
        if state.is_abandoned {
            return Err(Abandoned);
        }
        state.items.push_back((weight, item));
        state.weight += weight;
        state.is_paused =
            state.items.len() >= self.marks.pause || state.weight >= self.marks.weight;
        self.tell(state);
        Ok(())
    }

    /// Waits for the next item. Returns `None` after the last one.
    pub(crate) fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(item) = self.pop(&mut state) {
                return Some(item);
            }
            if state.is_complete {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Polls for the next item, for a consumer that must not block.
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.lock();
        if let Some(item) = self.pop(&mut state) {
            return Poll::Ready(Some(item));
        }
        if state.is_complete {
            return Poll::Ready(None);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn is_full(&self, state: &State<T>) -> bool {
        state.items.len() >= self.marks.most || state.weight >= self.marks.weight
    }

    fn pop(&self, state: &mut State<T>) -> Option<T> {
        let (weight, item) = state.items.pop_front()?;
        state.weight -= weight;
        let may_go_on = state.items.len() <= self.marks.resume && state.weight < self.marks.weight;
        if may_go_on {
            state.is_paused = false;
        }
        self.changed.notify_all();
        Some(item)
    }

    /// Ends the queue: the producer adds no more items.
    pub(crate) fn complete(&self) {
        let mut state = self.lock();
        state.is_complete = true;
        self.tell(state);
    }

    /// Ends the queue: the consumer takes no more items.
    pub(crate) fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        self.changed.notify_all();
    }

    /// Waits until the reader is paused or done. Returns true if it is paused.
    #[cfg(test)]
    pub(crate) fn is_held(&self) -> bool {
        loop {
            let state = self.lock();
            if (state.held > 0 && state.is_paused) || state.is_complete {
                return !state.is_complete;
            }
            drop(state);
            std::thread::yield_now();
        }
    }

    fn tell(&self, mut state: MutexGuard<'_, State<T>>) {
        let waker = state.waker.take();
        drop(state);
        self.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use proptest::prelude::*;
    use std::sync::Arc;

    use super::*;

    const MARKS: Marks = Marks {
        most: 10,
        pause: 8,
        resume: 4,
        weight: 1000,
    };

    /// Adds items of `weight` until the reading pauses. Returns their number.
    fn fill(backlog: &Backlog<usize>, weight: usize) -> usize {
        let mut count = 0;
        while !backlog.lock().is_paused {
            backlog.put(count, weight).unwrap();
            count += 1;
        }
        count
    }

    #[test]
    fn reading_pauses_at_one_mark_and_goes_on_at_a_lower_one() {
        let backlog = Backlog::new(MARKS);
        assert_eq!(fill(&backlog, 1), 8);
        for _ in 0..3 {
            backlog.take();
        }
        assert_eq!(fill(&backlog, 1), 0, "five wait: the mark is four");
        backlog.take();
        assert_eq!(fill(&backlog, 1), 4);
    }

    #[test]
    fn heavy_items_pause_it_too() {
        assert_eq!(fill(&Backlog::new(MARKS), 600), 2);
    }

    /// One file can add more items than `pause`.
    #[test]
    fn items_in_hand_are_put_until_no_more_may_wait() {
        let backlog = Backlog::new(MARKS);
        let full = |backlog: &Backlog<usize>| backlog.is_full(&backlog.lock());
        for at in 0..10 {
            assert!(!full(&backlog), "{at}");
            backlog.put(at, 1).unwrap();
        }
        assert!(full(&backlog));
        backlog.take();
        assert!(!full(&backlog));
    }

    /// Adds 100 items on a thread, which returns true if the queue accepted all of them.
    fn producer(backlog: &Arc<Backlog<usize>>) -> std::thread::JoinHandle<bool> {
        let theirs = Arc::clone(backlog);
        std::thread::spawn(move || {
            let put = |at| theirs.ready().and_then(|()| theirs.put(at, 1));
            let all_put = (0..100).try_for_each(put).is_ok();
            theirs.complete();
            all_put
        })
    }

    #[test]
    fn reader_waits_for_the_consumer_and_loses_nothing() {
        let backlog = Arc::new(Backlog::new(MARKS));
        let reader = producer(&backlog);
        assert!(backlog.is_held());
        assert_eq!(backlog.lock().items.len(), 8);
        let all: Vec<_> = std::iter::from_fn(|| backlog.take()).collect();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert!(reader.join().unwrap());
    }

    #[test]
    fn reader_stops_when_the_consumer_is_gone() {
        let backlog = Arc::new(Backlog::new(MARKS));
        let reader = producer(&backlog);
        assert!(backlog.is_held());
        backlog.abandon();
        assert!(!reader.join().unwrap());
        assert_eq!(backlog.lock().items.len(), 8);
    }

    /// Counts how often a task is woken.
    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn task_is_woken_once_for_each_poll_that_found_nothing() {
        let backlog = Backlog::new(MARKS);
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut context = Context::from_waker(&waker);
        let woken = || wakes.0.load(Ordering::SeqCst);
        assert_eq!(backlog.poll(&mut context), Poll::Pending);
        backlog.put(1, 1).unwrap();
        backlog.put(2, 1).unwrap();
        assert_eq!(woken(), 1);
        assert_eq!(backlog.poll(&mut context), Poll::Ready(Some(1)));
        assert_eq!(backlog.poll(&mut context), Poll::Ready(Some(2)));
        assert_eq!(backlog.poll(&mut context), Poll::Pending);
        backlog.complete();
        assert_eq!(woken(), 2, "the end wakes the task, too");
        assert_eq!(backlog.poll(&mut context), Poll::Ready(None));
    }

    #[test]
    fn items_that_wait_at_the_end_are_still_delivered() {
        let backlog = Backlog::new(MARKS);
        backlog.put("one", 1).unwrap();
        backlog.complete();
        assert_eq!(
            (backlog.take(), backlog.take(), backlog.take()),
            (Some("one"), None, None)
        );
    }

    #[test]
    fn abandoned_queue_accepts_nothing() {
        let backlog = Backlog::new(MARKS);
        assert_eq!(fill(&backlog, 1), 8);
        backlog.abandon();
        assert!(backlog.ready().is_err() && backlog.put(9, 1).is_err());
    }

    proptest! {
        /// Whatever is put and taken, items come in order and the weight is that of the waiting
        /// ones.
        #[test]
        fn weight_and_order_are_kept(steps in prop::collection::vec((any::<bool>(), 0usize..400), 0..60)) {
            let backlog = Backlog::new(MARKS);
            let mut waiting: VecDeque<(usize, usize)> = VecDeque::new();
            for (number, (puts, weight)) in steps.into_iter().enumerate() {
                if puts && !backlog.is_full(&backlog.lock()) {
                    backlog.put(number, weight).unwrap();
                    waiting.push_back((number, weight));
                } else if !waiting.is_empty() {
                    prop_assert_eq!(backlog.take(), waiting.pop_front().map(|(number, _)| number));
                }
                let state = backlog.lock();
                let weight: usize = waiting.iter().map(|(_, weight)| weight).sum();
                prop_assert_eq!((state.items.len(), state.weight), (waiting.len(), weight));
                let is_full = waiting.len() >= MARKS.most || weight >= MARKS.weight;
                prop_assert_eq!(backlog.is_full(&state), is_full);
                // A full queue pauses, an almost empty one does not.
                prop_assert!(!is_full || state.is_paused);
                prop_assert!(waiting.len() > MARKS.resume || weight >= MARKS.weight || !state.is_paused);
            }
        }
    }
}
