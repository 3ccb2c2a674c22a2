//! Bounds the memory of all parses that run at the same time: a large file waits until
//! the others leave it enough. The result of a parse never depends on it.

use std::sync::{Condvar, Mutex, PoisonError};

use loom_syntax::{Language, Limits, Structure, extract};

use crate::Packer;

/// The bytes of memory that a parser takes for each byte of dense code: 250 were seen in
/// JavaScript, 60 to 155 in others. `cargo run --package loom-syntax --example parse_bounds
/// -- files DIR` prints the shares of real code.
const PER_BYTE: u64 = 250;

/// Memory that parses share.
#[derive(Debug)]
pub(crate) struct ParseGate {
    total: u64,
    free: Mutex<u64>,
    freed: Condvar,
}

impl ParseGate {
    /// Shares `total` bytes. With none at all, one parse runs after the other.
    pub(crate) fn new(total: u64) -> Self {
        let total = total.max(1);
        Self {
            total,
            free: Mutex::new(total),
            freed: Condvar::new(),
        }
    }

    /// Runs `work`, which takes about so much memory, when there is enough. Work that
    /// takes more than all memory runs alone.
    fn with<T>(&self, memory: u64, work: impl FnOnce() -> T) -> T {
        let memory = memory.min(self.total);
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(free, |free| *free < memory);
        *waited.unwrap_or_else(PoisonError::into_inner) -= memory;
        let _guard = Taken { gate: self, memory };
        work()
    }
}

/// Memory that is given back when the work ends, also by a panic.
struct Taken<'a> {
    gate: &'a ParseGate,
    memory: u64,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let free = self.gate.free.lock();
        *free.unwrap_or_else(PoisonError::into_inner) += self.memory;
        self.gate.freed.notify_all();
    }
}

impl Packer {
    /// Extracts the structure of a text when there is memory for its parse.
    pub(crate) fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        let memory = PER_BYTE.saturating_mul(text.len() as u64);
        self.parses.with(memory, || extract(language, text, limits))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn parses_never_take_more_than_there_is() {
        check(100);
    }

    #[test]
    fn without_memory_one_parse_runs_at_a_time() {
        check(0);
    }

    fn check(total: u64) {
        let gate = ParseGate::new(total);
        let total = total.max(1);
        let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (gate, now, most) = (&gate, &now, &most);
                scope.spawn(move || {
                    for round in 0..200 {
                        let memory = (thread * 37 + round * 13) % 130 + 1;
                        gate.with(memory, || {
                            let taken = memory.min(total);
                            let sum = now.fetch_add(taken, Ordering::SeqCst) + taken;
                            most.fetch_max(sum, Ordering::SeqCst);
                            std::thread::yield_now();
                            now.fetch_sub(taken, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert!(most.into_inner() <= total);
        assert_eq!(*gate.free.lock().unwrap(), total);
    }

    #[test]
    fn panic_gives_memory_back() {
        let gate = ParseGate::new(10);
        let work = || gate.with(10, || panic!("a defect"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert_eq!(gate.with(10, || 7), 7);
    }
}
