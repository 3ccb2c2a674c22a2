//! The measures against networkx, to 1e-9. `tests/data/make.py` writes the graphs.

use loom_graph::{Alone, Graph, Hits, PageRank, Sources, betweenness, hits, pagerank};

const FIXTURES: &str = include_str!("../data/networkx.txt");

#[derive(Default)]
struct Fixture {
    name: String,
    nodes: usize,
    edges: Vec<(u32, u32, f64)>,
    rows: Vec<(String, Vec<f64>)>,
}

impl Fixture {
    fn graph(&self) -> Graph {
        Graph::new(self.nodes, self.edges.iter().copied())
    }

    fn row(&self, name: &str) -> Option<&[f64]> {
        let mut rows = self.rows.iter();
        rows.find(|(one, _)| one == name).map(|(_, row)| &**row)
    }

    fn check(&self, name: &str, found: &[f64]) {
        let Some(expected) = self.row(name) else {
            return;
        };
        assert_eq!(expected.len(), found.len());
        for (node, (one, other)) in expected.iter().zip(found).enumerate() {
            let difference = (one - other).abs();
            assert!(
                difference < 1e-9,
                "{} {name} of {node}: {one} expected, {other} found",
                self.name
            );
        }
    }
}

fn fixtures() -> Vec<Fixture> {
    let mut all: Vec<Fixture> = Vec::new();
    for line in FIXTURES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "graph" {
            all.push(Fixture {
                name: words[1].to_owned(),
                nodes: words[2].parse().unwrap(),
                ..Fixture::default()
            });
            continue;
        }
        let last = all.last_mut().unwrap();
        if words[0] == "edge" {
            let node = |at: usize| words[at].parse().unwrap();
            last.edges
                .push((node(1), node(2), words[3].parse().unwrap()));
        } else {
            let values = words[1..].iter().map(|word| word.parse().unwrap());
            last.rows.push((words[0].to_owned(), values.collect()));
        }
    }
    all
}

#[test]
fn pagerank_is_that_of_networkx() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 7);
    for fixture in fixtures {
        let mut how = PageRank {
            tolerance: 1e-14,
            rounds: 5000,
            ..PageRank::default()
        };
        fixture.check("pagerank", &pagerank(&fixture.graph(), &how, &Alone));
        how.damping = 0.7;
        how.start = fixture.row("start").unwrap().to_vec();
        fixture.check("personalised", &pagerank(&fixture.graph(), &how, &Alone));
    }
}

#[test]
fn hits_is_that_of_networkx() {
    for fixture in fixtures() {
        let how = Hits {
            tolerance: 1e-15,
            rounds: 100_000,
        };
        let scores = hits(&fixture.graph(), &how, &Alone);
        fixture.check("hubs", &scores.hubs);
        fixture.check("authorities", &scores.authorities);
    }
}

#[test]
fn betweenness_is_that_of_networkx() {
    for fixture in fixtures() {
        let found = betweenness(&fixture.graph(), Sources::All, &Alone);
        fixture.check("betweenness", &found);
        let sampled = betweenness(&fixture.graph(), Sources::AtMost(usize::MAX), &Alone);
        assert_eq!(found, sampled);
    }
}
