//! Symbols for people: a file and its definitions, nested, with their lines.

use infiniloom::host::{Depth, FileStructure, Symbol};

use super::ui::Ui;

/// The definitions of one file that pass the filter, under its path.
pub(super) fn file(file: &FileStructure, shown: &[bool], ui: Ui) -> String {
    let symbols = &file.structure.symbols;
    let width = symbols
        .last()
        .map_or(1, |last| last.lines.last.to_string().len());
    let mut text = format!("{}{}\n", ui.bold(&file.path.to_string()), note(file));
    for (symbol, _) in symbols.iter().zip(shown).filter(|(_, shown)| **shown) {
        let indent = "  ".repeat(depth(symbols, symbol, shown));
        let line = format!("{:>width$}", symbol.lines.first);
        text.push_str(&format!(
            "  {}  {indent}{}\n",
            ui.dim(&line),
            described(symbol)
        ));
    }
    text
}

/// What a reader has to know about the file as a whole.
fn note(file: &FileStructure) -> String {
    let structure = &file.structure;
    let mut words: Vec<String> = structure
        .findings
        .iter()
        .map(|finding| match finding.line {
            Some(line) => format!("{} at line {line}", finding.kind),
            None => finding.kind.to_string(),
        })
        .collect();
    if structure.depth == Depth::Lines {
        words.push("an outline by lines".to_owned());
    }
    if words.is_empty() {
        return String::new();
    }
    format!("  ({})", words.join(", "))
}

fn described(symbol: &Symbol) -> String {
    let signature = match symbol.signature.as_str() {
        "" => symbol.name.as_str(),
        signature => signature,
    };
    let kind = symbol.kind.name();
    let says_kind = signature.split_whitespace().any(|word| word == kind);
    let shown = match says_kind {
        true => signature.to_owned(),
        false => format!("{kind} {signature}"),
    };
    match symbol.complexity.filter(|complexity| *complexity > 10) {
        Some(complexity) => format!("{shown}  [{complexity} ways through]"),
        None => shown,
    }
}

/// How many shown symbols stand around one. A parent always stands before its member,
/// or is a type that the file defines elsewhere.
fn depth(symbols: &[Symbol], symbol: &Symbol, shown: &[bool]) -> usize {
    let mut depth = 0;
    let mut parent = symbol.parent;
    while let Some(at) = parent {
        depth += usize::from(shown[at]);
        let above = symbols[at].parent;
        parent = above.filter(|above| *above != at && depth < 32);
    }
    depth
}
