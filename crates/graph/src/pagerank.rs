//! PageRank: a node is important that important nodes lead to. A reader who follows
//! edges, and now and then starts anew, is found there so often.

use crate::Graph;
use crate::workers::{Workers, by_node};

/// How PageRank is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// How likely an edge is followed; else the reader starts anew.
    pub damping: f64,
    /// Where the reader starts, and goes from nodes without edges: a weight for each
    /// node. Everywhere alike when empty or without any weight.
    pub start: Vec<f64>,
    /// It is done when a round changes all nodes together by less than this.
    pub tolerance: f64,
    /// And after so many rounds whatever they change.
    pub rounds: usize,
}

impl Default for PageRank {
    fn default() -> Self {
        Self {
            damping: 0.85,
            start: Vec::new(),
            tolerance: 1e-6,
            rounds: 200,
        }
    }
}

/// The importance of each node; together they are 1.
pub fn pagerank(graph: &Graph, how: &PageRank, workers: &dyn Workers) -> Vec<f64> {
    let count = graph.len();
    if count == 0 {
        return Vec::new();
    }
    let start = shares(&how.start, count);
    let shares: Vec<f64> = (0..count)
        .map(|node| match graph.out_weight(node) {
            weight if weight > 0.0 => 1.0 / weight,
            _ => 0.0,
        })
        .collect();
    let mut ranks = start.clone();
    for _ in 0..how.rounds {
        // What each node gives for a weight of 1.
        let given: Vec<f64> = ranks.iter().zip(&shares).map(|(a, b)| a * b).collect();
        let lost: f64 = (0..count)
            .filter(|&node| shares[node] == 0.0)
            .map(|node| ranks[node])
            .sum();
        let anew = how.damping * lost + (1.0 - how.damping);
        let next = by_node(workers, count, &|node| {
            let edges = graph.into_node(node).iter();
            let got: f64 = edges
                .map(|edge| given[edge.node as usize] * edge.weight)
                .sum();
            how.damping * got + anew * start[node]
        });
        let change: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
        ranks = next;
        if change < how.tolerance {
            break;
        }
    }
    ranks
}

/// Weights whose sum is 1.
fn shares(weights: &[f64], count: usize) -> Vec<f64> {
    let weight = |node: usize| {
        let one = weights.get(node).copied().unwrap_or(0.0);
        if one.is_finite() { one.max(0.0) } else { 0.0 }
    };
    let sum: f64 = (0..count).map(weight).sum();
    if sum > 0.0 {
        (0..count).map(|node| weight(node) / sum).collect()
    } else {
        let alike = 1.0 / count as f64;
        vec![alike; count]
    }
}
