//! The chores of the workspace, one file per command: `cargo xtask COMMAND`. They are not part of
//! the product, and no crate depends on them.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for people: what it prints is its result"
)]

mod bench;
mod docs;
mod figures;
mod grammars;
mod invocation;
mod long_suites;
mod models;
mod outside;
mod ready;
mod root;
mod stopwatch;
mod suite;
mod suites;
mod test;
mod tidy;
mod tools;
mod wasm;

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--only SUITE]...   build and run every suite
  suite [NAME]             run a long suite and write its result, or list them
  grammars [NAME...]       fuzz grammars, each for LOOM_FUZZ_SECONDS
  ready                    everything that must hold before a commit
  tidy [--fix]             the rules of the house; --fix writes what can be written
  tidy --graph [CRATE]     draw the imports between modules, with their cycles
  outside                  check fuzz targets and benchmarks, which are outside of the workspace
  wasm                     check that the packages without I/O compile for the web
  docs [--check]           write docs/reference, or say which pages are stale
  figures [--check]        write measured figures from benchmarks/results, or say which are stale
  models --from FILE       write the table of models from a file like LiteLLM's
  bench [NAME [ARGS...]]   run a benchmark, or list them";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match root::find().and_then(|root| dispatch(&root, &arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(root: &Path, arguments: &[String]) -> Result<()> {
    let Some((command, rest)) = arguments.split_first() else {
        bail!("no command given\n\n{USAGE}");
    };
    match command.as_str() {
        "test" => test::command(root, rest),
        "suite" => suite::command(root, rest),
        "grammars" => grammars::command(root, rest),
        "ready" => ready::command(root, rest),
        "outside" => outside::command(root, rest),
        "wasm" => wasm::command(root, rest),
        "tidy" => tidy::command(root, rest),
        "docs" => docs::command(root, rest),
        "figures" => figures::command(root, rest),
        "models" => models::command(root, rest),
        "bench" => bench::command(root, rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("no command `{other}`\n\n{USAGE}"),
    }
}
