//! Token counters side by side: `cargo run --release -- DIR...`. What is measured
//! is said in `options.rs`; figures are bytes per second of processor time.

mod cold;
mod corpus;
mod engines;
mod floors;
mod growth;
mod hugging;
mod instructions;
mod options;
mod warm;

use std::process::ExitCode;

use options::{Mode, Options};

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n\n{}", options::USAGE);
            return ExitCode::FAILURE;
        }
    };
    if matches!(options.mode, Mode::Growth) {
        growth::compare(&options);
        return ExitCode::SUCCESS;
    }
    let corpus = corpus::load(&options.directories, options.per_language);
    match options.mode.clone() {
        Mode::Compare => compare(&options, &corpus),
        Mode::Cold(engine) => cold::child(&options, &corpus, &engine),
        Mode::Passes(engine, passes) => instructions::child(&options, &corpus, &engine, passes),
        Mode::Callgrind => instructions::compare(&options, &corpus),
        Mode::Growth => {}
    }
    ExitCode::SUCCESS
}

fn compare(options: &Options, corpus: &corpus::Corpus) {
    corpus.print();
    let engines = engines::all(options.vocabulary);
    for engine in &engines {
        println!(
            "start of {:<14} {:>8.1} ms",
            engine.name,
            engine.start * 1e3
        );
    }
    engines::check(&engines, corpus);
    let warm = warm::measure(options, &engines, corpus);
    warm.print();
    cold::compare(options, &engines, corpus, &warm);
}
