//! Runs work on several threads and delivers the results in order. The work in progress is limited
//! by number and weight, so that memory does not grow with the input and a slow consumer pauses the
//! workers.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Limits of the work in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookahead {
    /// Number of items that are begun and not yet delivered.
    pub(crate) items: usize,
    /// Total weight of these items. A heavier item runs while no other is in progress.
    pub(crate) weight: usize,
}

/// Maximum number of items that a thread claims at once. Claiming several keeps the threads from
/// competing for the lock.
const GROUP: usize = 8;

/// Calls `work` for each number below `count` on `threads` threads. Passes the results to `emit` in
/// order, on this thread, until it breaks.
pub(crate) fn ordered<R: Send>(
    count: usize,
    threads: usize,
    ahead: Lookahead,
    weight: impl Fn(usize) -> usize + Sync,
    work: impl Fn(usize) -> R + Sync,
    emit: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let weights = Weights {
        before: weight,
        after: |_: &R| 0,
    };
    in_order(count, threads, ahead, weights, work, emit);
}

/// Works like [`ordered`] for items whose weight is known only when they are done: `held` returns
/// the weight of a result. No further work begins while the waiting results exceed the limit.
pub(crate) fn ordered_by_result<R: Send>(
    count: usize,
    threads: usize,
    ahead: Lookahead,
    held: impl Fn(&R) -> usize + Sync,
    work: impl Fn(usize) -> R + Sync,
    emit: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let weights = Weights {
        before: |_| 0,
        after: held,
    };
    in_order(count, threads, ahead, weights, work, emit);
}

/// Weight of an item when work on it begins, and additional weight of its result.
struct Weights<B, A> {
    before: B,
    after: A,
}

fn in_order<R: Send>(
    count: usize,
    threads: usize,
    ahead: Lookahead,
    weights: Weights<impl Fn(usize) -> usize + Sync, impl Fn(&R) -> usize + Sync>,
    work: impl Fn(usize) -> R + Sync,
    mut emit: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    if threads <= 1 || count <= 1 {
        let _ = (0..count).try_for_each(|at| emit(at, work(at)));
        return;
    }
    let Weights { before, after } = weights;
    let queue = Queue::new(count, threads, ahead);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                let _close = CloseOnPanic(&queue);
                while let Some(group) = queue.claim(&before) {
                    let weighed = |result: R| (after(&result), result);
                    let results = group.clone().map(&work).map(weighed).collect();
                    queue.deliver(group.start, results);
                }
            });
        }
        let _close = Close(&queue);
        let mut at = 0;
        while at < count {
            let Some(results) = queue.take() else { break };
            let group = at..at + results.len();
            at = group.end;
            let held: usize = results.iter().map(|(held, _)| held).sum();
            let mut numbered = group.clone().zip(results);
            if numbered.any(|(at, (_, result))| emit(at, result).is_break()) {
                break;
            }
            queue.release(group.len(), held + group.map(&before).sum::<usize>());
        }
    });
}

struct Queue<R> {
    state: Mutex<State<R>>,
    room: Condvar,
    ready: Condvar,
    count: usize,
    threads: usize,
    ahead: Lookahead,
}

struct State<R> {
    /// The next item to claim.
    next: usize,
    /// The first item whose result is not delivered.
    first: usize,
    /// Number of items that are claimed and not released.
    open: usize,
    weight: usize,
    /// Results from `first` on, each with its weight.
    results: VecDeque<Option<(usize, R)>>,
    /// Number of threads that wait for room.
    waiting: usize,
    closed: bool,
}

