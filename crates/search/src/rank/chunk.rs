//! Scores the parts of a text for a question.

use std::collections::HashMap;
use std::ops::Range;

use super::Question;
use super::score::Ranked;
use crate::words;

/// A part of a text, with the name of its symbol if it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// The name.
    pub name: &'a str,
}

/// Saturation of repeated words, and the number of words of a part of average length. Longer parts
/// contain any word more often by chance.
const SATURATION: f64 = 1.2;
const USUAL_WORDS: f64 = 120.0;
/// Number of words in the body that one word in the name of a symbol is worth.
const NAME: f64 = 4.0;

/// Returns the scores of all parts, in order; 0 for a part that contains no word of the question.
pub fn part_scores(
    question: &Question,
    ranked: &Ranked,
    text: &str,
    parts: &[Part<'_>],
) -> Vec<f64> {
    let rarities: HashMap<&str, f64> = question
        .terms()
        .zip(ranked.rarities.iter().copied())
        .collect();
    let of = |one: &Part<'_>| {
        let body = text.get(one.span.clone());
        body.map_or(0.0, |body| score(&rarities, body, one.name))
    };
    parts.iter().map(of).collect()
}

fn score(rarities: &HashMap<&str, f64>, body: &str, name: &str) -> f64 {
    let mut counts: HashMap<&str, f64> = HashMap::new();
    let mut all = 0.0;
    let mut count = |text: &str, weight: f64| {
        for identifier in words::identifiers(text) {
            words::terms(identifier, |term| {
                all += 1.0;
                if let Some((known, _)) = rarities.get_key_value(term) {
                    *counts.entry(known).or_default() += weight;
                }
            });
        }
    };
    count(body, 1.0);
    count(name, NAME);
    // A part of three lines does not benefit from being short.
    let length = (0.25 + 0.75 * all / USUAL_WORDS).max(0.5);
    let mut score = 0.0;
    for (term, count) in &counts {
        score += rarities[term] * count / (count + SATURATION * length);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_function_has_the_best_score() {
        let text = "fn send() { retry(); }\nfn retry_request() { loop {} }\n";
        let question = Question::new("retry a request");
        let ranked = Ranked {
            rarities: vec![1.0; 2],
            ..Ranked::default()
        };
        let parts = [
            Part {
                span: 0..22,
                name: "send",
            },
            Part {
                span: 23..53,
                name: "retry_request",
            },
        ];
        let scores = part_scores(&question, &ranked, text, &parts);
        assert!(scores[1] > scores[0] && scores[0] > 0.0, "{scores:?}");
        let none = Question::new("absent");
        assert_eq!(part_scores(&none, &ranked, text, &parts), [0.0, 0.0]);
    }
}
