//! Markdown.

use std::fmt::Write;

use super::{folder, mermaid, names, signatures};
use crate::map::document::MapDocument;

pub(super) fn write(document: &MapDocument, tokens: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Map of {}\n", text(&document.name));
    let _ = writeln!(
        out,
        "{}; {tokens} tokens in this map.\n",
        document.numbers()
    );
    if let Some(description) = &document.description {
        let _ = writeln!(out, "{}\n", text(description));
    }
    key_symbols(document, &mut out);
    if !document.signatures.is_empty() {
        out.push_str("## Files\n\n");
    }
    for entry in &document.signatures {
        let level = entry.level.map_or("", |level| level.name());
        let _ = writeln!(out, "### {} ({level})\n", text(&entry.path));
        let mut inner = String::new();
        signatures(entry, &mut inner);
        block(&inner, "", &mut out);
    }
    if !document.others.is_empty() {
        out.push_str("## More files\n\n");
        let mut inner = String::new();
        for (name, files) in &document.others {
            let _ = writeln!(inner, "{}", folder(name));
            names(files, &mut inner);
        }
        block(&inner, "", &mut out);
    }
    if !document.edges.is_empty() {
        out.push_str("## Who uses whom\n\n");
        block(&mermaid::graph(&document.edges), "mermaid", &mut out);
    }
    if document.left_out > 0 {
        let _ = writeln!(out, "{} more files are not shown.", document.left_out);
    }
    out
}

fn key_symbols(document: &MapDocument, out: &mut String) {
    if document.key_symbols.is_empty() {
        return;
    }
    out.push_str("## Key symbols\n\n");
    for symbol in &document.key_symbols {
        let _ = writeln!(
            out,
            "- `{}` ({}, {}:{})",
            code(&symbol.name),
            symbol.kind,
            text(&symbol.path),
            symbol.line
        );
    }
    out.push('\n');
}

/// Writes a code block with a fence longer than any inside it.
fn block(inner: &str, language: &str, out: &mut String) {
    let mut longest = 2;
    for line in inner.lines() {
        let ticks = line.trim_start().bytes().take_while(|byte| *byte == b'`');
        longest = longest.max(ticks.count());
    }
    let fence = "`".repeat(longest + 1);
    let _ = writeln!(out, "{fence}{language}\n{}{fence}\n", ended(inner));
}

fn ended(inner: &str) -> String {
    match inner.ends_with('\n') || inner.is_empty() {
        true => inner.to_owned(),
        false => format!("{inner}\n"),
    }
}

/// Escapes markup in plain words.
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if matches!(c, '*' | '`' | '[' | ']' | '<' | '>' | '\\' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn code(name: &str) -> String {
    name.replace('`', "'")
}
