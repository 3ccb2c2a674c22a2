//! Combines the evidence about the files that were read: their words, their best parts, and their
//! definitions.

use super::Question;
use super::score::Ranked;

/// Evidence about a file that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Index in [`Ranked::files`].
    pub rank: usize,
    /// Scores of its parts, in any order.
    pub parts: Vec<f64>,
    /// Its definitions of names in the question.
    pub definitions: Vec<Definition>,
    /// Share of files that reference its definitions, from 0 to 1.
    pub importance: f64,
}

/// A definition of a name in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Index in [`Question::names`].
    pub name: usize,
    /// True for a type or the like, the most frequent target of a question with a name.
    pub is_type: bool,
    /// Number of lines.
    pub lines: usize,
    /// True if the file has the same name.
    pub is_file: bool,
}

/// Number of parts per file that count, each half as much as the one before: several relevant
/// functions are better evidence than one that matches by chance.
const PARTS: usize = 3;
const NEXT_PART: f64 = 0.5;
/// Weight of a definition, relative to all words of the best file.
const DEFINITION: f64 = 0.5;
/// Additional weight of a type, of a file with the same name, of a long definition, and of a
/// question that is only the name. A question that is only a name asks for its definition, so that
/// one outweighs all others; length is the weakest hint, because it also favours generated code.
const TYPE: f64 = 0.5;
const FILE: f64 = 0.5;
const LONG: f64 = 0.3;
const ALL: f64 = 1.0;
/// Additional weight of a file that all others reference: small, because most questions are not
/// about such files.
const IMPORTANCE: f64 = 0.05;

/// Returns the scores of files, in the order of `evidence`. `part` is the weight of the best parts
/// relative to all words of a file, from 0 to 1.
pub fn blend(question: &Question, ranked: &Ranked, evidence: &[Evidence], part: f64) -> Vec<f64> {
    let words = |one: &Evidence| ranked.words(one.rank);
    let most = evidence.iter().map(words).fold(1e-9, f64::max);
    let parts: Vec<f64> = evidence.iter().map(|one| best(&one.parts)).collect();
    let best = parts.iter().copied().fold(1e-9, f64::max);
    let names = question.names().len();
    let files: Vec<usize> = (0..names)
        .map(|name| {
            let defines = |one: &&Evidence| one.definitions.iter().any(|it| it.name == name);
            evidence.iter().filter(defines).count()
        })
        .collect();
    let score = |(one, parts): (&Evidence, f64)| {
        let share = words(one) / most;
        let text = share * (1.0 - part) + part * share.sqrt() * parts / best;
        let defined: f64 = (0..names)
            .map(|name| definition(question, one, name, files[name]))
            .sum();
        let place = 1.0 + IMPORTANCE * one.importance;
        let fits = text + ranked.named(one.rank) + DEFINITION * defined;
        fits * ranked.standing(one.rank) * place
    };
    evidence.iter().zip(parts).map(score).collect()
}

fn best(parts: &[f64]) -> f64 {
    let mut ordered = parts.to_vec();
    ordered.sort_by(|a, b| b.total_cmp(a));
    let mut weight = 1.0;
    let mut sum = 0.0;
    for part in ordered.into_iter().take(PARTS) {
        sum += weight * part;
        weight *= NEXT_PART;
    }
    sum
}

/// Scores the best definition of a name in a file; lower if many files define the name.
fn definition(question: &Question, evidence: &Evidence, name: usize, files: usize) -> f64 {
    let weight = |one: &Definition| {
        let long = (1.0 + one.lines as f64).ln() / 5.0;
        (1.0 + if one.is_type { TYPE } else { 0.0 })
            * (1.0 + if one.is_file { FILE } else { 0.0 })
            * (1.0 + LONG * long.min(1.0))
    };
    let defined = evidence.definitions.iter().filter(|one| one.name == name);
    let most = defined.map(weight).fold(0.0, f64::max);
    let is_all = question.names().get(name).is_some_and(|name| name.is_all);
    most * (1.0 + if is_all { ALL } else { 0.0 }) / (files.max(1) as f64).sqrt()
}
