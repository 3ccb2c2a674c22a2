//! Token counters side by side: `cargo run --release -- DIR...`. What is measured
//! is said in `options.rs`; figures are bytes per second of processor time.

mod cold;
mod corpus;
mod engines;
mod exact;
mod floors;
mod growth;
mod hard;
mod hugging;
mod instructions;
mod options;
mod results;
mod warm;

use std::process::ExitCode;

use corpus::Corpus;
use options::{Mode, Options};

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)) {
        Ok(options) => {
            run(&options);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}\n\n{}", options::USAGE);
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) {
    let load = || corpus::load(&options.directories, options.per_language);
    match &options.mode {
        Mode::Speed => speed(options, &load()),
        Mode::Exact => exact::compare(options, &load()),
        Mode::Growth => growth::compare(options),
        Mode::Callgrind => instructions::compare(options),
        Mode::All => all(options, &load()),
        Mode::Cold(engine) => cold::child(options, &load(), engine),
        Mode::Passes(engine, passes) => instructions::child(options, &load(), engine, *passes),
    }
}

fn all(options: &Options, corpus: &Corpus) {
    speed(options, corpus);
    growth::compare(options);
    exact::compare(options, corpus);
    instructions::compare(options);
}

fn speed(options: &Options, corpus: &Corpus) {
    corpus.print();
    let mut engines = engines::all(options);
    for engine in &engines {
        println!(
            "start of {:<14} {:>8.1} ms",
            engine.name,
            engine.start * 1e3
        );
    }
    engines::check(&mut engines, corpus);
    let warm = warm::measure(options, &engines, corpus);
    warm.print();
    let cold = cold::measure(options, &engines, corpus);
    cold.print(&warm);
    results::write(
        options,
        "speed",
        cold::figures(&engines, corpus, &warm, &cold),
    );
}
