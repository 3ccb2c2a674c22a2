//! Repeated passes over everything, engines in turn.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::thread;

use cpu_time::{ProcessTime, ThreadTime};
use serde_json::{Map, Value, json};

use crate::corpus::Corpus;
use crate::engines::Engine;
use crate::floors;
use crate::options::Options;
use crate::results;

/// A function that counts.
pub type Counter = dyn Fn(&str) -> usize + Send + Sync;

type Named<'a> = (&'static str, &'a Counter);

/// The best seconds of each engine and language.
pub struct Warm {
    sizes: BTreeMap<&'static str, f64>,
    seconds: Vec<(&'static str, BTreeMap<&'static str, f64>)>,
    /// The best seconds of processor time of two threads together.
    two_threads: Vec<(&'static str, f64)>,
}

pub fn measure(options: &Options, engines: &[Engine], corpus: &Corpus) -> Warm {
    let floors = floors::all(options.vocabulary);
    let counts: Vec<Named> = engines
        .iter()
        .map(|engine| (engine.name, &*engine.count as &Counter))
        .chain(floors.iter().map(|(name, floor)| (*name, &**floor)))
        .collect();
    let mut seconds: Vec<_> = counts
        .iter()
        .map(|(name, _)| (*name, BTreeMap::new()))
        .collect();
    // The first round warms up.
    for round in 0..=options.rounds {
        for ((_, count), (_, best)) in counts.iter().zip(&mut seconds) {
            for (language, texts) in &corpus.languages {
                let clock = ProcessTime::now();
                texts.iter().for_each(|text| {
                    black_box(count(text));
                });
                let spent = clock.elapsed().as_secs_f64();
                let least = best.entry(*language).or_insert(f64::MAX);
                *least = if round == 0 {
                    f64::MAX
                } else {
                    least.min(spent)
                };
            }
        }
    }
    let size = |texts: &Vec<String>| texts.iter().map(String::len).sum::<usize>() as f64;
    let sizes = corpus.languages.iter();
    Warm {
        sizes: sizes.map(|(name, texts)| (*name, size(texts))).collect(),
        seconds,
        two_threads: two_threads(options, &counts, corpus),
    }
}

fn two_threads(options: &Options, counts: &[Named], corpus: &Corpus) -> Vec<(&'static str, f64)> {
    let rounds = options.rounds.min(3);
    counts
        .iter()
        .map(|&(name, count)| {
            let rounds = (0..rounds).map(|_| threads(count, corpus, 2));
            (name, rounds.fold(f64::MAX, f64::min))
        })
        .collect()
}

/// The processor time of so many threads that share the work.
pub fn threads(count: &Counter, corpus: &Corpus, threads: usize) -> f64 {
    let work = |first: usize| {
        let clock = ThreadTime::now();
        corpus
            .texts()
            .skip(first)
            .step_by(threads)
            .for_each(|text| {
                black_box(count(text));
            });
        clock.elapsed().as_secs_f64()
    };
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|n| scope.spawn(move || work(n))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .sum()
    })
}

impl Warm {
    pub fn total(&self, name: &str) -> f64 {
        let found = self.seconds.iter().find(|(engine, _)| *engine == name);
        found.map_or(f64::NAN, |(_, seconds)| seconds.values().sum())
    }

    /// Processor time of one thread over that of two.
    pub fn efficiency(&self, name: &str) -> f64 {
        let two = self.two_threads.iter().find(|(engine, _)| *engine == name);
        two.map_or(f64::NAN, |(_, two)| self.total(name) / two)
    }

    /// MB per second and the ratio to the first engine, for all and for each
    /// language.
    pub fn figures(&self, name: &str) -> Value {
        let speed = |bytes: f64, seconds: f64, base: f64| {
            json!({
                "mb_per_second": results::figure(bytes / 1e6 / seconds),
                "ratio": results::figure(base / seconds),
            })
        };
        let first = &self.seconds[0];
        let mut rows = Map::new();
        let bytes: f64 = self.sizes.values().sum();
        let all = speed(bytes, self.total(name), self.total(first.0));
        rows.insert("all".to_owned(), all);
        if let Some((_, seconds)) = self.seconds.iter().find(|(engine, _)| *engine == name) {
            for (language, spent) in seconds {
                let row = speed(self.sizes[language], *spent, first.1[language]);
                rows.insert((*language).to_owned(), row);
            }
        }
        rows.into()
    }

    /// The names of what was measured, floors included.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.seconds.iter().map(|(name, _)| *name)
    }

    pub fn print(&self) {
        let bytes: f64 = self.sizes.values().sum();
        let base = self.total("tiktoken-rs");
        println!("\nwarm, one thread: MB/s (times tiktoken-rs)");
        print!("{:<14} {:>16}", "", "all");
        self.sizes
            .keys()
            .for_each(|language| print!(" {language:>15}"));
        println!();
        for (name, seconds) in &self.seconds {
            let total: f64 = seconds.values().sum();
            print!("{name:<14} {:>16}", cell(bytes, total, base));
            for (language, spent) in seconds {
                let base = self.seconds[0].1[language];
                print!(" {:>15}", cell(self.sizes[language], *spent, base));
            }
            println!();
        }
    }
}

fn cell(bytes: f64, seconds: f64, base: f64) -> String {
    format!("{:.0} ({:.1})", bytes / 1e6 / seconds, base / seconds)
}
