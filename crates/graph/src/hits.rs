//! HITS: good hubs link to good authorities, and good authorities are linked from good hubs.

use crate::Graph;
use crate::workers::{Workers, by_node};

/// Options of HITS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hits {
    /// The computation ends when a round changes the sum over all nodes by less than this.
    pub tolerance: f64,
    /// Maximum number of rounds.
    pub rounds: usize,
}

impl Default for Hits {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            rounds: 300,
        }
    }
}

/// Hub and authority score of each node. Each list sums up to 1, or contains only 0 if the graph
/// has no edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitsScores {
    /// Hub scores: how good the nodes are that a node links to.
    pub hubs: Vec<f64>,
    /// Authority scores: how good the hubs are that link to a node.
    pub authorities: Vec<f64>,
}

/// Returns the hub and authority scores of a graph.
pub fn hits(graph: &Graph, how: &Hits, workers: &dyn Workers) -> HitsScores {
    let count = graph.len();
    if graph.edge_count() == 0 {
        return HitsScores {
            hubs: vec![0.0; count],
            authorities: vec![0.0; count],
        };
    }
    let mut hubs = scaled(vec![1.0; count]);
    let mut authorities = vec![0.0; count];
    for _ in 0..how.rounds {
        authorities = scaled(by_node(workers, count, &|node| {
            let edges = graph.into_node(node).iter();
            edges
                .map(|edge| hubs[edge.node as usize] * edge.weight)
                .sum()
        }));
        let next = scaled(by_node(workers, count, &|node| {
            let edges = graph.out(node).iter();
            edges
                .map(|edge| authorities[edge.node as usize] * edge.weight)
                .sum()
        }));
        let change: f64 = next.iter().zip(&hubs).map(|(a, b)| (a - b).abs()).sum();
        hubs = next;
        if change < how.tolerance {
            break;
        }
    }
    HitsScores { hubs, authorities }
}

/// Scales values to a sum of 1.
fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    if sum > 0.0 {
        values.iter_mut().for_each(|value| *value /= sum);
    }
    values
}
