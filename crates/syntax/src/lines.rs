//! Finds definitions by the first words of lines, for languages without a grammar. It finds no
//! references, and marks the result as incomplete.

use loom_base::{ByteSpan, LineSpan};

use crate::signature::signature;
use crate::{Depth, Finding, FindingKind, Structure, Symbol, SymbolKind, Visibility};

/// Words that may precede the defining word.
const MODIFIERS: &[&str] = &[
    "pub",
    "public",
    "private",
    "protected",
    "internal",
    "export",
    "default",
    "static",
    "async",
    "abstract",
    "final",
    "sealed",
    "override",
    "virtual",
    "inline",
    "local",
    "const",
    "open",
    "data",
    "partial",
    "extern",
    "unsafe",
    "module",
];

/// Defining words, and the kinds of their symbols.
const WORDS: &[(&str, SymbolKind)] = &[
    ("function", SymbolKind::Function),
    ("func", SymbolKind::Function),
    ("fun", SymbolKind::Function),
    ("fn", SymbolKind::Function),
    ("def", SymbolKind::Function),
    ("defp", SymbolKind::Function),
    ("defmacro", SymbolKind::Macro),
    ("defn", SymbolKind::Function),
    ("defun", SymbolKind::Function),
    ("sub", SymbolKind::Function),
    ("proc", SymbolKind::Function),
    ("procedure", SymbolKind::Function),
    ("subroutine", SymbolKind::Function),
    ("method", SymbolKind::Method),
    ("macro", SymbolKind::Macro),
    ("class", SymbolKind::Class),
    ("struct", SymbolKind::Struct),
    ("record", SymbolKind::Struct),
    ("message", SymbolKind::Struct),
    ("interface", SymbolKind::Interface),
    ("protocol", SymbolKind::Interface),
    ("service", SymbolKind::Interface),
    ("trait", SymbolKind::Trait),
    ("enum", SymbolKind::Enum),
    ("type", SymbolKind::Type),
    ("typedef", SymbolKind::Type),
    ("namespace", SymbolKind::Module),
    ("package", SymbolKind::Module),
    ("defmodule", SymbolKind::Module),
    ("contract", SymbolKind::Class),
    ("library", SymbolKind::Module),
    ("resource", SymbolKind::Class),
    ("variable", SymbolKind::Variable),
];

/// Languages without definitions.
const PROSE: &[&str] = &[
    "text", "rst", "log", "csv", "tsv", "svg", "xml", "diff", "latex", "bibtex",
];

/// Returns the definitions of a text.
pub(crate) fn outline(id: &str, text: &str) -> Structure {
    let mut structure = Structure {
        depth: Depth::Lines,
        findings: vec![Finding {
            kind: FindingKind::NoGrammar,
            line: None,
        }],
        ..Structure::default()
    };
    if PROSE.contains(&id) {
        return structure;
    }
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        structure.symbols.extend(symbol(line, at, number + 1));
        at += line.len();
    }
    structure
}

fn symbol(line: &str, at: usize, number: usize) -> Option<Symbol> {
    let (kind, start, end) = definition(line)?;
    let name = &line[start..end];
    let content = line.trim();
    let indent = line.len() - line.trim_start().len();
    Some(Symbol {
        kind,
        name: name.to_owned(),
        qualified: name.to_owned(),
        signature: signature(content),
        doc: None,
        visibility: visibility(content),
        span: ByteSpan::new(at + indent, at + indent + content.len()),
        lines: LineSpan::new(number, number),
        lead: at + indent,
        name_span: ByteSpan::new(at + start, at + end),
        name_line: number,
        body: None,
        parent: None,
        complexity: None,
        is_test: false,
        language: None,
    })
}

/// Returns the kind of symbol that a line defines, and the range of its name.
fn definition(line: &str) -> Option<(SymbolKind, usize, usize)> {
    let mut rest = line.trim_start().trim_start_matches('(');
    loop {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let (word, after) = rest.split_at(end);
        if let Some((_, kind)) = WORDS.iter().find(|(known, _)| *known == word)
            && let Some((start, end)) = name_in(line, line.len() - after.len())
        {
            return Some((*kind, start, end));
        }
        if !MODIFIERS.contains(&word) || !after.starts_with(char::is_whitespace) {
            return None;
        }
        rest = after.trim_start();
    }
}

/// Returns the range of the name after a word: with or without quotes, including the dots and
/// colons of a path.
fn name_in(line: &str, from: usize) -> Option<(usize, usize)> {
    let after = &line[from..];
    let trimmed = after.trim_start();
    if trimmed.len() == after.len() {
        return None;
    }
    let mut start = line.len() - trimmed.len();
    let quoted = trimmed.starts_with('"');
    start += usize::from(quoted);
    let name = &line[start..];
    let is_name = |c: char| c.is_alphanumeric() || "_-?!.:$".contains(c);
    let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
    let name = name[..end].trim_end_matches([':', '.', '-']);
    let first = name.chars().next()?;
    (first.is_alphabetic() || "_$".contains(first)).then_some((start, start + name.len()))
}

fn visibility(line: &str) -> Visibility {
    let is_hidden = ["private ", "local ", "defp "]
        .iter()
        .any(|word| line.starts_with(word));
    if is_hidden {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, text: &str, expected: &[&str]) {
        let found = outline(id, text);
        assert_eq!(found.findings[0].kind, FindingKind::NoGrammar);
        let found: Vec<_> = found
            .symbols
            .iter()
            .map(|symbol| format!("{} {} {}", symbol.name_line, symbol.kind, symbol.name))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn first_words_of_lines_are_definitions() {
        check(
            "lua",
            "local function a.b(c)\nend\nx = function() end\n",
            &["1 function a.b"],
        );
        check(
            "elixir",
            "defmodule A.B do\n  defp c?(d), do: 1\n",
            &["1 module A.B", "2 function c?"],
        );
        check(
            "hcl",
            "resource \"aws_s3\" \"b\" {\nvariable \"c\" {}\n",
            &["1 class aws_s3", "2 variable c"],
        );
        check(
            "proto",
            "message A {\n  string type = 1;\n",
            &["1 struct A"],
        );
        check("text", "function a b\n", &[]);
        check("lua", "type(x)\nreturn function\n", &[]);
    }
}
