//! The data of each file that a map can show.

use std::borrow::Cow;

use loom_base::RepoPath;
use loom_syntax::{Language, Structure, Symbol, SymbolKind, Visibility};

use super::links::without_targets;
use crate::FileRole;

/// Maximum length of a signature: the start is the informative part.
const LONGEST_SIGNATURE: usize = 240;

/// Maximum length of a documentation line.
const LONGEST_DOC: usize = 120;

/// A file of a map.
#[derive(Clone, Debug)]
pub struct MapFile {
    /// Its path.
    pub path: RepoPath,
    /// Its language, if known.
    pub language: Option<Language>,
    /// Number of lines.
    pub lines: usize,
    /// Role of the file.
    pub kind: FileRole,
    /// Symbols that a map may show, in the order of the text.
    pub symbols: Vec<MapSymbol>,
    /// Its tokens, if counted.
    pub tokens: Option<usize>,
}

/// A symbol of a map.
#[derive(Clone, Debug)]
pub struct MapSymbol {
    /// Index in the symbols of the file.
    pub symbol: u32,
    /// Kind of the symbol.
    pub kind: SymbolKind,
    /// Its name.
    pub name: Box<str>,
    /// Declaration.
    pub signature: Box<str>,
    /// First line of its documentation.
    pub doc: Option<Box<str>>,
    /// Visibility.
    pub visibility: Visibility,
    /// Number of enclosing symbols.
    pub depth: u8,
    /// Line of its name.
    pub line: u32,
    /// True if it is a test or part of one.
    pub is_test: bool,
    /// Enclosing symbol, as an index in the file's `symbols`.
    pub parent: Option<u32>,
}

impl MapFile {
    /// Extracts the data of a file.
    pub fn new(
        path: RepoPath,
        language: Option<Language>,
        lines: usize,
        structure: &Structure,
    ) -> Self {
        let kind = FileRole::of_path(&path, language.map(Language::id));
        let mut places: Vec<Option<u32>> = vec![None; structure.symbols.len()];
        // Symbols in a test module are for tests, although the module itself is not shown.
        let mut tests: Vec<bool> = Vec::with_capacity(structure.symbols.len());
        let mut symbols: Vec<MapSymbol> = Vec::new();
        for (at, symbol) in structure.symbols.iter().enumerate() {
            let parent = symbol.parent.and_then(|parent| places[parent]);
            let outer = symbol.parent.and_then(|parent| tests.get(parent).copied());
            tests.push(symbol.is_test || outer.unwrap_or_default());
            let is_inner = symbol.parent.is_some_and(|parent| {
                let parent = &structure.symbols[parent];
                parent.kind.is_function() || parent.kind == SymbolKind::Test
            });
            if is_inner || !is_shown(symbol.kind) {
                // Symbols in a module are shown without the module.
                continue;
            }
            places[at] = u32::try_from(symbols.len()).ok();
            let mut one = map_symbol(at, symbol, parent, &symbols);
            one.is_test = tests[at];
            symbols.push(one);
        }
        Self {
            path,
            language,
            lines,
            kind,
            symbols,
            tokens: None,
        }
    }
}

fn map_symbol(at: usize, symbol: &Symbol, parent: Option<u32>, before: &[MapSymbol]) -> MapSymbol {
    let outer = parent.map(|parent| &before[parent as usize]);
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    MapSymbol {
        symbol: number(at),
        kind: symbol.kind,
        name: clean(&symbol.name).into(),
        signature: one_line(&symbol.signature, LONGEST_SIGNATURE).into(),
        doc: symbol.doc.as_deref().and_then(first_sentence),
        visibility: symbol.visibility,
        depth: outer.map_or(0, |outer| outer.depth.saturating_add(1)),
        line: number(symbol.name_line),
        is_test: symbol.is_test,
        parent,
    }
}

/// Returns true for kinds of symbols that a map can show.
fn is_shown(kind: SymbolKind) -> bool {
    kind.is_function()
        || kind.is_type()
        || matches!(
            kind,
            SymbolKind::Type
                | SymbolKind::Macro
                | SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Property
                | SymbolKind::Table
        )
}

fn first_sentence(doc: &str) -> Option<Box<str>> {
    let line = doc.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(one_line(&without_targets(line), LONGEST_DOC).into())
}

/// Returns a text on one line of at most `most` bytes.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most));
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > most {
            let mut end = most;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    clean(&line).into_owned()
}

/// Replaces control characters and characters that XML forbids by visible symbols.
fn clean(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        c if is_odd(c) => '\u{fffd}',
        c => c,
    };
    Cow::Owned(text.chars().map(picture).collect())
}
