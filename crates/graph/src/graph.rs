//! A weighted directed graph that can be walked in both directions.

/// Edge, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Node at the other end.
    pub node: u32,
    /// Weight of the edge.
    pub weight: f64,
}

/// Graph whose nodes are the numbers from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    out: Lists,
    into: Lists,
    out_weights: Vec<f64>,
}

/// Neighbours of all nodes, as one list after the other.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    starts: Vec<usize>,
    all: Vec<Neighbour>,
}

impl Graph {
    /// Creates a graph with `nodes` nodes from edges (from, to, weight). Edges between the same
    /// nodes are merged and their weights added. An edge is ignored if its weight is not finite and
    /// above 0, or if it names a node that does not exist.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let is_node = |node: u32| (node as usize) < nodes;
        let mut edges: Vec<(u32, u32, f64)> = edges
            .into_iter()
            .filter(|(from, to, weight)| is_node(*from) && is_node(*to) && *weight > 0.0)
            .filter(|(_, _, weight)| weight.is_finite())
            .collect();
        // The sort is stable, so that weights are added in the order of the edges.
        edges.sort_by_key(|(from, to, _)| (*from, *to));
        edges.dedup_by(|next, first| {
            let is_same = (next.0, next.1) == (first.0, first.1);
            if is_same {
                first.2 += next.2;
            }
            is_same
        });
        let out = Lists::new(nodes, edges.iter().copied());
        let back = edges.iter().map(|(from, to, weight)| (*to, *from, *weight));
        let into = Lists::new(nodes, back);
        let sum = |list: &[Neighbour]| list.iter().map(|one| one.weight).sum();
        let out_weights = (0..nodes).map(|node| sum(out.neighbours(node))).collect();
        Self {
            out,
            into,
            out_weights,
        }
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.out_weights.len()
    }

    /// Returns whether the graph has no node.
    pub fn is_empty(&self) -> bool {
        self.out_weights.is_empty()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.out.all.len()
    }

    /// Returns the edges that leave a node, ordered by their target.
    pub fn out(&self, node: usize) -> &[Neighbour] {
        self.out.neighbours(node)
    }

    /// Returns the edges that lead to a node, ordered by their source.
    pub fn into_node(&self, node: usize) -> &[Neighbour] {
        self.into.neighbours(node)
    }

    /// Returns the sum of the weights of the edges that leave a node.
    pub fn out_weight(&self, node: usize) -> f64 {
        self.out_weights[node]
    }
}

impl Lists {
    /// Creates the lists. The edges of each first node must be ordered by their second node.
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32, f64)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for (from, _, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let empty = Neighbour {
            node: 0,
            weight: 0.0,
        };
        let mut all = vec![empty; starts[nodes]];
        let mut next = starts.clone();
        for (from, node, weight) in edges {
            let at = &mut next[from as usize];
            all[*at] = Neighbour { node, weight };
            *at += 1;
        }
        Self { starts, all }
    }

    fn neighbours(&self, node: usize) -> &[Neighbour] {
        &self.all[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_merge_and_invalid_edges_are_ignored() {
        let edges = [
            (0, 1, 1.0),
            (1, 0, 0.0),
            (0, 1, 2.0),
            (0, 9, 1.0),
            (1, 1, f64::NAN),
            (1, 0, f64::INFINITY),
        ];
        let graph = Graph::new(2, edges);
        assert_eq!(graph.edge_count(), 1);
        assert_eq!(
            graph.out(0),
            [Neighbour {
                node: 1,
                weight: 3.0
            }]
        );
        assert_eq!(graph.into_node(1)[0].node, 0);
        assert!(graph.out(1).is_empty());
    }
}
