//! Long text of one kind: the time for twice as much, and against `bpe-openai`
//! where that has the vocabulary.

use std::hint::black_box;

use cpu_time::ProcessTime;
use loom_tokens::Vocabulary;
use serde_json::json;

use crate::engines::{self, Engine};
use crate::hard;
use crate::options::Options;
use crate::results;

/// Bytes of the shorter text.
const SIZE: usize = 10_000_000;
/// Seconds after which no more passes are made.
const ENOUGH: f64 = 3.0;

pub fn compare(options: &Options) {
    let has_other = matches!(
        options.vocabulary,
        Vocabulary::O200kBase | Vocabulary::Cl100kBase
    );
    let ours = engines::start("loom-tokens", options.vocabulary);
    let theirs = has_other.then(|| engines::start("bpe-openai", options.vocabulary));
    println!("\n{}: 10 MB of one kind", options.vocabulary.name());
    println!(
        "{:<20} {:>8} {:>12} {:>8} {:>10}",
        "", "MB/s", "bpe-openai", "ratio", "20 MB takes"
    );
    let mut rows = Vec::new();
    for (name, text) in hard::texts(2 * SIZE) {
        let once = &text[..text.floor_char_boundary(SIZE)];
        let [short, long] = [once, &text].map(|text| best(options, &ours, text));
        let other = theirs.as_ref().map_or(f64::NAN, |theirs| {
            assert_eq!((ours.count)(once), (theirs.count)(once), "{name}");
            best(options, theirs, once)
        });
        let speed = |seconds: f64| SIZE as f64 / 1e6 / seconds;
        println!(
            "{name:<20} {:>8.0} {:>12.1} {:>8.1} {:>10.2}",
            speed(short),
            speed(other),
            other / short,
            long / short
        );
        rows.push(json!({
            "text": name,
            "mb_per_second": results::figure(speed(short)),
            "bpe_openai_mb_per_second": results::figure(speed(other)),
            "twice_takes": results::figure(long / short),
        }));
    }
    results::write(options, "growth", rows.into());
}

fn best(options: &Options, engine: &Engine, text: &str) -> f64 {
    let (mut best, mut all) = (f64::MAX, 0.0);
    for _ in 0..options.rounds {
        let clock = ProcessTime::now();
        black_box((engine.count)(text));
        let spent = clock.elapsed().as_secs_f64();
        best = best.min(spent);
        all += spent;
        if all > ENOUGH {
            break;
        }
    }
    best
}
