//! The function through which the tests of languages use the crate; it formats results as lines of
//! text.

use std::fmt::Write as _;

use crate::{Language, Limits, Structure, extract};

/// Compares the structure of a text, one line each: symbols with their lines and signatures, then
/// imports, then references.
pub(crate) fn check(language: &str, text: &str, expected: &str) {
    let structure = structure(language, text);
    let found = describe(&structure);
    let expected: Vec<_> = expected.trim().lines().map(str::trim).collect();
    let found: Vec<_> = found.trim().lines().map(str::trim).collect();
    assert!(found == expected, "\n{}\n", found.join("\n"));
}

pub(crate) fn structure(language: &str, text: &str) -> Structure {
    let language = Language::from_id(language).unwrap();
    extract(language, text, &Limits::default())
}

/// Compares only the references.
pub(crate) fn check_uses(language: &str, text: &str, expected: &str) {
    let structure = structure(language, text);
    let mut found = Vec::new();
    for reference in &structure.references {
        let from = reference
            .from
            .map(|at| structure.symbols[at].qualified.as_str());
        let qualifier = reference
            .qualifier
            .as_deref()
            .map(|q| format!("{q} . "))
            .unwrap_or_default();
        let from = from.unwrap_or("-");
        found.push(format!(
            "{} {qualifier}{} < {from}",
            reference.kind, reference.name
        ));
    }
    let expected: Vec<_> = expected.trim().lines().map(str::trim).collect();
    assert!(found == expected, "\n{}\n", found.join("\n"));
}

fn describe(structure: &Structure) -> String {
    let mut out = String::new();
    for symbol in &structure.symbols {
        let _ = write!(
            out,
            "{}-{} {} {} {}",
            symbol.lines.first, symbol.lines.last, symbol.visibility, symbol.kind, symbol.qualified
        );
        if let Some(complexity) = symbol.complexity.filter(|c| *c > 1) {
            let _ = write!(out, " *{complexity}");
        }
        if symbol.is_test {
            out.push_str(" test");
        }
        let _ = write!(out, " | {}", symbol.signature);
        if let Some(doc) = &symbol.doc {
            let _ = write!(out, " | {}", doc.replace('\n', "/"));
        }
        out.push('\n');
    }
    for import in &structure.imports {
        let _ = writeln!(
            out,
            "{} {} [{}]",
            import.kind,
            import.module,
            import.names.join(", ")
        );
    }
    for finding in &structure.findings {
        let _ = writeln!(out, "! {} {:?}", finding.kind, finding.line);
    }
    out
}
