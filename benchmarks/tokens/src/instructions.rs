//! Instructions for each byte, by callgrind: two passes less one.

use std::hint::black_box;
use std::process::Command;

use crate::corpus::Corpus;
use crate::engines::{self, NAMES};
use crate::options::Options;

/// Counts everything so many times.
pub fn child(options: &Options, corpus: &Corpus, engine: &str, passes: usize) {
    let engine = engines::start(engine, options.vocabulary);
    for _ in 0..passes {
        corpus.texts().for_each(|text| {
            black_box((engine.count)(text));
        });
    }
}

pub fn compare(options: &Options, corpus: &Corpus) {
    let bytes = corpus.bytes() as f64;
    println!("instructions for each byte, warm and cold");
    for name in NAMES.into_iter().filter(|name| options.includes(name)) {
        let [none, one, two] = [0, 1, 2].map(|passes| run(options, name, passes));
        let (cold, warm) = ((one - none) / bytes, (two - one) / bytes);
        println!("{name:<14} {warm:>10.2} {cold:>10.2}");
    }
}

fn run(options: &Options, engine: &str, passes: usize) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--passes", engine, &passes.to_string()])
        .args(options.to_arguments())
        .output()
        .expect("valgrind");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = text
        .lines()
        .find_map(|line| line.split("Collected : ").nth(1));
    collected
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(f64::NAN)
}
