//! A weighted directed graph, laid out for walking in both directions.

/// An edge, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The node at the other end.
    pub node: u32,
    /// The weight of the edge.
    pub weight: f64,
}

/// A graph over the numbers from 0 on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    out: Lists,
    into: Lists,
    out_weights: Vec<f64>,
}

/// The neighbours of all nodes, one list behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    starts: Vec<usize>,
    all: Vec<Neighbour>,
}

impl Graph {
    /// A graph of so many nodes with these edges: from, to, weight. Edges between the
    /// same nodes are one, with the sum of their weights. What has no weight above 0, or
    /// names a node that does not exist, is no edge.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let is_node = |node: u32| (node as usize) < nodes;
        let mut edges: Vec<(u32, u32, f64)> = edges
            .into_iter()
            .filter(|(from, to, weight)| is_node(*from) && is_node(*to) && *weight > 0.0)
            .filter(|(_, _, weight)| weight.is_finite())
            .collect();
        // Stable, so that sums are made in the order of the edges.
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
        let out_weights = (0..nodes).map(|node| sum(out.of(node))).collect();
        Self {
            out,
            into,
            out_weights,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.out_weights.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.out_weights.is_empty()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.out.all.len()
    }

    /// Where the edges of a node lead to, ordered by node.
    pub fn out(&self, node: usize) -> &[Neighbour] {
        self.out.of(node)
    }

    /// Where edges come from that lead to a node, ordered by node.
    pub fn into_node(&self, node: usize) -> &[Neighbour] {
        self.into.of(node)
    }

    /// The weights of the edges that leave a node, together.
    pub fn out_weight(&self, node: usize) -> f64 {
        self.out_weights[node]
    }
}

impl Lists {
    /// The edges are ordered by their second end for each first one.
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

    fn of(&self, node: usize) -> &[Neighbour] {
        &self.all[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_edges_are_one_and_odd_ones_none() {
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
