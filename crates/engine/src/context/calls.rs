//! Follows call edges from the functions that a query names: to their callees, which often contain
//! the fix, and to their callers.

use std::collections::HashMap;

use loom_program::{DefinitionId, FileId, ResolvedBy};
use loom_syntax::ReferenceKind;

use super::corpus::Corpus;
use super::signals::{Signal, Signals};

/// Maximum number of followed seeds, the most certain first.
const MOST: usize = 24;
/// Weight of callees, and of callers. A callee is a part of the seed's work; a caller only
/// uses it.
const CALLEE: f64 = 1.0;
const CALLER: f64 = 0.8;

pub(super) fn score(seeds: &[(DefinitionId, f64)], corpus: &Corpus, signals: &mut Signals) {
    let mut by_id: HashMap<DefinitionId, f64> = HashMap::new();
    for (id, weight) in seeds {
        let sum = by_id.entry(*id).or_default();
        *sum = sum.max(*weight);
    }
    let mut seeds: Vec<(DefinitionId, f64)> = by_id.into_iter().collect();
    seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    seeds.truncate(MOST);
    for (id, weight) in &seeds {
        let called = callees(*id, corpus);
        spread(&called, weight * CALLEE, Signal::Call, *id, corpus, signals);
    }
    for (id, callers) in callers(&seeds, corpus) {
        let weight = seeds
            .iter()
            .find(|(seed, _)| *seed == id)
            .map_or(0.0, |(_, weight)| *weight);
        spread(&callers, weight * CALLER, Signal::Call, id, corpus, signals);
    }
}

/// Distributes a weight over targets: the more targets, the less each gets.
pub(super) fn spread(
    found: &[(DefinitionId, f64)],
    weight: f64,
    signal: Signal,
    seed: DefinitionId,
    corpus: &Corpus,
    signals: &mut Signals,
) {
    let own = corpus.part_of(seed);
    let all: f64 = found.iter().map(|(_, share)| share).sum();
    let mut by_part: HashMap<u32, f64> = HashMap::new();
    for (id, share) in found {
        if let Some(part) = corpus.part_of(*id).filter(|part| Some(*part) != own) {
            *by_part.entry(part).or_default() += share;
        }
    }
    let mut by_file: HashMap<u32, f64> = HashMap::new();
    for (part, share) in by_part {
        let share = weight * share.min(1.0) / all.max(1.0).sqrt();
        signals.add_part(part, signal, share);
        let best = by_file.entry(corpus.parts[part as usize].file).or_default();
        *best = best.max(share);
    }
    for (file, share) in by_file {
        signals.add_file(file, signal, share);
    }
}

/// Returns the definitions that a definition references, with their probabilities. A type
/// references the targets of its constructor.
pub(super) fn callees(id: DefinitionId, corpus: &Corpus) -> Vec<(DefinitionId, f64)> {
    let program = &corpus.program;
    let definition = program.definition(id);
    let scope = program.scope(definition.file);
    let mut found = Vec::new();
    for one in program.uses(definition.file) {
        if one.from() != Some(definition.symbol) {
            continue;
        }
        let meaning = scope.meaning(one);
        if matches!(
            meaning.by,
            ResolvedBy::Unknown | ResolvedBy::Outside | ResolvedBy::Ambiguous
        ) {
            continue;
        }
        let kind = if one.kind() == ReferenceKind::Call {
            1.0
        } else {
            0.4
        };
        found.extend(
            meaning
                .targets
                .iter()
                .map(|(to, share)| (*to, f64::from(*share) * kind)),
        );
    }
    found
}

/// Returns the definitions that reference each of the seeds.
fn callers(
    seeds: &[(DefinitionId, f64)],
    corpus: &Corpus,
) -> Vec<(DefinitionId, Vec<(DefinitionId, f64)>)> {
    let program = &corpus.program;
    let mut wanted: HashMap<u32, Vec<DefinitionId>> = HashMap::new();
    for (id, _) in seeds {
        wanted
            .entry(program.name_number(*id))
            .or_default()
            .push(*id);
    }
    let mut found: HashMap<DefinitionId, Vec<(DefinitionId, f64)>> = HashMap::new();
    for file in 0..program.file_count() {
        let file = FileId(file as u32);
        if program.is_test(file) {
            continue;
        }
        let mut scope = None;
        for one in program.uses(file) {
            let Some(ids) = wanted.get(&one.name_number()) else {
                continue;
            };
            let from = one
                .from()
                .and_then(|at| program.definition_of(file, at as usize));
            let Some(from) = from else {
                continue;
            };
            let meaning = scope
                .get_or_insert_with(|| program.scope(file))
                .meaning(one);
            for (to, share) in meaning.targets {
                if ids.contains(&to) {
                    found.entry(to).or_default().push((from, f64::from(share)));
                }
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(id, _)| *id);
    found
}
