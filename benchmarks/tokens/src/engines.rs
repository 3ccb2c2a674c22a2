//! The engines, each behind one function from text to a number of tokens.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cpu_time::ProcessTime;
use loom_tokens::Vocabulary;

use crate::corpus::Corpus;
use crate::hugging;
use crate::options::Options;

type Count = Box<dyn Fn(&str) -> usize + Send + Sync>;

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
    let o200k = vocabulary == Vocabulary::O200kBase;
    match name {
        "loom-tokens" => Box::new(move |text| vocabulary.count(text)),
        "tiktoken-rs" => {
            let bpe = if o200k {
                tiktoken_rs::o200k_base()
            } else {
                tiktoken_rs::cl100k_base()
            };
            let bpe = bpe.expect("embedded vocabulary");
            Box::new(move |text| bpe.encode_ordinary(text).len())
        }
        "bpe-openai" => {
            let bpe = if o200k {
                bpe_openai::o200k_base()
            } else {
                bpe_openai::cl100k_base()
            };
            Box::new(move |text| bpe.count(text))
        }
        "tiktoken-fast" => {
            let bpe = if o200k {
                tiktoken_fast::o200k_base()
            } else {
                tiktoken_fast::cl100k_base()
            };
            let bpe = bpe.ok().expect("embedded vocabulary");
            Box::new(move |text| bpe.encode_ordinary(text).len())
        }
        "splintr" => {
            let bpe = splintr::from_pretrained(vocabulary.name()).expect("embedded vocabulary");
            let none = splintr::SpecialMode::Ordinary;
            Box::new(move |text| bpe.encode_with(text, &none).map_or(0, |ids| ids.len()))
        }
        "hf-tokenizers" => hugging::tokenizers(vocabulary),
        "fastokens" => fastokens(vocabulary),
        _ => unreachable!("names are checked"),
    }
}

fn fastokens(vocabulary: Vocabulary) -> Count {
    let config = fastokens::TiktokenConfig::from_preset(vocabulary.name()).expect("a preset");
    let ranks: Vec<_> = hugging::tokens(vocabulary).collect();
    let bpe = fastokens::Tokenizer::from_tiktoken_ranks(&ranks, config).expect("valid ranks");
    Box::new(move |text| bpe.encode_ordinary(text).map_or(0, |ids| ids.len()))
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
