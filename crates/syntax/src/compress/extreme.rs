//! The level `extreme`: one line per symbol, in the order of the file.

use std::ops::Range;

use loom_base::LineSpan;

use super::lines::LineMap;
use super::plan::{Plan, is_local};
use super::tree_facts::TreeFacts;
use super::{Compressed, Elided, ElidedKind, Level, PreservedKind};
use crate::Symbol;

/// Maximum length of a line for a symbol that is not a function; longer ones contain values.
const LONGEST_VALUE: usize = 100;

/// Part of the result with its original position.
struct Item {
    start: usize,
    text: String,
    /// True if its lines are lines of the file.
    is_source: bool,
}

/// Returns the lines of the symbols; `None` without symbols.
pub(super) fn extreme(plan: &Plan<'_>, facts: &TreeFacts<'_>) -> Option<Compressed> {
    let mut items = symbols(plan, &facts.literal_spans());
    if items.is_empty() {
        return None;
    }
    items.extend(others(plan));
    items.extend(file_docs(plan, facts));
    items.sort_by_key(|item| item.start);
    let total = plan.text.lines().count();
    let mut text = String::new();
    let mut lines = LineMap::default();
    let (mut at, mut line, mut last) = (0, 1, 1);
    let (mut shown, mut previous) = (0_usize, 0);
    for item in &items {
        let between = plan.text.get(at..item.start).unwrap_or_default();
        line += between.matches('\n').count();
        at = item.start.max(at);
        for (offset, content) in item.text.lines().enumerate() {
            text.push_str(content);
            text.push('\n');
            last = last.max(line + if item.is_source { offset } else { 0 });
            lines.push(last);
            shown += 1;
        }
        // Several symbols of one line show that line once.
        let is_again = previous == line && !item.is_source;
        shown = shown.saturating_sub(usize::from(is_again));
        previous = line;
    }
    let left = total.saturating_sub(shown);
    let (what, marked, mark) = match left {
        0 => (ElidedKind::Parts, total, plan.form.parts(total)),
        _ => (ElidedKind::Source, left, plan.form.line(left)),
    };
    text.push_str(&mark);
    text.push('\n');
    lines.push(total);
    let elided = Elided {
        what,
        lines: LineSpan::new(1, total.max(1)),
        marked,
    };
    Some(Compressed {
        text,
        lines,
        elided: vec![elided],
        level: Level::Extreme,
        gentler: None,
    })
}

fn symbols(plan: &Plan<'_>, literals: &[Range<usize>]) -> Vec<Item> {
    let structure = plan.structure;
    let mut items: Vec<Item> = Vec::new();
    let mut whole: Vec<Range<usize>> = Vec::new();
    for (at, symbol) in structure.symbols.iter().enumerate() {
        let is_inside = whole
            .iter()
            .any(|span| span.contains(&symbol.name_span.start));
        // Code examples of a document are not its own symbols.
        let is_example = plan.id == "markdown" && symbol.language.is_some();
        if is_inside || is_example || is_local(structure, at) {
            continue;
        }
        if let Some(span) = whole_span(plan, symbol, literals) {
            let text = plan.text.get(span.clone()).unwrap_or_default();
            let text = format!("{}{text}", plan.indent_at(span.start));
            items.push(Item {
                start: span.start,
                text,
                is_source: true,
            });
            whole.push(span);
            continue;
        }
        let text = line_of(plan, symbol, depth(plan, symbol));
        // Several names of one statement have one line.
        if items.last().is_none_or(|last| last.text != text) {
            items.push(Item {
                start: symbol.span.start,
                text,
                is_source: false,
            });
        }
    }
    items
}

/// Returns the span of a symbol that is shown unchanged.
fn whole_span(plan: &Plan<'_>, symbol: &Symbol, literals: &[Range<usize>]) -> Option<Range<usize>> {
    let is_it =
        |span: &&Range<usize>| span.end == symbol.span.end && span.contains(&symbol.span.start);
    if let Some(span) = plan.intact.iter().find(is_it) {
        return Some(span.clone());
    }
    let is_value = !symbol.kind.is_function() && !symbol.kind.is_type();
    let span = symbol.span.range();
    let is_in = |literal: &Range<usize>| span.start <= literal.start && literal.end <= span.end;
    let keeps = is_value && plan.how.preserve.keeps(PreservedKind::Literals);
    (keeps && literals.iter().any(is_in)).then_some(span)
}

