//! Scores a file for a query, by its lines and its definitions.

use loom_search::{DefinedName, Expr, fit};
use loom_syntax::{Symbol, SymbolKind, Visibility};

use super::answer::{PreparedSearch, SearchFiles};

/// Adds the literal words of a query that can be names.
pub fn words_of<'q>(expr: &'q Expr, found: &mut Vec<&'q str>) {
    match expr {
        Expr::And(parts) | Expr::Or(parts) => {
            for part in parts {
                words_of(part, found);
            }
        }
        Expr::Text(pattern) => {
            // `\bname\b` counts as a name too.
            let text = pattern
                .text
                .trim_start_matches("\\b")
                .trim_end_matches("\\b");
            let is_part = |c: char| c == '_' || c.is_alphanumeric();
            if !text.is_empty() && text.chars().all(is_part) {
                found.push(text);
            }
        }
        _ => {}
    }
}

/// Sorts by descending score; equal scores stay in the order of paths.
pub fn sort_by_score(order: &mut [(u32, f64)]) {
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

/// Whether the score considers the definitions of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithNames {
    /// Parse the file and consider them.
    Yes,
    /// Ignore definitions.
    No,
}

impl<F: SearchFiles> PreparedSearch<'_, F> {
    /// Returns the score of a file; `None` if it does not match.
    pub fn score(&self, number: usize, with: WithNames) -> Option<f64> {
        let path = self.files.path(number);
        self.matched(number, |file, matched| {
            let names = match with {
                WithNames::Yes => file.symbols(self.files).iter().map(defined).collect(),
                WithNames::No => Vec::new(),
            };
            fit(
                &path.display(),
                file.text.as_bytes(),
                &matched.lines,
                &names,
            )
        })
    }
}

fn defined(symbol: &Symbol) -> DefinedName {
    let kind = match symbol.kind {
        SymbolKind::Impl => 0.4,
        kind if kind.is_type() => 1.0,
        kind if kind.is_function() => 0.9,
        _ => 0.6,
    };
    let reach = match symbol.visibility {
        Visibility::Public => 1.0,
        _ => 0.8,
    };
    DefinedName {
        span: symbol.name_span.start..symbol.name_span.end,
        worth: kind * reach,
    }
}
