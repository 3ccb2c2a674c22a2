//! Instructions for each byte, by callgrind, of a tenth of the text: two passes
//! less one.

use std::hint::black_box;
use std::process::Command;

use serde_json::{Map, json};

use crate::corpus::Corpus;
use crate::engines::{self, Engine, NAMES};
use crate::options::Options;
use crate::results;

/// Counts everything so many times.
pub fn child(options: &Options, corpus: &Corpus, engine: &str, passes: usize) {
    let engine = engines::start(engine, options.vocabulary);
    for _ in 0..passes {
        measured_pass(&engine, corpus);
    }
}

/// The name that callgrind is told: it collects only here.
#[inline(never)]
fn measured_pass(engine: &Engine, corpus: &Corpus) {
    for text in corpus.texts() {
        black_box((engine.count)(text));
    }
}

pub fn compare(options: &Options) {
    let options = Options {
        per_language: options.per_language / 40,
        ..options.clone()
    };
    let corpus = crate::corpus::load(&options.directories, options.per_language);
    let bytes = corpus.bytes() as f64;
    println!("\ninstructions for each of {bytes} bytes: warm, cold");
    let mut figures = Map::new();
    figures.insert("bytes".to_owned(), json!(corpus.bytes()));
    for name in NAMES.into_iter().filter(|name| options.includes(name)) {
        let [one, two] = [1, 2].map(|passes| run(&options, name, passes));
        let (cold, warm) = (one / bytes, (two - one) / bytes);
        println!("{name:<14} {warm:>10.2} {cold:>10.2}");
        let row = json!({ "warm": results::figure(warm), "cold": results::figure(cold) });
        figures.insert(name.to_owned(), row);
    }
    results::write(&options, "instructions_per_byte", figures.into());
}

fn run(options: &Options, engine: &str, passes: usize) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*measured_pass*")
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
