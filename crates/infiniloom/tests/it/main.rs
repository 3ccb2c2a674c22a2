//! The command through its real binary, in a sandbox with a home of its own.

#![expect(clippy::unwrap_used, reason = "what cannot be set up fails its test")]

mod clipboard;
mod instructions;
mod templates;

use loom_testkit::{Run, Sandbox};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_infiniloom");

/// Runs the program.
fn infiniloom(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(PROGRAM, args)
}
