//! Files whose name matches the query: `BooleanUtils.java` for "parsing of booleans". The share of
//! the name counts, not the share of the query.

use std::collections::{HashMap, HashSet};

use loom_syntax::SymbolKind;

use super::corpus::Corpus;
use super::cut::term_key;
use super::query::ParsedQuery;
use super::signals::{Signal, Signals};

/// Weight of a prefix match, such as `impl` for `implementations`.
const BEGUN: f64 = 0.7;
/// Minimum length of a prefix; shorter ones match anything.
const SHORTEST: usize = 3;

/// Returns the prefixes of terms that abbreviated names use.
fn begun(terms: &[String]) -> HashSet<u32> {
    let ends = |term: &str| {
        let ends = term.char_indices().map(|(at, c)| at + c.len_utf8());
        ends.filter(|end| *end >= SHORTEST).collect::<Vec<_>>()
    };
    let starts = |term: &String| {
        let ends = ends(term).into_iter();
        ends.map(|end| term_key(&term[..end])).collect::<Vec<_>>()
    };
    terms.iter().flat_map(starts).collect()
}

/// Scores the definition of a query that is a single name.
fn lone(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) {
    let Some(name) = &asked.lone else {
        return;
    };
    let program = &corpus.program;
    let mut parts: Vec<(u32, f64)> = Vec::new();
    for id in program.named(name) {
        let definition = program.definition(*id);
        let kind = definition.kind;
        let worth = match kind {
            _ if definition.is_test => continue,
            SymbolKind::Impl => 0.2,
            _ if kind.is_type() => 1.0,
            _ if kind.is_function() || kind == SymbolKind::Macro => 0.8,
            _ => 0.4,
        };
        parts.extend(corpus.part_of(*id).map(|part| (part, worth)));
    }
    let mut best: HashMap<u32, f64> = HashMap::new();
    for (part, worth) in parts {
        signals.add_part(part, Signal::Definition, worth);
        let file = best.entry(corpus.parts[part as usize].file).or_default();
        *file = file.max(worth);
    }
    let share = 1.0 / (best.len().max(1) as f64).sqrt();
    for (file, worth) in best {
        signals.add_file(file, Signal::Name, worth * share);
    }
}

pub(super) fn score(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) {
    lone(asked, corpus, signals);
    let title_terms: HashSet<u32> = asked.title.iter().map(|term| term_key(term)).collect();
    if title_terms.is_empty() {
        return;
    }
    let begun = begun(&asked.title);
    let mut with: HashMap<u32, f64> = HashMap::new();
    for key in corpus.files.iter().flat_map(|file| &file.called) {
        *with.entry(*key).or_default() += 1.0;
    }
    let all = corpus.files.len() as f64;
    let rarity = |key: &u32| (1.0 + all / (with.get(key).copied().unwrap_or(0.0) + 0.5)).ln();
    for (at, file) in corpus.files.iter().enumerate() {
        let (mut known, mut sum) = (0.0, 0.0);
        for key in &file.called {
            let rarity = rarity(key);
            sum += rarity;
            known += match key {
                key if title_terms.contains(key) => rarity,
                key if begun.contains(key) => rarity * BEGUN,
                _ => 0.0,
            };
        }
        if known > 0.0 {
            // A report has a title and a long body; a short question is only a title.
            let value = known / sum * asked.title_share.sqrt();
            signals.add_file(at as u32, Signal::Name, value);
        }
    }
}
