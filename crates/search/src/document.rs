//! What a query is asked of: one text with its path, its language and its symbols.

use std::ops::Range;

/// A text to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its path.
    pub path: &'a [u8],
    /// The identifier of its language.
    pub language: Option<&'a str>,
    /// The text.
    pub text: &'a [u8],
    /// What it defines, ordered by place; needed where a query asks for symbols.
    pub symbols: &'a [SymbolSpot],
}

impl<'a> Document<'a> {
    /// A text whose symbols are not known.
    pub fn new(path: &'a [u8], language: Option<&'a str>, text: &'a [u8]) -> Self {
        Self {
            path,
            language,
            text,
            symbols: &[],
        }
    }
}

/// A symbol in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolSpot {
    /// Its name.
    pub name: String,
    /// Where the name stands, in bytes.
    pub name_span: Range<usize>,
    /// The whole definition.
    pub span: Range<usize>,
}
