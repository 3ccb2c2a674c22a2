//! Properties of every graph: sums, and independence of the order of threads and edges.
#![expect(
    clippy::disallowed_methods,
    reason = "threads are given to the crate here"
)]

use loom_graph::{Alone, Graph, Hits, PageRank, Sources, Workers, betweenness, hits, pagerank};
use proptest::prelude::*;

/// Executor that runs every piece on its own thread, the last one first.
struct Threads;

impl Workers for Threads {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        std::thread::scope(|scope| {
            let spawned: Vec<_> = (0..pieces)
                .rev()
                .map(|piece| scope.spawn(move || work(piece)))
                .collect();
            let mut results: Vec<_> = spawned
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            results.reverse();
            results
        })
    }
}

fn edges() -> impl Strategy<Value = Vec<(u32, u32, f64)>> {
    prop::collection::vec((0_u32..40, 0_u32..40, 0.01_f64..9.0), 0..200)
}

/// Creates a graph with some edges and more nodes than one piece has.
fn large() -> Graph {
    let count = 40_000_u32;
    let edges = (0..count).flat_map(|node| {
        let next = |step: u32| (node * 31 + step * step) % count;
        [(node, next(3), 1.0), (node, next(7) / 9, 0.3)]
    });
    Graph::new(count as usize, edges)
}

proptest! {
    #[test]
    fn ranks_are_shares(edges in edges(), start in prop::collection::vec(0.0_f64..2.0, 0..40)) {
        let graph = Graph::new(40, edges);
        let ranks = pagerank(&graph, &PageRank { start, ..PageRank::default() }, &Alone);
        let sum: f64 = ranks.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        prop_assert!(ranks.iter().all(|rank| *rank >= 0.0));
        let sum: f64 = hits(&graph, &Hits::default(), &Alone).authorities.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-9 || graph.edge_count() == 0);
    }

    #[test]
    fn threads_do_not_change_results(edges in edges()) {
        let graph = Graph::new(40, edges);
        let alone = betweenness(&graph, Sources::All, &Alone);
        prop_assert_eq!(&alone, &betweenness(&graph, Sources::All, &Threads));
        prop_assert!(alone.iter().all(|one| (0.0..=1.0 + 1e-9).contains(one)));
    }
}

#[test]
fn threads_do_not_change_any_bit_for_large_graphs() {
    let graph = large();
    let how = PageRank::default();
    assert_eq!(
        pagerank(&graph, &how, &Alone),
        pagerank(&graph, &how, &Threads)
    );
    let how = Hits::default();
    assert_eq!(hits(&graph, &how, &Alone), hits(&graph, &how, &Threads));
    let some = Sources::AtMost(50);
    assert_eq!(
        betweenness(&graph, some, &Alone),
        betweenness(&graph, some, &Threads)
    );
}

#[test]
fn sampled_betweenness_orders_nodes_like_exact_betweenness() {
    let graph = {
        let count = 600_u32;
        let edges = (0..count).flat_map(|node| {
            let hub = node % 7;
            [(node, hub, 1.0), (hub, (node * 13 + 1) % count, 1.0)]
        });
        Graph::new(count as usize, edges)
    };
    let all = betweenness(&graph, Sources::All, &Alone);
    let some = betweenness(&graph, Sources::AtMost(100), &Alone);
    let first = |scores: &[f64]| {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let mut first = order[..7].to_vec();
        first.sort_unstable();
        first
    };
    assert_eq!(first(&all), first(&some));
}

#[test]
fn empty_graph_has_no_scores() {
    let graph = Graph::new(0, []);
    assert!(pagerank(&graph, &PageRank::default(), &Alone).is_empty());
    assert!(betweenness(&graph, Sources::All, &Alone).is_empty());
    assert!(hits(&graph, &Hits::default(), &Alone).hubs.is_empty());
}
