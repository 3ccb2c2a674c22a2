//! First passes: each in a process of its own, engines in turn.

use std::process::Command;

use crate::corpus::Corpus;
use crate::engines::{self, Engine};
use crate::options::Options;
use crate::warm::{self, Warm};

/// Counts everything once and prints the seconds of processor time.
pub fn child(options: &Options, corpus: &Corpus, engine: &str) {
    let engine = engines::start(engine, options.vocabulary);
    println!("{}", warm::threads(&engine, corpus, options.threads));
}

pub fn compare(options: &Options, engines: &[Engine], corpus: &Corpus, warm: &Warm) {
    let names: Vec<_> = engines.iter().map(|engine| engine.name).collect();
    let names: Vec<_> = names
        .into_iter()
        .filter(|name| options.includes(name))
        .collect();
    let mut best = vec![[f64::MAX; 2]; names.len()];
    for _ in 0..options.rounds.min(3) {
        for (name, best) in names.iter().zip(&mut best) {
            for (threads, best) in [1, 2].into_iter().zip(best) {
                *best = best.min(run(options, name, threads));
            }
        }
    }
    let megabytes = corpus.bytes() as f64 / 1e6;
    println!("\ncold MB/s (times tiktoken-rs), and processor time of one thread over that of two");
    println!(
        "{:<14} {:>16} {:>8} {:>8}",
        "", "cold", "cold 2T", "warm 2T"
    );
    for ((name, [one, two]), (_, warm_two)) in names.iter().zip(&best).zip(&warm.two_threads) {
        let cold = format!("{:.0} ({:.1})", megabytes / one, best[0][0] / one);
        let (cold_two, warm_two) = (one / two, warm.total(name) / warm_two);
        println!("{name:<14} {cold:>16} {cold_two:>8.2} {warm_two:>8.2}");
    }
}

fn run(options: &Options, engine: &str, threads: usize) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program)
        .args(["--cold", engine, "--threads", &threads.to_string()])
        .args(options.to_arguments())
        .output()
        .expect("this program again");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().unwrap_or(f64::NAN)
}
