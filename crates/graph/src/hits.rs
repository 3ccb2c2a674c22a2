//! HITS: a good authority is what good hubs lead to, and a good hub leads to good
//! authorities.

use crate::Graph;
use crate::workers::{Workers, by_node};

/// How HITS is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hits {
    /// It is done when a round changes all nodes together by less than this.
    pub tolerance: f64,
    /// And after so many rounds whatever they change.
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

/// Both scores of each node; those of a kind are 1 together, or all 0 where there is no
/// edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitsScores {
    /// How good a list of good nodes each node is.
    pub hubs: Vec<f64>,
    /// How good each node is by the lists that it is on.
    pub authorities: Vec<f64>,
}

/// The hubs and authorities of a graph.
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

/// The same with a sum of 1.
fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    if sum > 0.0 {
        values.iter_mut().for_each(|value| *value /= sum);
    }
    values
}