fn line_of(plan: &Plan<'_>, symbol: &Symbol, depth: usize) -> String {
    let indent = " ".repeat(depth);
    let mut signature = symbol.signature.as_str();
    let is_value = !symbol.kind.is_function() && !symbol.kind.is_type();
    let is_long = is_value && signature.len() > LONGEST_VALUE;
    if is_long {
        signature = &signature[..crate::signature::floor(signature, LONGEST_VALUE)];
    }
    signature = whole_placeholders(signature);
    // Some names have several lines.
    let name = symbol.name.replace(['\n', '\r'], " ");
    if signature.trim().is_empty() {
        signature = &name;
    }
    let more = if is_long { "…" } else { "" };
    let doc = symbol
        .doc
        .as_deref()
        .filter(|_| plan.how.preserve.keeps(PreservedKind::Docstrings));
    let doc = doc.map(|doc| {
        let lines = doc
            .lines()
            .map(|line| format!("{indent}{}", comment(plan, line)));
        lines.collect::<Vec<_>>().join("\n") + "\n"
    });
    format!("{}{indent}{signature}{more}", doc.unwrap_or_default())
}

/// Removes a placeholder of a secret that was truncated at the end of the text: a partial one is
/// useless and looks like the contents.
fn whole_placeholders(text: &str) -> &str {
    match text.rfind("[REDACTED:") {
        Some(open) if !text[open..].contains(']') => &text[..open],
        _ => text,
    }
}

/// Formats words as a comment of the language.
fn comment(plan: &Plan<'_>, words: &str) -> String {
    let mark = plan.form.line(1);
    mark.replace("… 1 line", words)
}

fn depth(plan: &Plan<'_>, symbol: &Symbol) -> usize {
    let mut parent = symbol.parent;
    for depth in 0..16 {
        let Some(above) = parent.and_then(|at| plan.structure.symbols.get(at)) else {
            return depth;
        };
        parent = above.parent;
    }
    16
}

/// Returns the imports, comments and licence that stay.
fn others(plan: &Plan<'_>) -> Vec<Item> {
    let imports = plan.structure.imports.iter().map(|import| import.span);
    let imports = imports.filter(|_| plan.how.preserve.keeps(PreservedKind::Imports));
    let imports = imports.map(loom_base::ByteSpan::range);
    let comments = plan.comments.iter().cloned();
    let comments = comments.filter(|span| {
        let text = plan.text_at(span);
        let is_shown = plan.intact.iter().any(|kept| kept.contains(&span.start));
        plan.is_preserved(text) && !is_shown
    });
    let item = |span: Range<usize>| item_of(plan, span);
    let licence = plan
        .licence()
        .filter(|_| plan.how.preserve.keeps(PreservedKind::Licence));
    let inside = |start: usize| {
        let licence = licence.as_ref();
        licence.is_some_and(|licence| licence.contains(&start))
    };
    let comments = comments.filter(|span| !inside(span.start));
    let mut items: Vec<Item> = imports.chain(comments).map(item).collect();
    items.extend(licence.clone().map(item));
    items.dedup_by(|one, other| one.start == other.start);
    items
}

fn item_of(plan: &Plan<'_>, span: Range<usize>) -> Item {
    Item {
        start: span.start,
        text: plan.text_at(&span).to_owned(),
        is_source: true,
    }
}

/// Returns the documentation of the file, if documentation is preserved.
fn file_docs(plan: &Plan<'_>, facts: &TreeFacts<'_>) -> Vec<Item> {
    if !plan.how.preserve.keeps(PreservedKind::Docstrings) {
        return Vec::new();
    }
    let strings = facts.docstrings.iter().filter(|one| one.is_of_file);
    let strings = strings.map(|one| one.span.clone());
    // Comments that are preserved at any position are already in the result.
    let is_new = |span: &Range<usize>| !plan.is_preserved(plan.text_at(span));
    let comments = plan.file_docs().into_iter().filter(is_new);
    let spans = comments.chain(strings);
    spans.map(|span| item_of(plan, span)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_placeholders_are_removed() {
        assert_eq!(whole_placeholders("a = \"[REDACTED:key:1"), "a = \"");
        assert_eq!(
            whole_placeholders("a = [REDACTED:key:1]"),
            "a = [REDACTED:key:1]"
        );
    }
}
