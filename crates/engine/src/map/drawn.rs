//! References between files, for a graph.

use std::collections::HashSet;

use super::linked::SymbolGraph;
use super::rank::Importance;

/// Files in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    /// The most important files.
    First,
    /// All files.
    All,
}

/// Returns the references between important files, the strongest first.
pub(super) fn edges(
    linked: &SymbolGraph,
    importance: &Importance,
    order: &[usize],
    drawn: Drawn,
) -> Vec<(usize, usize)> {
    let most = match drawn {
        Drawn::First => 60,
        Drawn::All => order.len(),
    };
    let first: HashSet<usize> = order.iter().take(most).copied().collect();
    let mut edges: Vec<(f64, usize, usize)> = Vec::new();
    for &from in order.iter().take(most) {
        for edge in linked.graph().out(from) {
            let to = edge.node as usize;
            if to != from && first.contains(&to) {
                let ends = importance.files[from] + importance.files[to];
                edges.push((ends * edge.weight.ln_1p(), from, to));
            }
        }
    }
    edges.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    edges.into_iter().map(|(_, from, to)| (from, to)).collect()
}
