//! Accepted long files and functions, each with a date and a reason. The rule in `sizes` reads the
//! lists, and also reports unnecessary rows.

/// A file or function that may be long.
pub(crate) struct Accepted {
    pub(crate) path: &'static str,
    /// The function; empty for a file.
    pub(crate) function: &'static str,
    /// Year, month, day: `2026-11-15`.
    pub(crate) since: &'static str,
    pub(crate) reason: &'static str,
}

pub(crate) const FILES: &[Accepted] = &[];

pub(crate) const FUNCTIONS: &[Accepted] = &[];
