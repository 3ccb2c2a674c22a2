//! The strategy `semantic`: a unit that fits stays whole; others are split at the symbols inside,
//! or else at their lines.

use std::ops::Range;

use loom_syntax::{Structure, Symbol, SymbolKind};

use crate::join::Pieced;
use crate::line_starts::{LineStarts, Strength, strength};
use crate::outline::{Entry, Outline, Role};
use crate::pieces::Pieces;
use crate::unit::Unit;

/// Splits a unit into pieces that fit.
pub(crate) fn pieces(text: &Pieces<'_>, unit: &Unit) -> Vec<Range<usize>> {
    if text.fits_whole(unit.range.clone()) {
        return vec![unit.range.clone()];
    }
    if unit.inner.is_empty() {
        return text.lines(unit.range.clone(), strength);
    }
    let mut pieced = Pieced::default();
    let mut before: Option<&Unit> = None;
    for inner in &unit.inner {
        let seam = before.map(|before| (seam(text.text, before, inner), text.order_of(inner)));
        pieced.push(seam, pieces(text, inner));
        before = Some(inner);
    }
    text.joined(pieced)
}

/// Returns the strength of the seam between two units. A unit without words closes the unit before
/// it; a comment between two symbols belongs to the next one.
fn seam(text: &str, before: &Unit, behind: &Unit) -> Strength {
    let has_words = |unit: &Unit| text[unit.range.clone()].contains(char::is_alphanumeric);
    match (before.role, behind.role) {
        (_, None) if !has_words(behind) => 0,
        (None, Some(_)) => 1,
        _ => 2,
    }
}

/// Returns the symbols of a text, each with whole lines.
pub(crate) fn outline(structure: &Structure, text: &str, lines: &LineStarts) -> Outline {
    let symbols = structure.symbols.iter().enumerate();
    let entries = symbols.map(|(at, symbol)| Entry {
        range: lines.start_of(symbol.lead)..lines.end_of(symbol.span.end.saturating_sub(1)),
        head: symbol.span.start,
        name: is_listed(symbol).then(|| (symbol.qualified.clone(), symbol.name_span.start)),
        heading: heading(symbol, text, lines),
        role: match symbol.kind {
            kind if kind.is_function() => Role::Function,
            SymbolKind::Test | SymbolKind::Macro => Role::Function,
            SymbolKind::Section => Role::Section,
            _ => Role::Other,
        },
        // A parent with a larger index could cause an endless loop.
        parent: symbol.parent.filter(|parent| *parent < at),
    });
    Outline::new(entries.collect())
}

/// Returns the declaration of a symbol with the indentation of its line.
fn heading(symbol: &Symbol, text: &str, lines: &LineStarts) -> String {
    let line = &text[lines.start_of(symbol.span.start)..symbol.span.start];
    let indent = match line.trim().is_empty() {
        true => line,
        false => "",
    };
    let words = match symbol.signature.is_empty() {
        true => &symbol.name,
        false => &symbol.signature,
    };
    format!("{indent}{words}")
}

/// Returns whether a symbol is listed by name. Members of types and nested keys are too many.
fn is_listed(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Selector => false,
        SymbolKind::Key | SymbolKind::Element => symbol.parent.is_none(),
        _ => true,
    }
}
