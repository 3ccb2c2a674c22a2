//! Long text of one kind: the time for twice as much, and against `bpe-openai`
//! where that has the vocabulary.

use std::hint::black_box;

use cpu_time::ProcessTime;
use loom_tokens::Vocabulary;
use serde_json::{Value, json};

use crate::engines::{self, Engine};
use crate::hard;
use crate::options::Options;
use crate::results;

/// Bytes of the shorter text.
const SIZE: usize = 10_000_000;
/// Seconds after which the other engine is not measured again.
const SLOW: f64 = 1.0;

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
    let rows: Vec<_> = measure(options, &ours, theirs.as_ref())
        .into_iter()
        .map(Row::print)
        .collect();
    results::write(options, "growth", rows.into());
}

/// The best seconds for one kind of text.
struct Row {
    name: &'static str,
    once: f64,
    twice: f64,
    other: f64,
}

/// Every round has new text, so that nobody remembers it.
fn measure(options: &Options, ours: &Engine, theirs: Option<&Engine>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for round in 0..options.rounds.min(3) as u64 {
        let short = hard::texts(SIZE, 2 * round + 1);
        let long = hard::texts(2 * SIZE, 2 * round + 2);
        for (at, ((name, short), (_, long))) in short.iter().zip(&long).enumerate() {
            if rows.len() == at {
                let other = if theirs.is_some() { f64::MAX } else { f64::NAN };
                let [once, twice] = [f64::MAX; 2];
                rows.push(Row {
                    name,
                    once,
                    twice,
                    other,
                });
            }
            let row = &mut rows[at];
            row.once = row.once.min(seconds(ours, short));
            row.twice = row.twice.min(seconds(ours, long));
            // Some take them minutes.
            let worth = round == 0 || row.other < SLOW;
            if let Some(theirs) = theirs.filter(|_| worth) {
                assert_eq!((ours.count)(short), (theirs.count)(short), "{name}");
                row.other = row.other.min(seconds(theirs, short));
            }
        }
    }
    rows
}

impl Row {
    fn print(self) -> Value {
        let speed = |seconds: f64| SIZE as f64 / 1e6 / seconds;
        let Self {
            name,
            once,
            twice,
            other,
        } = self;
        println!(
            "{name:<20} {:>8.0} {:>12.1} {:>8.1} {:>10.2}",
            speed(once),
            speed(other),
            other / once,
            twice / once
        );
        json!({
            "text": name,
            "mb_per_second": results::figure(speed(once)),
            "bpe_openai_mb_per_second": results::figure(speed(other)),
            "twice_takes": results::figure(twice / once),
        })
    }
}

fn seconds(engine: &Engine, text: &str) -> f64 {
    let clock = ProcessTime::now();
    black_box((engine.count)(text));
    clock.elapsed().as_secs_f64()
}
