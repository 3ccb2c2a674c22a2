//! Formats symbols for people: a file and its nested definitions, with their lines.

use loom_wire::{FileSymbols, SymbolInfo};

use super::ui::Ui;

/// Formats the definitions of one file, under its path.
pub(super) fn file(file: &FileSymbols, ui: Ui) -> String {
    let width = file.last_line.max(1).to_string().len();
    let mut text = format!("{}{}\n", ui.bold(&file.path), note(file));
    for symbol in &file.symbols {
        let indent = "  ".repeat(symbol.depth);
        let line = format!("{:>width$}", symbol.start_line);
        text.push_str(&format!(
            "  {}  {indent}{}\n",
            ui.dim(&line),
            described(symbol)
        ));
    }
    text
}

/// Formats remarks about the whole file.
fn note(file: &FileSymbols) -> String {
    let mut words: Vec<String> = file
        .findings
        .iter()
        .map(|finding| match finding.line {
            Some(line) => format!("{} at line {line}", finding.kind),
            None => finding.kind.clone(),
        })
        .collect();
    if file.read_by == "lines" {
        words.push("an outline by lines".to_owned());
    }
    if words.is_empty() {
        return String::new();
    }
    format!("  ({})", words.join(", "))
}

fn described(symbol: &SymbolInfo) -> String {
    let signature = match symbol.signature.as_str() {
        "" => symbol.name.as_str(),
        signature => signature,
    };
    let kind = symbol.kind.as_str();
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
