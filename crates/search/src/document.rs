//! The input of a query: one text with its path, its language and its symbols.

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
    /// Its symbols, sorted by position; required if a query searches symbols.
    pub symbols: &'a [SymbolSpot],
}

impl<'a> Document<'a> {
    /// Creates a document without symbols.
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
    /// Byte range of the name.
    pub name_span: Range<usize>,
    /// Byte range of the whole definition.
    pub span: Range<usize>,
}
