//! The header of a map: numbers, languages, and a summary paragraph.

use std::collections::BTreeMap;

use super::choose::Chooser;
use super::document::MapDocument;
use super::linked::SymbolGraph;
use super::rank::Importance;

/// Number of symbols and files in the paragraph.
const NAMED: usize = 5;

/// Builds the start of every map of the repository. `files` and `lines` count all files, including
/// those without a language.
pub(super) fn base(
    linked: &SymbolGraph,
    name: &str,
    description: Option<&str>,
    files: usize,
    lines: usize,
) -> MapDocument {
    let mut languages: BTreeMap<&'static str, usize> = BTreeMap::new();
    for file in &linked.files {
        if let Some(language) = file.language {
            *languages.entry(language.name()).or_default() += file.lines;
        }
    }
    let mut languages: Vec<(&'static str, usize)> = languages.into_iter().collect();
    languages.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    MapDocument {
        name: name.to_owned(),
        files,
        lines,
        languages,
        description: description.map(str::to_owned),
        ..MapDocument::default()
    }
}

/// Builds the paragraph: contents, key symbols, and their users.
pub(super) fn paragraph(
    document: &MapDocument,
    linked: &SymbolGraph,
    importance: &Importance,
    chooser: &Chooser<'_>,
) -> String {
    let mut text = format!(
        "Repository: {} ({} files, {} lines)",
        document.name, document.files, document.lines
    );
    let symbols = chooser.first_symbols(NAMED);
    if !symbols.is_empty() {
        text.push_str("\nKey symbols: ");
        text.push_str(&symbols.join(", "));
    }
    let hot = hot_files(linked, importance);
    if !hot.is_empty() {
        text.push_str("\nHot files: ");
        text.push_str(&hot.join(", "));
    }
    text
}

fn hot_files(linked: &SymbolGraph, importance: &Importance) -> Vec<String> {
    let mut order: Vec<usize> = (0..linked.files.len()).collect();
    let score = |at: &usize| importance.files[*at];
    order.sort_by(|one, other| score(other).total_cmp(&score(one)).then(one.cmp(other)));
    let files = order.into_iter().take(NAMED).filter(|at| score(at) > 0.0);
    files.map(|at| linked.files[at].path.to_string()).collect()
}
