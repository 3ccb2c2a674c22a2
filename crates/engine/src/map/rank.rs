//! Importance of files and symbols: references weighed with the other factors.

use loom_graph::{Hits, PageRank, Sources, Workers, betweenness, hits, pagerank};
use loom_syntax::{SymbolKind, Visibility};

use super::input::MapSymbol;
use super::linked::{SymbolGraph, voice, worth};
use super::query::Interest;
use crate::FileRole;

/// Algorithm that ranks files by the graph of references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// By references, weighted by the rank of their origin.
    #[default]
    Pagerank,
    /// By hubs and authorities.
    Hits,
    /// By the number of shortest paths through a file.
    Betweenness,
}

/// Weights of the factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Number and origin of a symbol's references.
    pub reference_count: f64,
    /// Rank of its file in the graph.
    pub import_centrality: f64,
    /// Recency of its file's last change.
    pub modification_recency: f64,
    /// Size of its file.
    pub file_size: f64,
    /// Use of its file by tests.
    pub test_coverage: f64,
}

impl Weights {
    /// Weights of the first design.
    pub const SEED: Self = Self {
        reference_count: 0.4,
        import_centrality: 0.2,
        modification_recency: 0.2,
        file_size: 0.1,
        test_coverage: 0.1,
    };
}

impl Default for Weights {
    /// Returns the weights with the best measured results.
    fn default() -> Self {
        Self {
            reference_count: 0.5,
            import_centrality: 0.3,
            modification_recency: 0.0,
            file_size: 0.2,
            test_coverage: 0.0,
        }
    }
}

/// In graphs with more files, betweenness is sampled from `SAMPLES` of them. The exact value takes
/// time proportional to files times references.
const EXACT_BETWEENNESS: usize = 2000;
const SAMPLES: usize = 500;

/// Share of the focus in the start distribution, if there is a focus.
const FOCUSED: f64 = 0.9;

/// Weight of the focus, relative to importance.
const INTEREST: f64 = 4.0;

/// Weight of a symbol's file in its rank as a key symbol.
const KEY_FILE: f64 = 0.2;

/// Share of its members' values that a type gets.
const MEMBERS: f64 = 0.4;

/// A file with fewer references passes on only a part of its rank.
const LEAST_USES: f64 = 20.0;

/// Importance of files and symbols, from 0 to about 1; higher with a focus.
#[derive(Clone, Debug, Default)]
pub struct Importance {
    /// Importance of each file.
    pub files: Vec<f64>,
    /// Importance of the symbols of each file.
    pub symbols: Vec<Vec<f64>>,
    /// Importance of the same symbols without their files: a helper is not a key symbol because its
    /// file is important.
    pub key: Vec<Vec<f64>>,
}

/// Computes the importance of files and symbols. `recency` has a value from 0 to 1 for each file,
/// or is empty.
pub fn importance(
    linked: &SymbolGraph,
    algorithm: Algorithm,
    weights: &Weights,
    recency: &[f64],
    interest: &Interest,
    workers: &dyn Workers,
) -> Importance {
    let ranks = ranks(linked, algorithm, interest, workers);
    let factors = Factors::new(linked, &ranks, recency);
    let used = used(linked, &ranks);
    let mut found = Importance::default();
    for (at, file) in linked.files.iter().enumerate() {
        let of_file = factors.of_file(at, weights);
        let quiet = voice(file.kind, linked.is_test(at)).sqrt();
        let (mut own, mut key) = (Vec::new(), Vec::new());
        for (symbol, used) in file.symbols.iter().zip(&used[at]) {
            let id = linked.definition(at, symbol);
            let asked = id.and_then(|id| interest.definitions.get(&id));
            let asked = INTEREST * asked.copied().unwrap_or(0.0);
            let known = weights.reference_count * used;
            let scale = quiet * modest(symbol);
            own.push((known + of_file) * scale + asked);
            key.push((used + KEY_FILE * of_file) * scale + asked);
        }
        let used = weights.reference_count * factors.used[at];
        let asked = interest.files.get(at).copied().unwrap_or(0.0);
        found
            .files
            .push((used + of_file) * quiet + INTEREST * asked);
        found.symbols.push(own);
        found.key.push(key);
    }
    found
}

/// Returns the rank of each file in the graph; the highest is 1.
fn ranks(
    linked: &SymbolGraph,
    algorithm: Algorithm,
    interest: &Interest,
    workers: &dyn Workers,
) -> Vec<f64> {
    let graph = linked.graph();
    let ranks = match algorithm {
        Algorithm::Pagerank => {
            let how = PageRank {
                start: start(linked, interest),
                ..PageRank::default()
            };
            pagerank(graph, &how, workers)
        }
        Algorithm::Hits => hits(graph, &Hits::default(), workers).authorities,
        Algorithm::Betweenness => {
            let sources = match graph.len() > EXACT_BETWEENNESS {
                true => Sources::AtMost(SAMPLES),
                false => Sources::All,
            };
            betweenness(graph, sources, workers)
        }
    };
    let most = ranks.iter().copied().fold(0.0, f64::max);
    ranks.iter().map(|rank| rank / most.max(1e-300)).collect()
}

/// Returns the start distribution: every source file, but mostly the focus.
fn start(linked: &SymbolGraph, interest: &Interest) -> Vec<f64> {
    let voices = linked.files.iter().enumerate();
    let voices: Vec<f64> = voices
        .map(|(at, file)| voice(file.kind, linked.is_test(at)))
        .collect();
    let all: f64 = voices.iter().sum::<f64>().max(1e-12);
    let asked: f64 = interest.files.iter().sum();
    if asked <= 0.0 {
        return voices;
    }
    let pairs = voices.iter().zip(&interest.files);
    pairs
        .map(|(voice, one)| (1.0 - FOCUSED) * voice / all + FOCUSED * one / asked)
        .collect()
}

