//! Limits the memory of concurrent parses and of large texts: a large file waits until the others
//! leave enough. Results do not depend on it.

use std::sync::{Condvar, Mutex, PoisonError};

use loom_syntax::{Language, Limits, Structure, extract};

/// Bytes of parser memory per byte of dense code: we measured 250 in JavaScript, and 60 to 155 in
/// other languages. `cargo run --package loom-syntax --example parse_bounds -- files DIR` prints
/// the ratios of real code.
const PER_BYTE: u64 = 250;

/// Bytes of parser memory for the smallest file.
const PER_PARSE: u64 = 1 << 20;

/// Memory that several threads share.
#[derive(Debug)]
pub(crate) struct MemoryGate {
    total: u64,
    free: Mutex<u64>,
    freed: Condvar,
}

impl MemoryGate {
    /// Shares `total` bytes. With 0 bytes, parses run one after the other.
    pub(crate) fn new(total: u64) -> Self {
        let total = total.max(1);
        Self {
            total,
            free: Mutex::new(total),
            freed: Condvar::new(),
        }
    }

    /// Runs `work`, which uses about `memory` bytes, as soon as they are free. Work that needs more
    /// than the total runs while no other does.
    pub(crate) fn with<T>(&self, memory: u64, work: impl FnOnce() -> T) -> T {
        let _guard = self.take(memory);
        work()
    }

    /// Waits until `memory` bytes are free, and reserves them for the lifetime of the returned
    /// value.
    pub(crate) fn take(&self, memory: u64) -> TakenMemory<'_> {
        let memory = memory.min(self.total);
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(free, |free| *free < memory);
        *waited.unwrap_or_else(PoisonError::into_inner) -= memory;
        TakenMemory { gate: self, memory }
    }
}

/// Reserved memory. Dropping it frees the memory, also after a panic.
#[derive(Debug)]
pub(crate) struct TakenMemory<'a> {
    gate: &'a MemoryGate,
    memory: u64,
}

impl Drop for TakenMemory<'_> {
    fn drop(&mut self) {
        let free = self.gate.free.lock();
        *free.unwrap_or_else(PoisonError::into_inner) += self.memory;
        self.gate.freed.notify_all();
    }
}

/// Returns the memory that is enough to parse almost every text of this size.
fn usual_memory(bytes: usize) -> u64 {
    let bytes = PER_BYTE.saturating_mul(bytes as u64);
    PER_PARSE.saturating_add(bytes)
}

#[cfg(feature = "grammars")]
fn most_memory(limits: &Limits, bytes: usize) -> u64 {
    limits.budget(bytes).memory
}

/// Without grammars no text is parsed.
#[cfg(not(feature = "grammars"))]
fn most_memory(_: &Limits, bytes: usize) -> u64 {
    usual_memory(bytes)
}

impl MemoryGate {
    /// Extracts the structure of a text as soon as there is memory for its parse. Almost every text
    /// needs less than its limits allow. Other texts are parsed again with the full limit, so that
    /// no parse uses more memory than it reserved.
    pub(crate) fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        let most = most_memory(limits, text.len());
        let usual = usual_memory(text.len()).min(most);
        let first = Limits {
            memory: usual,
            ..*limits
        };
        let structure = self.with(usual, || extract(language, text, &first));
        if usual == most || !structure.is_out_of_memory() {
            return structure;
        }
        drop(structure);
        self.with(most, || extract(language, text, limits))
    }

    /// Runs `work`, which parses a text of `bytes` bytes, as soon as there is memory for it.
    pub(crate) fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        self.with(usual_memory(bytes), work)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

    use loom_syntax::Depth;

    use super::*;
    use crate::{Cancel, FileStructure, PackOptions, Packer, Run, StructureOptions, StructureRun};

    #[test]
    fn parses_never_take_more_than_there_is() {
        check(100);
    }

    #[test]
    fn without_memory_one_parse_runs_at_a_time() {
        check(0);
    }

    fn check(total: u64) {
        let gate = MemoryGate::new(total);
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

    fn packer(max_memory: u64) -> (tempfile::TempDir, Packer) {
        let directory = tempfile::tempdir().unwrap();
        let options = PackOptions {
            max_memory,
            ..PackOptions::default()
        };
        let packer = Packer::open(&[directory.path()], options).unwrap();
        (directory, packer)
    }

    /// At the end of the text, the parser copies each path through its stack.
    #[test]
    fn text_that_needs_more_than_usual_is_parsed_with_all_memory() {
        let language = Language::from_id("c").unwrap();
        let text = "(A) => \n".repeat(100);
        let limits = Limits::default();
        let usual = Limits {
            memory: usual_memory(text.len()),
            ..limits
        };
        assert!(extract(language, &text, &usual).is_out_of_memory());
        let (_directory, packer) = packer(PackOptions::MAX_MEMORY);
        let found = packer.extract(language, &text, &limits);
        assert!(!found.is_out_of_memory());
        assert_eq!(found, extract(language, &text, &limits));
    }

    #[test]
    fn file_beyond_the_memory_of_a_run_is_read_by_lines() {
        let text = "function f(a) { g(a, h(a), [a, b]); }\n".repeat(20_000);
        let findings = |max_memory: u64| {
            let (directory, packer) = packer(max_memory);
            std::fs::write(directory.path().join("a.js"), &text).unwrap();
            let mut found = Vec::new();
            let emit = |file: FileStructure| {
                found.push((file.structure.depth, file.structure.is_out_of_memory()));
                ControlFlow::Continue(())
            };
            let (options, run) = (StructureOptions::default(), Run::new());
            StructureRun::new(&packer, &options, &run, &Cancel::new())
                .each(emit)
                .unwrap();
            found
        };
        assert_eq!(findings(1), [(Depth::Lines, true)]);
        assert_eq!(findings(1_000_000_000), [(Depth::Grammar, false)]);
    }

    #[test]
    fn panic_gives_memory_back() {
        let gate = MemoryGate::new(10);
        let work = || gate.with(10, || panic!("a defect"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert_eq!(gate.with(10, || 7), 7);
    }

    #[test]
    fn reserved_memory_is_free_again_after_its_guard() {
        let gate = MemoryGate::new(10);
        let free = || *gate.free.lock().unwrap();
        let (one, two) = (gate.take(3), gate.take(4));
        assert_eq!(free(), 3);
        drop(one);
        assert_eq!(free(), 6);
        drop(two);
        // More than there is counts as all of it.
        let all = gate.take(1_000);
        assert_eq!(free(), 0);
        drop(all);
        assert_eq!(free(), 10);
    }

    #[test]
    fn usual_memory_grows_with_the_text_and_never_overflows() {
        assert_eq!(usual_memory(0), PER_PARSE);
        assert_eq!(usual_memory(1_000), PER_PARSE + 1_000 * PER_BYTE);
        assert_eq!(usual_memory(usize::MAX), u64::MAX);
    }
}
