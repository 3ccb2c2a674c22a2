//! The engines, each behind one function from text to a number of tokens.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cpu_time::ProcessTime;
use loom_tokens::Vocabulary;

use crate::corpus::Corpus;
use crate::options::Options;
#[cfg(feature = "peers")]
use crate::peers::new as peer;

pub(crate) type Count = Box<dyn Fn(&str) -> usize + Send + Sync>;

pub struct Engine {
    pub name: &'static str,
    /// Seconds of processor time until it can count.
    pub start: f64,
    pub count: Count,
    /// In how many files it differs from the first, once that is known.
    pub different: Option<usize>,
}

/// The names, in the order of the tables. The first is what the others are
/// compared with.
pub const NAMES: [&str; 7] = [
    "tiktoken-rs",
    "loom-tokens",
    "bpe-openai",
    "tiktoken-fast",
    "splintr",
    "hf-tokenizers",
    "fastokens",
];

pub fn all(options: &Options) -> Vec<Engine> {
    let names = NAMES.iter().filter(|name| options.includes(name));
    names.map(|name| start(name, options.vocabulary)).collect()
}

/// Starts one engine, including its first, small count.
pub fn start(name: &str, vocabulary: Vocabulary) -> Engine {
    let name = NAMES
        .iter()
        .find(|known| **known == name)
        .expect("a known engine");
    let clock = ProcessTime::now();
    let count = new(name, vocabulary);
    black_box(count("hello"));
    Engine {
        name,
        start: clock.elapsed().as_secs_f64(),
        count,
        different: None,
    }
}

fn new(name: &str, vocabulary: Vocabulary) -> Count {
    match name {
        "loom-tokens" => Box::new(move |text| vocabulary.count(text)),
        other => peer(other, vocabulary),
    }
}

#[cfg(not(feature = "peers"))]
fn peer(name: &str, _: Vocabulary) -> Count {
    unreachable!("built without {name}")
}

/// Finds for each engine in how many files it differs from the first.
pub fn check(engines: &mut [Engine], corpus: &Corpus) {
    let count =
        |engine: &Engine, text: &str| catch_unwind(AssertUnwindSafe(|| (engine.count)(text))).ok();
    let (first, others) = engines.split_first_mut().expect("engines");
    let expected: Vec<_> = corpus.texts().map(|text| count(first, text)).collect();
    let tokens: usize = expected.iter().flatten().sum();
    println!("{}: {tokens} tokens", first.name);
    for engine in others {
        let counts = corpus.texts().map(|text| count(engine, text));
        let different = counts.zip(&expected).filter(|(a, b)| a != *b).count();
        engine.different = Some(different);
        println!(
            "{}: {different} of {} files differ",
            engine.name,
            expected.len()
        );
    }
}
