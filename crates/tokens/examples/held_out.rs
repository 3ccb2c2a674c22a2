//! Measures the error of the estimate for Claude on texts that it was not fitted to: for each of
//! the 120 published counts in `tests/it/data/claude.json`, it fits factors and ranges to the other
//! 119 and estimates the text with them. It prints that next to the results of the shipped factors,
//! which were fitted to all 120: `cargo run --release -p loom-tokens --example held_out`.
//!
//! The fit: factors by least squares over the classes, none below zero, each text weighted by one
//! over its count. Ranges are computed in two ways: as shipped, with the same shares of the
//! factors, and fitted, as two standard deviations of the logarithm of the ratios of the texts that
//! mostly belong to a class. Texts of less than 20 tokens are not used for ranges; the extra token
//! at either end covers their error.

#![expect(clippy::print_stdout, reason = "a tool that prints a table")]

use std::error::Error;

use loom_tokens::{Estimator, amounts, factors_of};
use serde_json::Value;

const CLASSES: usize = 11;
/// Half of the width of a range, in standard deviations.
const WIDTH: f64 = 2.0;
/// Minimum length of texts for ranges, in tokens.
const SHORT: f64 = 20.0;
/// Minimum number of texts for the range of a class.
const LEAST: usize = 4;

struct Sample {
    kind: String,
    tokens: f64,
    amounts: [f64; CLASSES],
    shipped: [f64; 3],
}

fn main() -> Result<(), Box<dyn Error>> {
    let data: Value = serde_json::from_str(include_str!("../tests/it/data/claude.json"))?;
    let samples = data["samples"].as_array().into_iter().flatten();
    let samples: Vec<Sample> = samples.filter_map(sample).collect();
    let held: Vec<[[f64; 3]; 2]> = (0..samples.len())
        .map(|left_out| {
            let fit = Fit::without(&samples, left_out);
            let (sample, fitted) = (&samples[left_out], fit.edges);
            [shipped_edges(), fitted].map(|edges| fit.estimate(sample, &edges))
        })
        .collect();
    let mut kinds: Vec<&str> = Vec::new();
    for sample in &samples {
        if !kinds.contains(&&*sample.kind) {
            kinds.push(&sample.kind);
        }
    }
    println!(
        "| texts | shipped: error | in the band | held out: error | in the shipped band | in a fitted band |"
    );
    println!("|---|---|---|---|---|---|");
    for kind in kinds {
        print(kind, &samples, &held, |sample| sample.kind == kind);
    }
    print("all", &samples, &held, |_| true);
    Ok(())
}

fn sample(row: &Value) -> Option<Sample> {
    let text = row[2].as_str()?;
    let estimate = Estimator::Claude3.estimate(text);
    let shipped = [estimate.low(), estimate.likely(), estimate.high()];
    Some(Sample {
        kind: row[0].as_str()?.to_owned(),
        tokens: row[1].as_f64()?,
        amounts: amounts(text).map(|amount| amount as f64),
        shipped: shipped.map(|tokens| tokens as f64),
    })
}

fn print(name: &str, samples: &[Sample], held: &[[[f64; 3]; 2]], is_it: impl Fn(&Sample) -> bool) {
    let both = samples.iter().zip(held).filter(|(sample, _)| is_it(sample));
    let (mut texts, mut errors, mut widths, mut inside) = (0.0, [0.0; 3], [0.0; 3], [0; 3]);
    for (sample, [as_shipped, fitted]) in both {
        texts += 1.0;
        let all = [sample.shipped, *as_shipped, *fitted];
        for (at, [low, likely, high]) in all.into_iter().enumerate() {
            errors[at] += (likely - sample.tokens).abs() / sample.tokens;
            widths[at] += (high - low) / likely.max(1.0) / 2.0;
            inside[at] += usize::from((low..=high).contains(&sample.tokens));
        }
    }
    let [shipped, held, _] = errors.map(|error| 100.0 * error / texts);
    let mut bands = inside
        .iter()
        .zip(widths)
        .map(|(inside, width)| format!("{inside} of {texts}, ±{:.0} %", 100.0 * width / texts));
    let mut band = || bands.next().unwrap_or_default();
    let columns = [
        format!("{shipped:.1} %"),
        band(),
        format!("{held:.1} %"),
        band(),
        band(),
    ];
    println!("| {name} | {} |", columns.join(" | "));
}

