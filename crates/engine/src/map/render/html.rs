//! A web page: references between directories and files, the most used files, and the distribution
//! of tokens. It is self-contained: no network, no other file.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::map::document::KeySymbol;
use crate::map::linked::SymbolGraph;
use crate::map::rank::Importance;

const PAGE: &str = include_str!("page.html");
/// Placeholder of the data.
const PLACE: &str = "@DATA@";
/// Maximum number of files; more would load too slowly. The page states how many it shows.
const MOST_FILES: usize = 4000;
/// Maximum number of drawn edges per file.
const MOST_EDGES: usize = 12;
/// Maximum number of searchable symbols per file.
const MOST_SYMBOLS: usize = 12;

/// Header of the page.
#[derive(Clone, Debug)]
pub struct PageHead {
    /// Name of the repository.
    pub name: String,
    /// Description from the repository.
    pub description: Option<String>,
    /// Number of all files, and of their lines.
    pub total: (usize, usize),
    /// Tokens of all files.
    pub tokens: usize,
    /// Model of the token counts.
    pub model: String,
    /// `~` if tokens are estimated.
    pub sign: &'static str,
}

/// Builds the page.
pub fn page(
    linked: &SymbolGraph,
    importance: &Importance,
    head: &PageHead,
    key: &[KeySymbol],
) -> String {
    let mut order: Vec<usize> = (0..linked.files.len()).collect();
    let score = |at: &usize| importance.files[*at];
    order.sort_by(|one, other| score(other).total_cmp(&score(one)).then(one.cmp(other)));
    order.truncate(MOST_FILES);
    let places: BTreeMap<usize, usize> = (order.iter().enumerate())
        .map(|(place, at)| (*at, place))
        .collect();
    let files: Vec<Value> = order
        .iter()
        .map(|at| file(linked, importance, *at, &places))
        .collect();
    let key: Vec<Value> = key
        .iter()
        .map(|one| json!([one.name, one.kind.name(), one.path, one.line]))
        .collect();
    let data = json!({
        "name": head.name,
        "about": head.description,
        "files": head.total.0,
        "lines": head.total.1,
        "model": head.model,
        "sign": head.sign,
        "tokens": head.tokens,
        "all": linked.files.len(),
        "key": key,
        "list": files,
    });
    // No data may close the surrounding HTML element.
    PAGE.replace(PLACE, &data.to_string().replace('<', "\\u003c"))
}

/// Returns a file as a row: path, tokens, importance, symbols, and referenced files.
fn file(
    linked: &SymbolGraph,
    importance: &Importance,
    at: usize,
    places: &BTreeMap<usize, usize>,
) -> Value {
    let of_file = &linked.files[at];
    let symbols = &of_file.symbols;
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    let score = |one: &usize| importance.symbols[at][*one];
    order.sort_by(|one, other| score(other).total_cmp(&score(one)).then(one.cmp(other)));
    let mut names: Vec<&str> = Vec::new();
    for name in order.iter().map(|one| &*symbols[*one].name) {
        if names.len() < MOST_SYMBOLS && !names.contains(&name) {
            names.push(name);
        }
    }
    let mut edges: Vec<(f64, usize)> = linked
        .graph()
        .out(at)
        .iter()
        .filter_map(|edge| Some((edge.weight, *places.get(&(edge.node as usize))?)))
        .collect();
    edges.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let edges: Vec<Value> = edges
        .iter()
        .take(MOST_EDGES)
        .map(|(weight, to)| json!([to, (weight * 10.0).round() / 10.0]))
        .collect();
    let importance = (importance.files[at] * 1000.0).round() / 1000.0;
    json!([
        of_file.path.display(),
        of_file.tokens.unwrap_or(0),
        importance,
        names,
        edges
    ])
}
