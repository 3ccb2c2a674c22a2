//! Weighted directed graphs over plain numbers, and measures of the importance of their nodes:
//! PageRank, HITS and betweenness. The caller maps its files and languages to nodes. It also
//! supplies the threads; results do not depend on their number.
//!
//! ```
//! use loom_graph::{Alone, Graph, PageRank, pagerank};
//!
//! let graph = Graph::new(3, [(0, 2, 1.0), (1, 2, 1.0), (2, 0, 1.0)]);
//! let ranks = pagerank(&graph, &PageRank::default(), &Alone);
//! assert!(ranks[2] > ranks[0] && ranks[0] > ranks[1]);
//! ```

mod betweenness;
mod graph;
mod hits;
mod pagerank;
mod workers;

pub use betweenness::{Sources, betweenness};
pub use graph::{Graph, Neighbour};
pub use hits::{Hits, HitsScores, hits};
pub use pagerank::{PageRank, pagerank};
pub use workers::{Alone, Workers};
