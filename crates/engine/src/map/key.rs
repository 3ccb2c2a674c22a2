//! The key symbols of a map.

use std::collections::{HashMap, HashSet};

use loom_syntax::SymbolKind;

use super::linked::SymbolGraph;

/// Maximum number of key symbols.
pub(super) const MOST_KEY_SYMBOLS: usize = 30;

/// Conventional members, which say nothing about their type.
const EVERY_TYPE: &[&str] = &[
    "clone", "fmt", "eq", "cmp", "hash", "drop", "default", "from", "into", "equals", "hashCode",
    "toString", "ToString",
];

/// Returns the key symbols: no tests, one per name, few per file.
pub(super) fn key_symbols<'a>(
    linked: &SymbolGraph,
    all: impl Iterator<Item = &'a (usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut names: HashSet<&str> = HashSet::new();
    let mut of_file: HashMap<usize, usize> = HashMap::new();
    let mut chosen = Vec::new();
    for &(file, at) in all {
        let symbol = &linked.files[file].symbols[at];
        let is_plain = matches!(symbol.kind, SymbolKind::Constructor | SymbolKind::Impl)
            || symbol.name.starts_with("__")
            || EVERY_TYPE.contains(&&*symbol.name);
        let is_member = symbol.kind == SymbolKind::Method;
        let is_fit = !symbol.is_test && !linked.is_test(file) && !is_plain;
        let count = of_file.entry(file).or_default();
        // Types and functions of modules come before the members of a few types.
        let most = if is_member { 2 } else { 4 };
        if is_fit && *count < most && names.insert(&symbol.name) {
            *count += 1;
            chosen.push((file, at));
        }
        if chosen.len() >= MOST_KEY_SYMBOLS {
            break;
        }
    }
    chosen
}
