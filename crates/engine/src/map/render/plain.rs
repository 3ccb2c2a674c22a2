//! Plain text with the fewest tokens.

use std::fmt::Write;

use super::{folder, names, signatures};
use crate::map::document::MapDocument;

pub(super) fn write(document: &MapDocument) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", document.name, document.numbers());
    if let Some(description) = &document.description {
        out.push_str(description);
        out.push('\n');
    }
    if !document.key_symbols.is_empty() {
        out.push_str("\nKey symbols:\n");
    }
    for symbol in &document.key_symbols {
        let _ = writeln!(
            out,
            "  {} {} {}:{}",
            symbol.kind, symbol.name, symbol.path, symbol.line
        );
    }
    for entry in &document.signatures {
        let _ = writeln!(out, "\n{}", entry.path);
        let mut inner = String::new();
        signatures(entry, &mut inner);
        for line in inner.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    if !document.others.is_empty() {
        out.push_str("\nMore files:\n");
    }
    for (name, files) in &document.others {
        let _ = writeln!(out, "{}", folder(name));
        names(files, &mut out);
    }
    uses(&document.edges, &mut out);
    if document.left_out > 0 {
        let _ = writeln!(out, "\n{} more files are not shown", document.left_out);
    }
    out
}

/// Writes the references of each file, one file per line.
fn uses(edges: &[(String, String)], out: &mut String) {
    if !edges.is_empty() {
        out.push_str("\nUses:\n");
    }
    for (at, (from, _)) in edges.iter().enumerate() {
        let is_first = edges[..at].iter().all(|(one, _)| one != from);
        if is_first {
            let all = edges.iter().filter(|(one, _)| one == from);
            let to: Vec<&str> = all.map(|(_, to)| to.as_str()).collect();
            let _ = writeln!(out, "  {from} -> {}", to.join(", "));
        }
    }
}
