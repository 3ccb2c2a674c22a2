//! Betweenness: how many shortest ways between others lead through a node. Every edge is
//! one step, whatever its weight.

use crate::Graph;
use crate::workers::Workers;

/// From which nodes ways are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// All of them: exact.
    All,
    /// At most so many, spread evenly over the nodes, always the same; the result is
    /// scaled to all of them.
    AtMost(usize),
}

/// Sources that are summed together: a fixed number, so that sums do not depend on how
/// many threads there are.
const PIECE: usize = 16;

/// The share of the shortest ways between two other nodes that lead through each node.
pub fn betweenness(graph: &Graph, sources: Sources, workers: &dyn Workers) -> Vec<f64> {
    let count = graph.len();
    if count < 3 {
        return vec![0.0; count];
    }
    let asked = match sources {
        Sources::All => count,
        Sources::AtMost(most) => most.clamp(1, count),
    };
    // Node `at * count / asked` is different for each `at`.
    let source = |at: usize| at * count / asked;
    let piece = |piece: usize| {
        let mut search = Search::new(count);
        let last = asked.min((piece + 1) * PIECE);
        for at in piece * PIECE..last {
            search.from(graph, source(at));
        }
        search.sums
    };
    let mut sums = vec![0.0; count];
    for part in workers.run(asked.div_ceil(PIECE), &piece) {
        for (sum, one) in sums.iter_mut().zip(part) {
            *sum += one;
        }
    }
    let scale = (count as f64 / asked as f64) / ((count - 1) as f64 * (count - 2) as f64);
    sums.iter_mut().for_each(|sum| *sum *= scale);
    sums
}

/// Looks for ways from one node after another.
struct Search {
    sums: Vec<f64>,
    /// The number of steps from the source.
    steps: Vec<u32>,
    /// How many shortest ways lead to a node.
    ways: Vec<f64>,
    /// What depends on a node.
    depends: Vec<f64>,
    /// Nodes in the order in which they are reached.
    order: Vec<u32>,
}

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
        // Backwards: what depends on a node is shared among those before it.
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