/// Sums the references to each definition, weighted by the rank of their files.
fn flows_into(linked: &SymbolGraph, ranks: &[f64]) -> Vec<f64> {
    let program = &linked.program;
    let mut into = vec![0.0; program.definitions().len()];
    for (at, flows) in linked.flows.iter().enumerate() {
        let own = |flow: &super::Flow| program.definition(flow.to).file.0 as usize == at;
        let sum: f64 = flows.iter().map(|flow| worth(flow, own(flow))).sum();
        let voice = voice(linked.files[at].kind, linked.is_test(at));
        let given = ranks[at] * voice / sum.max(LEAST_USES);
        for flow in flows {
            into[flow.to.0 as usize] += given * worth(flow, own(flow));
        }
    }
    into
}

/// Returns the use of each file's symbols, from 0 to 1: half by the number of files that use them,
/// half by the ranks of those files.
fn used(linked: &SymbolGraph, ranks: &[f64]) -> Vec<Vec<f64>> {
    let flows = flows_into(linked, ranks);
    let users: Vec<f64> = linked.users.iter().map(|one| f64::from(*one)).collect();
    let files = 0..linked.files.len();
    let of_file = |at: usize| {
        let flows = of_symbols(linked, at, &flows);
        let users = of_symbols(linked, at, &users);
        flows.into_iter().zip(users).collect::<Vec<(f64, f64)>>()
    };
    let all: Vec<Vec<(f64, f64)>> = files.map(of_file).collect();
    let most = all.iter().flatten().fold((1e-12, 1e-12), |most, one| {
        (f64::max(most.0, one.0), f64::max(most.1, one.1.ln_1p()))
    });
    let value = |one: &(f64, f64)| 0.5 * (one.0 / most.0).sqrt() + 0.5 * one.1.ln_1p() / most.1;
    let values = |of_file: &Vec<(f64, f64)>| of_file.iter().map(value).collect();
    all.iter().map(values).collect()
}

/// Returns the values of a file's symbols; a type gets a share of its members' values, and common
/// names get less.
fn of_symbols(linked: &SymbolGraph, file: usize, values: &[f64]) -> Vec<f64> {
    let symbols = &linked.files[file].symbols;
    let value = |symbol: &MapSymbol| {
        let id = linked.definition(file, symbol);
        id.map_or(0.0, |id| values[id.0 as usize])
    };
    let mut own: Vec<f64> = symbols.iter().map(value).collect();
    for (at, symbol) in symbols.iter().enumerate().rev() {
        if let Some(parent) = symbol.parent {
            own[parent as usize] += MEMBERS * own[at];
        }
    }
    for (symbol, value) in symbols.iter().zip(&mut own) {
        let id = linked.definition(file, symbol);
        let namesakes = id.map_or(1, |id| linked.namesakes[id.0 as usize].max(1));
        *value /= f64::from(namesakes).sqrt();
    }
    own
}

/// Returns the weight of a symbol's kind.
fn modest(symbol: &MapSymbol) -> f64 {
    let kind = match symbol.kind {
        SymbolKind::Constant | SymbolKind::Variable => 0.5,
        SymbolKind::Impl => 0.6,
        SymbolKind::Constructor => 0.4,
        SymbolKind::Method | SymbolKind::Property => 0.8,
        _ => 1.0,
    };
    let seen = match symbol.visibility {
        Visibility::Public => 1.0,
        Visibility::Internal => 0.85,
        Visibility::Protected => 0.7,
        _ => 0.5,
    };
    let hidden = symbol.name.starts_with('_');
    let test = if symbol.is_test { 0.2 } else { 1.0 };
    kind * seen * test * if hidden { 0.6 } else { 1.0 }
}

/// Factors of whole files, from 0 to 1 each.
struct Factors {
    /// Number of files that use a file; it applies only to files, because symbols have their own.
    used: Vec<f64>,
    centrality: Vec<f64>,
    recency: Vec<f64>,
    size: Vec<f64>,
    tested: Vec<f64>,
}

impl Factors {
    fn new(linked: &SymbolGraph, ranks: &[f64], recency: &[f64]) -> Self {
        let size = linked.files.iter().map(|file| match file.kind {
            FileRole::Ballast => 0.0,
            _ => (1.0 + file.lines as f64).ln(),
        });
        let graph = linked.graph();
        let used = (0..linked.files.len()).map(|at| {
            let from = graph.into_node(at).iter().map(|edge| edge.node as usize);
            let voices = from.map(|one| voice(linked.files[one].kind, linked.is_test(one)));
            voices.sum::<f64>().ln_1p()
        });
        let tested = linked.tested.iter().map(|one| f64::from(*one).ln_1p());
        Self {
            used: scaled(used.collect()),
            centrality: ranks.iter().map(|rank| rank.sqrt()).collect(),
            recency: recency.to_vec(),
            size: scaled(size.collect()),
            tested: scaled(tested.collect()),
        }
    }

    fn of_file(&self, at: usize, weights: &Weights) -> f64 {
        let value = |values: &[f64]| values.get(at).copied().unwrap_or(0.0);
        weights.import_centrality * value(&self.centrality)
            + weights.modification_recency * value(&self.recency)
            + weights.file_size * value(&self.size)
            + weights.test_coverage * value(&self.tested)
    }
}

/// Scales the values so that the highest is 1.
fn scaled(values: Vec<f64>) -> Vec<f64> {
    let most = values.iter().copied().fold(0.0, f64::max).max(1e-300);
    values.into_iter().map(|value| value / most).collect()
}
