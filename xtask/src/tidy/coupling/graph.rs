//! The imports between the files and directories of one directory, and the
//! cycles among them. Imports between a module and its own children do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::modules::Import;

/// The module graph of one directory of a crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) edges: BTreeMap<Edge, Site>,
}

/// An import from the module `from` of a directory to its neighbour `to`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// The first position that names an edge, and the number of all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) count: usize,
}

/// Groups imports by the directory at which the paths of both modules diverge. The key is the path
/// of that directory from the root of the crate.
pub(crate) fn levels(imports: &[Import]) -> BTreeMap<Vec<String>, Graph> {
    let mut levels: BTreeMap<Vec<String>, Graph> = BTreeMap::new();
    for import in imports {
        let shared = import
            .from
            .iter()
            .zip(&import.to)
            .take_while(|(a, b)| a == b);
        let depth = shared.count();
        let (Some(from), Some(to)) = (import.from.get(depth), import.to.get(depth)) else {
            continue;
        };
        let edge = Edge {
            from: from.clone(),
            to: to.clone(),
        };
        let level = levels.entry(import.from[..depth].to_vec()).or_default();
        let site = level.edges.entry(edge).or_insert_with(|| Site {
            file: import.file.clone(),
            line: import.line,
            count: 0,
        });
        site.count += 1;
    }
    levels
}

impl Graph {
    pub(crate) fn nodes(&self) -> BTreeSet<&str> {
        self.edges
            .keys()
            .flat_map(|edge| [edge.from.as_str(), edge.to.as_str()])
            .collect()
    }

    pub(crate) fn without(&self, removed: &BTreeSet<Edge>) -> Self {
        let kept = self
            .edges
            .iter()
            .filter(|(edge, _)| !removed.contains(edge));
        Self {
            edges: kept
                .map(|(edge, site)| (edge.clone(), site.clone()))
                .collect(),
        }
    }

    /// Returns the sets of modules that reach each other, two or more each.
    pub(crate) fn knots(&self) -> Vec<BTreeSet<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> = self
            .nodes()
            .into_iter()
            .map(|node| (node, self.reached(node)))
            .collect();
        let mut knots: Vec<BTreeSet<&str>> = Vec::new();
        for (&node, others) in &reached {
            if !others.contains(node) || knots.iter().any(|knot| knot.contains(node)) {
                continue;
            }
            let is_mutual = |other: &&str| reached[other].contains(node);
            knots.push(others.iter().copied().filter(is_mutual).collect());
        }
        knots
    }

    /// Returns the modules on a shortest path from `from` to `to`, with both ends.
    pub(crate) fn way<'g>(&'g self, from: &'g str, to: &str) -> Option<Vec<&'g str>> {
        let mut ways = VecDeque::from([vec![from]]);
        let mut visited = BTreeSet::from([from]);
        while let Some(way) = ways.pop_front() {
            let last = *way.last()?;
            if last == to {
                return Some(way);
            }
            for next in self.next(last) {
                if visited.insert(next) {
                    ways.push_back([way.as_slice(), &[next]].concat());
                }
            }
        }
        None
    }

    /// Returns a shortest cycle among the modules of a knot: the module at
    /// which it starts comes last again.
    pub(crate) fn cycle<'g>(&'g self, knot: &BTreeSet<&'g str>) -> Vec<&'g str> {
        let closing = self
            .edges
            .keys()
            .filter(|edge| knot.contains(edge.from.as_str()));
        let cycles = closing.filter_map(|edge| {
            let back = self.way(&edge.to, &edge.from)?;
            Some([&[edge.from.as_str()], back.as_slice()].concat())
        });
        cycles.min_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns the modules that one or more steps reach.
    fn reached<'g>(&'g self, start: &'g str) -> BTreeSet<&'g str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            open.extend(self.next(node).filter(|next| reached.insert(*next)));
        }
        reached
    }

    fn next<'g>(&'g self, node: &str) -> impl Iterator<Item = &'g str> {
        let from_node = self.edges.keys().filter(move |edge| edge.from == node);
        from_node.map(|edge| edge.to.as_str())
    }
}

#[cfg(test)]
impl Graph {
    /// Builds a graph from lines such as `a -> b`.
    pub(crate) fn of(edges: &[&str]) -> Self {
        let edge = |text: &&str| {
            let (from, to) = text.split_once(" -> ").unwrap();
            let site = Site {
                file: format!("src/{from}.rs"),
                line: 1,
                count: 1,
            };
            (
                Edge {
                    from: from.to_owned(),
                    to: to.to_owned(),
                },
                site,
            )
        };
        Self {
            edges: edges.iter().map(edge).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_levels(from: &str, to: &str, expected: Option<&str>) {
        let path = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let import = Import {
            from: path(from),
            to: path(to),
            file: "f".to_owned(),
            line: 1,
        };
        let levels = levels(&[import]);
        let found = levels.iter().flat_map(|(level, graph)| {
            let level = level.join("/");
            graph
                .edges
                .keys()
                .map(move |edge| format!("{level}: {} -> {}", edge.from, edge.to))
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected.into_iter().collect::<Vec<_>>()
        );
    }

    #[test]
    fn imports_count_in_the_directory_where_paths_part() {
        check_levels("a/x", "b/y", Some(": a -> b"));
        check_levels("a/x", "a/y/z", Some("a: x -> y"));
        check_levels("a", "a/x", None);
        check_levels("a/x/y", "a", None);
        check_levels("a", "a", None);
    }

    #[test]
    fn knots_are_modules_that_reach_each_other() {
        let graph = Graph::of(&[
            "a -> b", "b -> c", "c -> a", "c -> d", "d -> e", "e -> d", "f -> a",
        ]);
        let knots: Vec<Vec<&str>> = graph
            .knots()
            .into_iter()
            .map(|knot| knot.into_iter().collect())
            .collect();
        assert_eq!(knots, [vec!["a", "b", "c"], vec!["d", "e"]]);
        assert!(
            Graph::of(&["a -> b", "b -> c", "a -> c"])
                .knots()
                .is_empty()
        );
    }

    #[test]
    fn the_shortest_cycle_is_shown() {
        let graph = Graph::of(&["a -> b", "b -> c", "c -> a", "b -> a"]);
        assert_eq!(graph.cycle(&graph.knots()[0]), ["a", "b", "a"]);
    }
}
