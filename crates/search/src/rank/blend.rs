//! Puts together what is known of files that were read: their words, their best parts,
//! and what they define.

use super::Question;
use super::score::Ranked;

/// What is known of a file that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Its place in [`Ranked::files`].
    pub rank: usize,
    /// The scores of its parts, in any order.
    pub parts: Vec<f64>,
    /// What it defines of the names that the question says.
    pub definitions: Vec<Definition>,
    /// How many files name what it defines, from 0 to 1.
    pub importance: f64,
}

/// A definition of a name that the question says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Which of [`Question::names`].
    pub name: usize,
    /// True if it is a type or the like: what is asked for by name mostly is.
    pub is_type: bool,
    /// How many lines it has.
    pub lines: usize,
    /// True if the file has its name.
    pub is_file: bool,
}

/// So many parts of a file count, each half of the one before: a file in which several
/// functions fit is better than one where one does by chance.
const PARTS: usize = 3;
const NEXT_PART: f64 = 0.5;
/// What a definition weighs against all words of the best file.
const DEFINITION: f64 = 0.5;
/// What more it weighs when it is a type, when the file has its name, when it is long,
/// and when the question says nothing else.
const TYPE: f64 = 0.5;
const FILE: f64 = 0.5;
const LONG: f64 = 0.3;
const ALL: f64 = 1.0;
/// What more a file weighs that all others name: little, for most questions are not about
/// such.
const IMPORTANCE: f64 = 0.05;

/// The scores of files, in the order of `evidence`. `part` is how much the best parts
/// count against all words of a file, from 0 to 1.
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

/// What the best definition of a name in a file says; less when many files have one.
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