impl<R> Queue<R> {
    fn new(count: usize, threads: usize, ahead: Lookahead) -> Self {
        let state = State {
            next: 0,
            first: 0,
            open: 0,
            weight: 0,
            results: VecDeque::new(),
            waiting: 0,
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            room: Condvar::new(),
            ready: Condvar::new(),
            count,
            threads,
            ahead,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room and claims the next items. Returns `None` at the end.
    fn claim(&self, weight: impl Fn(usize) -> usize) -> Option<Range<usize>> {
        let mut state = self.lock();
        loop {
            if state.closed || state.next == self.count {
                return None;
            }
            let group = self.grant(&mut state, &weight);
            if !group.is_empty() {
                return Some(group);
            }
            state.waiting += 1;
            let woken = self.room.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Claims items of the next share while they fit. If nothing is in progress, it claims at least
    /// one.
    fn grant(&self, state: &mut State<R>, weight: impl Fn(usize) -> usize) -> Range<usize> {
        let first = state.next;
        let group = self.share(first);
        while state.next < group.end {
            let weight = weight(state.next);
            let fits = state.open < self.ahead.items && state.weight + weight <= self.ahead.weight;
            if !fits && state.open > 0 {
                break;
            }
            state.open += 1;
            state.weight += weight;
            state.results.push_back(None);
            state.next += 1;
        }
        first..state.next
    }

    /// Returns the items that one thread may claim: a few, and fewer towards the end, so that all
    /// threads end at about the same time.
    fn share(&self, first: usize) -> Range<usize> {
        let share = (self.count - first).min(self.ahead.items) / (4 * self.threads);
        first..first + share.clamp(1, GROUP)
    }

    fn deliver(&self, at: usize, results: Vec<(usize, R)>) {
        let mut state = self.lock();
        let place = at - state.first;
        state.weight += results.iter().map(|(weight, _)| weight).sum::<usize>();
        for (place, result) in state.results.range_mut(place..).zip(results) {
            *place = Some(result);
        }
        if place == 0 {
            self.ready.notify_one();
        }
    }

    /// Waits for the next results in order, at least one. Returns `None` if a worker panicked.
    fn take(&self) -> Option<Vec<(usize, R)>> {
        let mut state = self.lock();
        loop {
            let ready = state.results.iter().take_while(|result| result.is_some());
            let ready = ready.count();
            if ready > 0 {
                state.first += ready;
                return Some(state.results.drain(..ready).flatten().collect());
            }
            if state.closed {
                return None;
            }
            state = self
                .ready
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn release(&self, items: usize, weight: usize) {
        let mut state = self.lock();
        state.open -= items;
        state.weight -= weight;
        if state.waiting > 0 {
            drop(state);
            self.room.notify_all();
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
        self.ready.notify_all();
    }
}

/// Releases the workers when the consumer ends for any reason.
struct Close<'a, R>(&'a Queue<R>);

impl<R> Drop for Close<'_, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Releases all threads when a worker panics. The scope then propagates the panic.
struct CloseOnPanic<'a, R>(&'a Queue<R>);

impl<R> Drop for CloseOnPanic<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    const WIDE: Lookahead = Lookahead {
        items: 8,
        weight: 100,
    };

    proptest! {
        #[test]
        fn results_come_in_order(weights in prop::collection::vec(0usize..150, 0..60), threads in 1usize..5) {
            let mut seen = Vec::new();
            ordered(weights.len(), threads, WIDE, |at| weights[at], |at| at * 2, |at, result| {
                seen.push((at, result));
                ControlFlow::Continue(())
            });
            let expected: Vec<_> = (0..weights.len()).map(|at| (at, at * 2)).collect();
            prop_assert_eq!(seen, expected);
        }

        /// Enough room for groups of several items.
        #[test]
        fn groups_keep_order_and_bounds(weights in prop::collection::vec(0usize..40, 100..300), threads in 2usize..5) {
            let ahead = Lookahead { items: 256, weight: 400 };
            let (begun, mut done, mut seen) = (AtomicUsize::new(0), 0, Vec::new());
            let work = |at: usize| {
                begun.fetch_add(weights[at], Ordering::SeqCst);
                at * 2
            };
            let mut furthest = 0;
            ordered(weights.len(), threads, ahead, |at| weights[at], work, |at, result| {
                furthest = furthest.max(begun.load(Ordering::SeqCst) - done);
                done += weights[at];
                seen.push(result);
                ControlFlow::Continue(())
            });
            let expected: Vec<_> = (0..weights.len()).map(|at| at * 2).collect();
            prop_assert_eq!(seen, expected);
            prop_assert!(furthest <= ahead.weight + 40, "{furthest}");
        }
    }

    #[test]
    fn a_slow_consumer_holds_the_workers_back() {
        let (begun, mut furthest) = (AtomicUsize::new(0), 0);
        let work = |_| begun.fetch_add(1, Ordering::SeqCst);
        ordered(
            500,
            3,
            WIDE,
            |_| 1,
            work,
            |at, _| {
                std::thread::yield_now();
                furthest = furthest.max(begun.load(Ordering::SeqCst) - at);
                ControlFlow::Continue(())
            },
        );
        assert!(furthest <= WIDE.items + 1, "{furthest}");
    }

    /// The limit on the number would allow all items, that on the weight only two.
    #[test]
    fn heavy_items_wait_for_each_other() {
        let ahead = Lookahead {
            items: 100,
            weight: 10,
        };
        let queue = Queue::new(20, 3, ahead);
        let grant = || queue.grant(&mut queue.lock(), |_| 4);
        assert_eq!([grant(), grant(), grant()], [0..1, 1..2, 2..2]);
        queue.deliver(0, vec![(0, "first")]);
        assert_eq!(queue.take(), Some(vec![(0, "first")]));
        assert_eq!(grant(), 2..2, "it is still in use");
        queue.release(1, 4);
        assert_eq!([grant(), grant()], [2..3, 3..3]);
    }

    /// The weight of a result is unknown until it exists.
    #[test]
    fn heavy_results_hold_the_work_back() {
        let ahead = Lookahead {
            items: 100,
            weight: 10,
        };
        let queue = Queue::new(400, 3, ahead);
        let grant = || queue.grant(&mut queue.lock(), |_| 0);
        assert_eq!([grant(), grant()], [0..8, 8..16]);
        queue.deliver(0, (0..8).map(|at| (2, at)).collect());
        assert_eq!(grant(), 16..16);
        let taken = queue.take().unwrap();
        assert_eq!(grant(), 16..16, "they are still in use");
        queue.release(taken.len(), 16);
        assert_eq!(grant(), 16..24);
    }

    #[test]
    fn breaking_stops_the_workers() {
        let mut emitted = 0;
        ordered(
            1_000_000,
            2,
            WIDE,
            |_| 1,
            |at| at,
            |_, _| {
                emitted += 1;
                if emitted == 3 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        assert_eq!(emitted, 3);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let work = |at| assert_ne!(at, 7);
        ordered(50, 2, WIDE, |_| 1, work, |_, ()| ControlFlow::Continue(()));
    }

    proptest! {
        #[test]
        fn each_item_is_worked_on_once_whatever_results_weigh(weights in prop::collection::vec(0usize..150, 0..80), threads in 1usize..5) {
            let done: Vec<AtomicUsize> = weights.iter().map(|_| AtomicUsize::new(0)).collect();
            let work = |at: usize| {
                done[at].fetch_add(1, Ordering::SeqCst);
                weights[at]
            };
            let mut seen = Vec::new();
            ordered_by_result(weights.len(), threads, WIDE, |result| *result, work, |at, result| {
                seen.push((at, result));
                ControlFlow::Continue(())
            });
            let expected: Vec<_> = weights.iter().copied().enumerate().collect();
            prop_assert_eq!(seen, expected);
            prop_assert!(done.iter().all(|count| count.load(Ordering::SeqCst) == 1));
        }

        /// Shares are never empty, never too large, and cover all items.
        #[test]
        fn shares_cover_all_items(count in 1usize..2_000, threads in 1usize..20, items in 1usize..300) {
            let ahead = Lookahead { items, weight: usize::MAX };
            let queue: Queue<()> = Queue::new(count, threads, ahead);
            let mut at = 0;
            while at < count {
                let share = queue.share(at);
                prop_assert!(share.start == at && (1..=GROUP).contains(&share.len()));
                prop_assert!(share.end <= count);
                at = share.end;
            }
        }
    }

    #[test]
    fn one_thread_works_and_delivers_in_turn() {
        let begun = AtomicUsize::new(0);
        let mut seen = 0;
        let work = |_| begun.fetch_add(1, Ordering::SeqCst);
        ordered(
            20,
            1,
            WIDE,
            |_| 1,
            work,
            |at, _| {
                assert_eq!(begun.load(Ordering::SeqCst), at + 1, "no work ahead");
                seen += 1;
                match at {
                    9 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            },
        );
        assert_eq!((seen, begun.into_inner()), (10, 10));
    }

    /// An item above the limit runs while no other is in progress.
    #[test]
    fn item_above_the_limit_runs_alone() {
        let ahead = Lookahead {
            items: 100,
            weight: 10,
        };
        let queue = Queue::new(20, 2, ahead);
        let grant = || queue.grant(&mut queue.lock(), |at| if at == 1 { 50 } else { 4 });
        assert_eq!([grant(), grant()], [0..1, 1..1]);
        queue.deliver(0, vec![(0, ())]);
        assert_eq!(queue.take().map(|taken| taken.len()), Some(1));
        queue.release(1, 4);
        assert_eq!([grant(), grant()], [1..2, 2..2]);
    }

    #[test]
    #[should_panic(expected = "a defect of the consumer")]
    fn panic_of_the_consumer_releases_the_workers() {
        ordered(
            500,
            3,
            WIDE,
            |_| 1,
            |at| at,
            |at, _| {
                assert!(at < 5, "a defect of the consumer");
                ControlFlow::Continue(())
            },
        );
    }
}
