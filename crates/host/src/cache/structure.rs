//! The cached structure of a file. It quotes the file, so it is always encrypted with its content
//! key.

use loom_store::ValueKind;
use loom_syntax::{Language, Limits};

use super::{kind, variant};

pub(super) const STRUCTURE: ValueKind = kind("structure");

/// Returns the variant of a structure for a language and parse limits.
pub(crate) fn structure_variant(language: Language, limits: &Limits) -> i64 {
    let limits = format!("{limits:?}");
    variant(&[language.id().as_bytes(), limits.as_bytes()])
}
