//! From a text and its language to what the text holds: checks the bounds, and asks
//! the grammar of the language, or the lines where there is none.

use crate::limits::Limits;
use crate::origin::machine_made;
use crate::{FindingKind, Language, Structure, lines, refuse};

#[cfg(feature = "grammars")]
use crate::bounded::ParseCost;
#[cfg(feature = "grammars")]
use crate::parser;

/// What a text in that language holds. No text makes it fail: what cannot be had is
/// among the findings.
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

/// Parses and looks at nothing: what extracting is compared with. Whether there was
/// something to parse and it was parsed.
#[cfg(feature = "grammars")]
pub fn parse_alone(language: Language, text: &str, limits: &Limits) -> bool {
    parse_cost(language, text, limits).is_ok()
}

/// Parses alone, and gives what that used: of the text itself, without parts in other
/// languages. Where it was not parsed, why, and what was used until then.
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

/// Whether the language has a grammar here.
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
