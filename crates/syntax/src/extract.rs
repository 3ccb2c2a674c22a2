//! Extracts the structure of a text: checks the limits, and parses with the grammar of the
//! language, or by lines without one.

use crate::limits::Limits;
use crate::origin::machine_made;
use crate::{FindingKind, Language, Structure, lines, refuse};

#[cfg(feature = "grammars")]
use crate::bounded::ParseCost;
#[cfg(feature = "grammars")]
use crate::parser;

/// Extracts the structure of a text in that language. It succeeds for any text; findings list
/// missing information.
pub fn extract(language: Language, text: &str, limits: &Limits) -> Structure {
    let id = language.id();
    if let Some(kind) = refusal(id, text, limits) {
        return Structure::refused(kind);
    }
    #[cfg(feature = "grammars")]
    if let Some(structure) = parser::structure(id, text, limits) {
        return structure;
    }
    lines::outline(id, text)
}

/// Parses without extracting, for comparison. Returns whether the text was parsed.
#[cfg(feature = "grammars")]
pub fn parse_alone(language: Language, text: &str, limits: &Limits) -> bool {
    parse_cost(language, text, limits).is_ok()
}

/// Parses without extracting, and returns the cost of the text without parts in other languages. If
/// the text was not parsed, returns the reason and the cost until then.
#[cfg(feature = "grammars")]
pub fn parse_cost(
    language: Language,
    text: &str,
    limits: &Limits,
) -> Result<ParseCost, (FindingKind, ParseCost)> {
    match refusal(language.id(), text, limits) {
        Some(kind) => Err((kind, ParseCost::default())),
        None => parser::cost(language.id(), text, limits),
    }
}

/// Returns whether the language has a grammar in this build.
pub fn has_grammar(language: Language) -> bool {
    #[cfg(feature = "grammars")]
    return parser::knows(language.id());
    #[cfg(not(feature = "grammars"))]
    {
        let _ = language;
        false
    }
}

pub(crate) fn refusal(id: &str, text: &str, limits: &Limits) -> Option<FindingKind> {
    let origin = machine_made(id, text).filter(|_| !limits.all);
    origin.or_else(|| refuse::reason(id, text, limits))
}
