//! First passes: each in a process of its own, engines in turn.

use std::process::Command;

use serde_json::{Map, Value, json};

use crate::corpus::Corpus;
use crate::engines::{self, Engine};
use crate::options::Options;
use crate::results;
use crate::warm::{self, Warm};

/// Counts everything once and prints the seconds of processor time.
pub fn child(options: &Options, corpus: &Corpus, engine: &str) {
    let engine = engines::start(engine, options.vocabulary);
    println!("{}", warm::threads(&*engine.count, corpus, options.threads));
}

/// The best seconds of processor time of each engine, of one thread and of two.
pub struct Cold {
    megabytes: f64,
    seconds: Vec<(&'static str, [f64; 2])>,
}

pub fn measure(options: &Options, engines: &[Engine], corpus: &Corpus) -> Cold {
    let best = [f64::MAX; 2];
    let mut seconds: Vec<_> = engines.iter().map(|engine| (engine.name, best)).collect();
    for _ in 0..options.rounds.min(3) {
        for (name, best) in &mut seconds {
            for (threads, best) in [1, 2].into_iter().zip(best) {
                *best = best.min(run(options, name, threads));
            }
        }
    }
    let megabytes = corpus.bytes() as f64 / 1e6;
    Cold { megabytes, seconds }
}

impl Cold {
    pub fn print(&self, warm: &Warm) {
        println!(
            "\ncold MB/s (times tiktoken-rs), and processor time of one thread over that of two"
        );
        println!(
            "{:<14} {:>16} {:>8} {:>8}",
            "", "cold", "cold 2T", "warm 2T"
        );
        let base = self.seconds[0].1[0];
        for name in warm.names() {
            let found = self.seconds.iter().find(|(engine, _)| *engine == name);
            let [one, two] = found.map_or([f64::NAN; 2], |(_, seconds)| *seconds);
            let cold = format!("{:.0} ({:.1})", self.megabytes / one, base / one);
            let warm_two = warm.efficiency(name);
            println!("{name:<14} {cold:>16} {:>8.2} {warm_two:>8.2}", one / two);
        }
    }

    fn figures(&self, name: &str) -> Value {
        let base = self.seconds[0].1[0];
        let found = self.seconds.iter().find(|(engine, _)| *engine == name);
        let [one, two] = found.map_or([f64::NAN; 2], |(_, seconds)| *seconds);
        json!({
            "mb_per_second": results::figure(self.megabytes / one),
            "ratio": results::figure(base / one),
            "two_threads_efficiency": results::figure(one / two),
        })
    }
}

/// All that was measured in time.
pub fn figures(engines: &[Engine], corpus: &Corpus, warm: &Warm, cold: &Cold) -> Value {
    let mut rows = Map::new();
    for name in warm.names() {
        let mut row = json!({
            "warm": warm.figures(name),
            "warm_two_threads_efficiency": results::figure(warm.efficiency(name)),
        });
        if let Some(engine) = engines.iter().find(|engine| engine.name == name) {
            row["cold"] = cold.figures(name);
            row["start_ms"] = results::figure(engine.start * 1e3);
            row["files_that_differ"] = json!(engine.different);
        }
        rows.insert(name.to_owned(), row);
    }
    json!({ "corpus": corpus.figures(), "engines": rows })
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
