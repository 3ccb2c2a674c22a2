//! Betweenness: the number of shortest paths between other nodes that pass through a node. Every
//! edge is one step, regardless of its weight.

use crate::Graph;
use crate::workers::Workers;

/// Nodes from which shortest paths are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// All nodes: an exact result.
    All,
    /// At most this number of nodes, spread evenly and always the same; the result is scaled to all
    /// nodes.
    AtMost(usize),
}

/// Number of sources that are summed together. It is fixed, so that the sums do not depend on the
/// number of threads.
const PIECE: usize = 16;

/// Returns, for each node, the share of the shortest paths between two other nodes that pass
/// through it.
pub fn betweenness(graph: &Graph, sources: Sources, workers: &dyn Workers) -> Vec<f64> {
    let count = graph.len();
    if count < 3 {
        return vec![0.0; count];
    }
    let source_count = match sources {
        Sources::All => count,
        Sources::AtMost(most) => most.clamp(1, count),
    };
    // `at * count / source_count` is different for each `at`.
    let source = |at: usize| at * count / source_count;
    let piece = |piece: usize| {
        let mut search = Search::new(count);
        let last = source_count.min((piece + 1) * PIECE);
        for at in piece * PIECE..last {
            search.from(graph, source(at));
        }
        search.sums
    };
    let mut sums = vec![0.0; count];
    for part in workers.run(source_count.div_ceil(PIECE), &piece) {
        for (sum, one) in sums.iter_mut().zip(part) {
            *sum += one;
        }
    }
    let scale = (count as f64 / source_count as f64) / ((count - 1) as f64 * (count - 2) as f64);
    sums.iter_mut().for_each(|sum| *sum *= scale);
    sums
}

/// Breadth-first search from one node after another (Brandes' algorithm).
struct Search {
    sums: Vec<f64>,
    /// Number of steps from the source.
    steps: Vec<u32>,
    /// Number of shortest paths to a node.
    ways: Vec<f64>,
    /// Dependency of the source on a node.
    depends: Vec<f64>,
    /// Nodes in the order of their discovery.
    order: Vec<u32>,
}

/// Marker of a node that the search has not reached.
const FAR: u32 = u32::MAX;

impl Search {
    fn new(count: usize) -> Self {
        Self {
            sums: vec![0.0; count],
            steps: vec![FAR; count],
            ways: vec![0.0; count],
            depends: vec![0.0; count],
            order: Vec::with_capacity(count),
        }
    }

    fn from(&mut self, graph: &Graph, source: usize) {
        self.reach(graph, source);
        // Backwards: distribute a node's dependency among its predecessors.
        for at in (0..self.order.len()).rev() {
            let node = self.order[at] as usize;
            let share = (1.0 + self.depends[node]) / self.ways[node];
            for edge in graph.into_node(node) {
                let before = edge.node as usize;
                if self.steps[before] != FAR && self.steps[before] + 1 == self.steps[node] {
                    self.depends[before] += self.ways[before] * share;
                }
            }
            if node != source {
                self.sums[node] += self.depends[node];
            }
        }
        for node in self.order.drain(..) {
            let node = node as usize;
            self.steps[node] = FAR;
            self.ways[node] = 0.0;
            self.depends[node] = 0.0;
        }
    }

    fn reach(&mut self, graph: &Graph, source: usize) {
        self.steps[source] = 0;
        self.ways[source] = 1.0;
        self.order.extend(u32::try_from(source));
        let mut at = 0;
        while at < self.order.len() {
            let node = self.order[at] as usize;
            at += 1;
            for edge in graph.out(node) {
                let next = edge.node as usize;
                if self.steps[next] == FAR {
                    self.steps[next] = self.steps[node] + 1;
                    self.order.push(edge.node);
                }
                if self.steps[next] == self.steps[node] + 1 {
                    self.ways[next] += self.ways[node];
                }
            }
        }
    }
}
