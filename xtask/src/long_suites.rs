//! The long suites as a table, one row each: runs that take too long for every change.
//! `cargo xtask suite NAME` runs one; `cargo xtask test` runs a sample of each.

/// A run of minutes or hours with a stored result.
pub(crate) struct LongSuite {
    pub(crate) name: &'static str,
    /// One line for the list.
    pub(crate) about: &'static str,
    /// The command line, with variables before the program. A line `figure: NAME = VALUE`
    /// of its output becomes a figure of the result.
    pub(crate) command: &'static str,
    /// A test of `cargo xtask test` that does the same at a small size, as `FILE::NAME`.
    pub(crate) sample: &'static str,
}

pub(crate) const LONG_SUITES: &[LongSuite] = &[
    LongSuite {
        name: "agents",
        about: "run the server, hooks and skill in Claude Code and Codex, offline (800 MB; first: cargo build --release)",
        command: "python3 tests/agents/run.py target/release/infiniloom",
        sample: "crates/cli/tests/it/mcp_agents.rs::codex_is_served",
    },
    LongSuite {
        name: "fragments",
        about: "parse 5,000 repeated short fragments in every grammar within its budget",
        command: "cargo run --release --package loom-syntax --example parse_bounds -- fragments 5000 30000 1",
        sample: "crates/syntax/tests/it/bounded.rs::repeated_fragments_stay_within_their_budget",
    },
    LongSuite {
        name: "grammars",
        about: "fuzz every grammar for 2 minutes (LOOM_FUZZ_SECONDS) under AddressSanitizer",
        command: "cargo xtask grammars",
        sample: "crates/syntax/tests/it/corpus.rs::every_text_of_the_corpus_is_within_its_budget",
    },
    LongSuite {
        name: "kills",
        about: "kill 1,000 runs of index, each at another write, and compare answers",
        command: "LOOM_KILLS=1000 cargo test --package infiniloom-cli --test it -- --nocapture --exact \
                  remembered::processes_that_are_killed_leave_a_store_that_works",
        sample: "crates/cli/tests/it/remembered.rs::processes_that_are_killed_leave_a_store_that_works",
    },
    LongSuite {
        name: "leaks",
        about: "look for planted secrets in 10,000 answers (first: cargo build --release)",
        command: "python3 tests/leaks/run.py target/release/infiniloom --answers 10000 \
                  --files 3,90,101,1000,3,90,101,2000,3,90,101,500,20000 --rounds 12",
        sample: "tests/leaks/run.py::main",
    },
    LongSuite {
        name: "planted",
        about: "plant the cases of loom-secrets into 30 downloaded packages (first: cargo build --release)",
        command: "python3 benchmarks/secrets/planted.py --binary target/release/infiniloom \
                  --packages target/planted --rounds 20",
        sample: "benchmarks/secrets/planted.py::main",
    },
    LongSuite {
        name: "sanitizer",
        about: "run the tests of code with `unsafe` under AddressSanitizer, C code and leaks included",
        command: "ASAN_OPTIONS=detect_odr_violation=0 RUSTFLAGS=-Zsanitizer=address CFLAGS=-fsanitize=address \
                  rustup run nightly cargo test --target host-tuple --package loom-syntax --package loom-tokens \
                  --package loom-embed --lib --test it -- bounded:: corpus:: hostile:: dot memo batch split:: prefetch short",
        sample: "crates/syntax/tests/it/bounded.rs::parse_that_is_aborted_in_a_scanner_leaks_nothing",
    },
    LongSuite {
        name: "sequences",
        about: "compare cached with fresh answers after 10,000 random sequences of edits",
        command: "LOOM_SEQUENCES=10000 cargo test --package loom-host --test it -- --nocapture --exact \
                  sequences::no_change_is_missed",
        sample: "crates/host/tests/it/sequences.rs::no_change_is_missed",
    },
];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Without this check, a renamed or removed test would leave CI without its sample.
    #[test]
    fn every_sample_is_a_test_of_this_checkout() {
        let root = crate::root::find().unwrap();
        for suite in LONG_SUITES {
            let (file, test) = suite.sample.split_once("::").unwrap();
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(&format!(" {test}(")), "{}", suite.sample);
        }
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<&str> = LONG_SUITES.iter().map(|suite| suite.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), LONG_SUITES.len());
    }
}
