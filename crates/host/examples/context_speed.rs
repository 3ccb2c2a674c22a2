//! How long contexts take when the source is already read:
//! `context_speed FOLDER BUDGET QUESTIONS.txt`, one question a line.
#![expect(
    clippy::print_stdout,
    reason = "a program for measuring, not a part of the library"
)]

use std::time::Instant;

use anyhow::{Context, Result};
use loom_host::{Cancel, ContextRequest, ContextWeights, Format, PackOptions, Packer};

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, budget, questions] = words.as_slice() else {
        anyhow::bail!("context_speed FOLDER BUDGET QUESTIONS.txt");
    };
    let began = Instant::now();
    let packer = Packer::open(&[folder], PackOptions::default())?;
    let repository = packer.context_repository(&Cancel::new())?;
    println!(
        "read {} files in {:.0?}",
        repository.corpus().files.len(),
        began.elapsed()
    );
    let questions = std::fs::read_to_string(questions).context("no questions")?;
    let mut times = Vec::new();
    for query in questions.lines().filter(|line| !line.is_empty()) {
        let request = ContextRequest {
            query: query.to_owned(),
            budget: budget.parse()?,
            format: Format::Xml,
            weights: ContextWeights::default(),
            hot: Vec::new(),
            previous: Vec::new(),
            embedder: None,
            pins: Vec::new(),
            top: None,
            threshold: f64::NEG_INFINITY,
        };
        let began = Instant::now();
        let answer = packer.context(&repository, &request, &Cancel::new())?;
        times.push((began.elapsed(), answer.fitted.tokens));
    }
    times.sort();
    let at = |share: usize| times.get(times.len() * share / 100).or(times.last());
    println!("p50 {:.1?}, p99 {:.1?}", at(50), at(99));
    Ok(())
}
