//! Token counters side by side: `cargo run --release -- DIR...`. What is measured
//! is said in `options.rs`; figures are bytes per second of processor time.

mod cold;
mod corpus;
mod engines;
#[cfg(feature = "peers")]
mod exact;
mod floors;
mod growth;
mod hard;
#[cfg(feature = "peers")]
mod hugging;
mod instructions;
mod options;
#[cfg(feature = "peers")]
mod peers;
mod results;
mod warm;

use std::process::ExitCode;

use corpus::Corpus;
#[cfg(feature = "peers")]
use exact::compare as compare_exactly;
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
        Mode::Exact => compare_exactly(options, &load()),
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
    compare_exactly(options, corpus);
    instructions::compare(options);
}

#[cfg(not(feature = "peers"))]
fn compare_exactly(_: &Options, _: &Corpus) {}

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
