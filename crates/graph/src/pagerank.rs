//! PageRank: a node is important if important nodes link to it. The score is the share of time that
//! a random reader spends on a node; the reader follows edges and sometimes restarts.

use crate::Graph;
use crate::workers::{Workers, by_node};

/// Options of PageRank.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// Probability that the reader follows an edge; otherwise the reader restarts.
    pub damping: f64,
    /// Weight of each node as the place of a restart, also after a node without edges. If it is
    /// empty or has no positive weight, all nodes are equally likely.
    pub start: Vec<f64>,
    /// The computation ends when a round changes the sum over all nodes by less than this.
    pub tolerance: f64,
    /// Maximum number of rounds.
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

/// Returns the importance of each node; the sum is 1.
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
        // The rank that each node passes on per edge weight of 1.
        let passed_on: Vec<f64> = ranks.iter().zip(&shares).map(|(a, b)| a * b).collect();
        let lost: f64 = (0..count)
            .filter(|&node| shares[node] == 0.0)
            .map(|node| ranks[node])
            .sum();
        let restarted = how.damping * lost + (1.0 - how.damping);
        let next = by_node(workers, count, &|node| {
            let edges = graph.into_node(node).iter();
            let received: f64 = edges
                .map(|edge| passed_on[edge.node as usize] * edge.weight)
                .sum();
            how.damping * received + restarted * start[node]
        });
        let change: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
        ranks = next;
        if change < how.tolerance {
            break;
        }
    }
    ranks
}

/// Scales weights to a sum of 1.
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
