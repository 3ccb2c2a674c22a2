//! Mermaid: references between files.

use std::collections::HashMap;
use std::fmt::Write;

use crate::map::document::MapDocument;

/// Formats the whole map as a diagram.
pub(super) fn write(document: &MapDocument) -> String {
    let mut edges = document.edges.clone();
    if edges.is_empty() {
        // A file without references is a box, too.
        let files = document.signatures.iter();
        edges = files
            .map(|entry| (entry.path.clone(), String::new()))
            .collect();
    }
    graph(&edges)
}

/// Formats a graph of paths; an empty end is not an edge.
pub(super) fn graph(edges: &[(String, String)]) -> String {
    let mut out = String::from("graph TD\n");
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for (from, to) in edges {
        let from = node(from, &mut ids);
        out.push_str("    ");
        out.push_str(&from);
        if !to.is_empty() {
            let _ = write!(out, " --> {}", node(to, &mut ids));
        }
        out.push('\n');
    }
    out
}

/// Formats a node: name and label when it first occurs, then only the name.
fn node<'p>(path: &'p str, ids: &mut HashMap<&'p str, usize>) -> String {
    let next = ids.len();
    let id = *ids.entry(path).or_insert(next);
    let name = letters(id);
    match id == next {
        true => format!("{name}[\"{}\"]", label(path)),
        false => name,
    }
}

/// Returns `A` to `Z`, then `AA` and so on. Keywords of Mermaid are in lower case, so no name
/// collides with them.
fn letters(mut id: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(b'A' + u8::try_from(id % 26).unwrap_or(0));
        if id < 26 {
            break;
        }
        id = id / 26 - 1;
    }
    name.reverse();
    String::from_utf8_lossy(&name).into_owned()
}

fn label(path: &str) -> String {
    path.replace('"', "#quot;").replace(['\n', '\r'], " ")
}
