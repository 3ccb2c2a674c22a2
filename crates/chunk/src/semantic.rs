//! The strategy `semantic`: what fits stays whole, what does not is taken apart at the
//! symbols inside it, and at its lines where there are none.

use std::ops::Range;

use loom_syntax::{Structure, Symbol, SymbolKind};

use crate::join::Pieced;
use crate::line_starts::{LineStarts, Strength, strength};
use crate::outline::{Entry, Outline, Role};
use crate::pieces::Pieces;
use crate::unit::Unit;

/// A unit in pieces that fit.
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

/// What has no words closes what stands before it; a remark between two symbols rather
/// belongs to the one that follows.
fn seam(text: &str, before: &Unit, behind: &Unit) -> Strength {
    let has_words = |unit: &Unit| text[unit.range.clone()].contains(char::is_alphanumeric);
    match (before.role, behind.role) {
        (_, None) if !has_words(behind) => 0,
        (None, Some(_)) => 1,
        _ => 2,
    }
}

/// The symbols of a text, each with whole lines.
pub(crate) fn outline(structure: &Structure, text: &str, lines: &LineStarts) -> Outline {
    let symbols = structure.symbols.iter().enumerate();
    let entries = symbols.map(|(at, symbol)| Entry {
        range: lines.start_of(symbol.lead)..lines.end_of(symbol.span.end.saturating_sub(1)),
        head: symbol.span.start,
        name: is_told(symbol).then(|| (symbol.qualified.clone(), symbol.name_span.start)),
        heading: heading(symbol, text, lines),
        role: match symbol.kind {
            kind if kind.is_function() => Role::Function,
            SymbolKind::Test | SymbolKind::Macro => Role::Function,
            SymbolKind::Section => Role::Section,
            _ => Role::Other,
        },
        // One that does not come before would never end.
        parent: symbol.parent.filter(|parent| *parent < at),
    });
    Outline::new(entries.collect())
}

/// How it is declared, as far to the right as it stands in the text.
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

/// Members of types and keys inside keys are too many to be told.
fn is_told(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Selector => false,
        SymbolKind::Key | SymbolKind::Element => symbol.parent.is_none(),
        _ => true,
    }
}
