//! Extraction beside plain parsing, which is its floor, and beside universal-ctags:
//! `cargo run --release -- [--mb N] [--rounds N] DIR...`. Rounds alternate, the least
//! time counts, and the ratios are what to look at.

mod corpus;
mod ctags;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use corpus::Source;
use loom_syntax::{Limits, extract, parse_alone};

const USAGE: &str = "usage: syntax-benchmark [--mb N] [--rounds N] DIR...";

struct Options {
    trees: Vec<PathBuf>,
    bytes: usize,
    rounds: usize,
}

fn main() -> ExitCode {
    match options() {
        Some(options) => {
            run(&options);
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Option<Options> {
    let mut options = Options {
        trees: Vec::new(),
        bytes: 10_000_000,
        rounds: 3,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--mb" => options.bytes = words.next()?.parse::<usize>().ok()? * 1_000_000,
            "--rounds" => options.rounds = words.next()?.parse().ok()?,
            word if word.starts_with('-') => return None,
            tree => options.trees.push(PathBuf::from(tree)),
        }
    }
    (!options.trees.is_empty()).then_some(options)
}

/// Seconds, the least of all rounds.
#[derive(Clone, Copy)]
struct Times {
    plain: f64,
    ours: f64,
    two: f64,
    ctags: Option<f64>,
}

fn run(options: &Options) {
    let corpus = corpus::load(&options.trees, options.bytes);
    println!(
        "| language | files | MB | plain MB/s | ours MB/s | ours / plain | two threads MB/s | files/s | ctags MB/s | two threads / ctags |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut sums = BTreeMap::from([("all", Sum::default())]);
    for (language, sources) in &corpus {
        let times = measure(sources, language, options.rounds);
        let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
        print(language, sources.len(), bytes, &times);
        if let Some(sum) = sums.get_mut("all") {
            sum.add(sources.len(), bytes, &times);
        }
    }
    sums.values().for_each(Sum::print);
}

fn measure(sources: &[Source], language: &str, rounds: usize) -> Times {
    let limits = Limits::default();
    let mut best = Times {
        plain: f64::MAX,
        ours: f64::MAX,
        two: f64::MAX,
        ctags: None,
    };
    let plain = |source: &Source| usize::from(parse_alone(source.language, &source.text, &limits));
    let ours = |source: &Source| {
        extract(source.language, &source.text, &limits)
            .symbols
            .len()
    };
    for _ in 0..rounds {
        best.plain = best.plain.min(timed(sources, 1, &plain));
        best.ours = best.ours.min(timed(sources, 1, &ours));
        best.two = best.two.min(timed(sources, 2, &ours));
        if let Some(seconds) = ctags::seconds(sources, language) {
            best.ctags = Some(best.ctags.map_or(seconds, |before| before.min(seconds)));
        }
    }
    best
}

fn timed(sources: &[Source], threads: usize, work: &(impl Fn(&Source) -> usize + Sync)) -> f64 {
    let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    let worker = || {
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum.fetch_add(work(source), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(worker);
        }
        worker();
    });
    std::hint::black_box(sum.into_inner());
    start.elapsed().as_secs_f64()
}

fn print(name: &str, files: usize, bytes: usize, times: &Times) {
    let mb = bytes as f64 / 1e6;
    let speed = |seconds: f64| format!("{:.1}", mb / seconds);
    println!(
        "| {name} | {files} | {mb:.1} | {} | {} | {:.2} | {} | {:.0} | {} | {} |",
        speed(times.plain),
        speed(times.ours),
        times.ours / times.plain,
        speed(times.two),
        files as f64 / times.two,
        times.ctags.map_or_else(|| "-".to_owned(), speed),
        times.ctags.map_or_else(
            || "-".to_owned(),
            |ctags| format!("{:.2}", ctags / times.two)
        ),
    );
}

/// Everything that ctags reads too.
#[derive(Default)]
struct Sum {
    files: usize,
    bytes: usize,
    times: Option<Times>,
}

impl Sum {
    fn add(&mut self, files: usize, bytes: usize, times: &Times) {
        let Some(ctags) = times.ctags else { return };
        self.files += files;
        self.bytes += bytes;
        let sum = self.times.get_or_insert(Times {
            plain: 0.0,
            ours: 0.0,
            two: 0.0,
            ctags: Some(0.0),
        });
        sum.plain += times.plain;
        sum.ours += times.ours;
        sum.two += times.two;
        sum.ctags = sum.ctags.map(|before| before + ctags);
    }

    fn print(&self) {
        if let Some(times) = &self.times {
            print("all that ctags reads", self.files, self.bytes, times);
        }
    }
}
