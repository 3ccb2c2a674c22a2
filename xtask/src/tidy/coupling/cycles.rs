//! The rule about cycles: the files and directories of one directory import
//! each other in one direction, apart from the imports that `exceptions` lists.

use std::collections::BTreeSet;

use super::exceptions::{AcceptedImport, TABLE};
use super::graph::{Edge, Graph};
use crate::tidy::problem::Problem;

/// Checks one directory against the rows that name it.
pub(crate) fn check(directory: &str, graph: &Graph, rows: &[AcceptedImport]) -> Vec<Problem> {
    let rows: Vec<&AcceptedImport> = rows
        .iter()
        .filter(|row| row.directory == directory)
        .collect();
    let accepted: BTreeSet<Edge> = rows.iter().map(|row| row.edge()).collect();
    let rest = graph.without(&accepted);
    let mut problems: Vec<Problem> = rest
        .knots()
        .iter()
        .map(|knot| problem(directory, &rest, knot))
        .collect();
    problems.extend(rows.iter().filter_map(|row| stale(row, graph, &rest)));
    problems
}

/// Returns rows whose directory no longer has imports.
pub(crate) fn without_directory<'r>(
    directories: &BTreeSet<String>,
    rows: &'r [AcceptedImport],
) -> impl Iterator<Item = Problem> + 'r {
    let missing: Vec<&AcceptedImport> = rows
        .iter()
        .filter(|row| !directories.contains(row.directory))
        .collect();
    missing
        .into_iter()
        .map(|row| row.problem("is no longer an import"))
}

fn problem(directory: &str, graph: &Graph, knot: &BTreeSet<&str>) -> Problem {
    let cycle = graph.cycle(knot);
    let sites: Vec<_> = cycle
        .windows(2)
        .filter_map(|pair| graph.edges.get(&edge(pair[0], pair[1])))
        .collect();
    let places = sites
        .iter()
        .map(|site| format!("{}:{}", site.file, site.line));
    let what = format!(
        "modules of {directory} import each other: {} ({})",
        cycle.join(" -> "),
        places.collect::<Vec<_>>().join(", ")
    );
    let remedy = format!("move the shared code below both, or list one import in {TABLE}");
    let (file, line) = sites
        .first()
        .map_or((directory, 1), |site| (site.file.as_str(), site.line));
    Problem::new(file, line, what, remedy)
}

/// Returns a problem if the row is not needed: its import is gone, or no longer closes a cycle.
fn stale(row: &AcceptedImport, graph: &Graph, rest: &Graph) -> Option<Problem> {
    if row.reason.is_empty() {
        return Some(row.problem("has no reason"));
    }
    if !graph.edges.contains_key(&row.edge()) {
        return Some(row.problem("is no longer an import"));
    }
    let closes = rest.way(row.to, row.from).is_some();
    (!closes).then(|| row.problem("closes no cycle any more"))
}

fn edge(from: &str, to: &str) -> Edge {
    Edge {
        from: from.to_owned(),
        to: to.to_owned(),
    }
}

impl AcceptedImport {
    fn edge(&self) -> Edge {
        edge(self.from, self.to)
    }

    fn problem(&self, what: &str) -> Problem {
        let what = format!("`{}: {} -> {}` {what}", self.directory, self.from, self.to);
        Problem::new(TABLE, 1, what, "repair its row, or remove it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    const BACK: AcceptedImport = AcceptedImport {
        directory: "src",
        from: "b",
        to: "a",
        reason: "later",
    };

    #[track_caller]
    fn check_graph(edges: &[&str], rows: &[AcceptedImport], expected: &[&str]) {
        assert_eq!(shown(check("src", &Graph::of(edges), rows)), expected);
    }

    #[test]
    fn a_cycle_fails_unless_an_import_of_it_is_listed() {
        check_graph(
            &["a -> b", "b -> a"],
            &[],
            &["src/a.rs:1: modules of src import each other: a -> b -> a \
               (src/a.rs:1, src/b.rs:1), move the shared code below both, \
               or list one import in xtask/src/tidy/coupling/exceptions.rs"],
        );
        check_graph(&["a -> b", "b -> a"], &[BACK], &[]);
        check_graph(&["a -> b", "b -> c", "a -> c"], &[], &[]);
    }

    #[test]
    fn a_second_cycle_fails_next_to_a_listed_one() {
        let edges = ["a -> b", "b -> a", "b -> c", "c -> b"];
        assert_eq!(check("src", &Graph::of(&edges), &[BACK]).len(), 1);
    }

    #[test]
    fn rows_that_are_no_longer_needed_fail() {
        check_graph(
            &["a -> b"],
            &[BACK],
            &[
                "xtask/src/tidy/coupling/exceptions.rs:1: `src: b -> a` is no longer an import, \
               repair its row, or remove it",
            ],
        );
        check_graph(
            &["b -> a"],
            &[BACK],
            &[
                "xtask/src/tidy/coupling/exceptions.rs:1: `src: b -> a` closes no cycle any more, \
               repair its row, or remove it",
            ],
        );
        let left: Vec<Problem> = without_directory(&BTreeSet::new(), &[BACK]).collect();
        assert_eq!(left.len(), 1);
    }

    #[test]
    fn rows_carry_a_reason() {
        let row = AcceptedImport { reason: "", ..BACK };
        check_graph(
            &["a -> b", "b -> a"],
            &[row],
            &[
                "xtask/src/tidy/coupling/exceptions.rs:1: `src: b -> a` has no reason, \
               repair its row, or remove it",
            ],
        );
    }
}