/// Returns the ends of the shipped ranges, as shares of the likely value.
fn shipped_edges() -> [[f64; 2]; CLASSES] {
    factors_of(Estimator::Claude3)
        .map(|[low, likely, high]| [low, high].map(|end| end as f64 / likely as f64))
}

/// Factors and ranges that were fitted to some texts.
struct Fit {
    factors: [f64; CLASSES],
    /// Factors of the lower and upper end for each class.
    edges: [[f64; 2]; CLASSES],
}

impl Fit {
    fn without(samples: &[Sample], left_out: usize) -> Self {
        let kept = samples.iter().enumerate();
        let kept: Vec<&Sample> = kept
            .filter(|(at, _)| *at != left_out)
            .map(|(_, sample)| sample)
            .collect();
        let factors = factors(&kept);
        let mut ratios: [Vec<f64>; CLASSES] = Default::default();
        for sample in &kept {
            let parts = parts(sample, &factors);
            let whole: f64 = parts.iter().sum();
            let largest = (0..CLASSES).max_by(|&a, &b| parts[a].total_cmp(&parts[b]));
            let is_long = sample.tokens >= SHORT && whole > 0.0;
            if let Some(class) = largest.filter(|_| is_long) {
                ratios[class].push((sample.tokens / whole).ln());
            }
        }
        let all = edges(&ratios.concat());
        let edges = ratios.map(|ratios| match ratios.len() {
            0..LEAST => all,
            _ => edges(&ratios),
        });
        Self { factors, edges }
    }

    fn estimate(&self, sample: &Sample, edges: &[[f64; 2]; CLASSES]) -> [f64; 3] {
        let parts = parts(sample, &self.factors);
        let end = |at: usize| {
            parts
                .iter()
                .zip(edges)
                .map(move |(part, edges)| part * edges[at])
        };
        let (low, high) = (end(0).sum::<f64>(), end(1).sum::<f64>());
        let likely = parts.iter().sum::<f64>().round();
        [low.floor() - 1.0, likely, high.ceil() + 1.0]
    }
}

fn parts(sample: &Sample, factors: &[f64; CLASSES]) -> [f64; CLASSES] {
    std::array::from_fn(|class| sample.amounts[class] * factors[class])
}

fn edges(logarithms: &[f64]) -> [f64; 2] {
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares = logarithms.iter().map(|one| (one - mean).powi(2));
    let deviation = (squares.sum::<f64>() / (count - 1.0)).sqrt();
    [-WIDTH, WIDTH].map(|width| (mean + width * deviation).exp())
}

/// Fits the factors. A class whose factor would be below zero is excluded.
fn factors(samples: &[&Sample]) -> [f64; CLASSES] {
    let is_there = |class: &usize| samples.iter().any(|sample| sample.amounts[*class] > 0.0);
    let mut classes: Vec<usize> = (0..CLASSES).filter(is_there).collect();
    loop {
        let solved = least_squares(samples, &classes);
        let negative = solved.iter().position(|&factor| factor < 0.0);
        if let Some(at) = negative {
            classes.remove(at);
            continue;
        }
        let mut factors = [0.0; CLASSES];
        for (class, factor) in classes.into_iter().zip(solved) {
            factors[class] = factor;
        }
        return factors;
    }
}

/// Solves the normal equations by elimination.
fn least_squares(samples: &[&Sample], classes: &[usize]) -> Vec<f64> {
    let size = classes.len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for sample in samples {
        for (row, &class) in rows.iter_mut().zip(classes) {
            let weight = sample.amounts[class] / sample.tokens;
            for (cell, &other) in row.iter_mut().zip(classes) {
                *cell += weight * sample.amounts[other];
            }
            row[size] += weight * sample.tokens;
        }
    }
    for pivot in 0..size {
        let best =
            (pivot..size).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()));
        rows.swap(pivot, best.unwrap_or(pivot));
        let lead = rows[pivot].clone();
        let others = rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot);
        for (_, row) in others {
            let share = row[pivot] / lead[pivot];
            for (cell, above) in row.iter_mut().zip(&lead) {
                *cell -= share * above;
            }
        }
    }
    let solved = rows.iter().enumerate();
    solved.map(|(at, row)| row[size] / row[at]).collect()
}
