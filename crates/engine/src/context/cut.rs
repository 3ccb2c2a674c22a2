//! Splits a text into parts for selection: functions with their documentation, headers of types,
//! and the text between them. Every line belongs to exactly one part.

use std::cell::RefCell;
use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use loom_search::terms_in;
use loom_syntax::{Structure, Symbol, SymbolKind};

use super::surroundings::Surroundings;

/// Longer functions are split, because each would use the budget of ten others.
const LONGEST_FUNCTION: usize = 220;
/// Number of lines per part of other text.
const OTHER: usize = 60;
/// Approximate number of lines per piece of a split function.
const PIECE: usize = 90;

/// Shorter documentation is not worth removing.
const LEAST_DOC: usize = 6;

/// Number of fields with separate term counts: the whole text, names, documentation.
pub(super) const FIELDS: usize = 3;

/// Parts of one text for selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Parts in the order of the text.
    pub parts: Vec<CutPart>,
    /// For each symbol of the structure, the part with its name.
    pub symbols: Vec<u32>,
    /// Number of lines of the text.
    pub lines: u32,
}

/// A part of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutPart {
    /// First line, from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// The symbol that it is, or that contains it.
    pub symbol: Option<u32>,
    /// True if it is the whole symbol.
    pub is_whole: bool,
    /// Line with the name of that symbol; 0 unless it is the whole symbol.
    pub name_line: u32,
    /// Lines of long documentation, from 1, and their bytes; none if `last` is 0.
    pub doc: DocLines,
    /// Keys of its terms in order, with their counts in each field.
    pub terms: Vec<(u32, [u8; FIELDS])>,
    /// Number of terms in each field.
    pub words: [u32; FIELDS],
}

/// Lines of long documentation, which can be removed because the code has the same information.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DocLines {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Size in bytes.
    pub bytes: u32,
}

impl DocLines {
    /// Returns true for an empty range.
    pub fn is_empty(&self) -> bool {
        self.last == 0
    }
}

/// Hashes a term.
pub fn term_key(term: &str) -> u32 {
    // FNV-1a, folded.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in term.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as u32
}

/// Maximum number of cached identifiers; a full cache is cleared, so that generated texts do not
/// fill the memory. Each thread has its own cache of about 2 MB.
const REMEMBERED: usize = 1 << 14;

thread_local! {
    /// Cache of the term keys of identifiers, because splitting them is the slowest step.
    static KEYS: RefCell<HashMap<Box<str>, Box<[u32]>>> = RefCell::default();
}

/// Calls `each` with the keys of a text's terms.
pub(super) fn keys_in(text: &str, mut each: impl FnMut(u32)) {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    KEYS.with_borrow_mut(|known| {
        for word in text
            .split(|c: char| !is_part(c))
            .filter(|word| word.len() > 1)
        {
            if let Some(keys) = known.get(word) {
                keys.iter().for_each(|key| each(*key));
                continue;
            }
            let mut keys = Vec::new();
            terms_in(word, |term| keys.push(term_key(term)));
            keys.iter().for_each(|key| each(*key));
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(word.into(), keys.into());
        }
    });
}

impl Cut {
    /// Splits a text with this structure.
    pub fn of(text: &str, structure: &Structure) -> Self {
        let lines = Lines::of(text);
        let owners = owners(&lines, structure);
        let ranges = ranges(&lines, structure, &owners);
        let mut cut = Self {
            lines: lines.count() as u32,
            ..Self::default()
        };
        for range in &ranges {
            cut.parts.push(part(range, &lines, structure));
        }
        cut.symbols = structure
            .symbols
            .iter()
            .map(|symbol| cut.part_at(symbol.name_line as u32))
            .collect();
        cut
    }

    /// Returns the part with a line; the last part for a line after the end.
    pub fn part_at(&self, line: u32) -> u32 {
        let at = self.parts.partition_point(|part| part.last < line);
        at.min(self.parts.len().saturating_sub(1)) as u32
    }
}

/// Line starts of a text.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, starts }
    }

    fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line of a byte, from 0.
    fn line(&self, byte: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= byte)
            .saturating_sub(1)
    }

    fn text(&self, first: usize, last: usize) -> &'t str {
        let start = self.starts.get(first).copied().unwrap_or(self.text.len());
        let end = self
            .starts
            .get(last + 1)
            .copied()
            .unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default()
    }

    fn is_blank(&self, line: usize) -> bool {
        self.text(line, line).trim().is_empty()
    }
}

/// An inclusive range of lines, from 0, and its symbol.
struct Range {
    first: usize,
    last: usize,
    symbol: Option<usize>,
    is_whole: bool,
}

/// Returns true if a symbol is its own part: it is executable, and not inside another executable
/// symbol.
fn is_unit(structure: &Structure, at: usize) -> bool {
    let symbol = &structure.symbols[at];
    let is_run = |symbol: &Symbol| symbol.kind.is_function() || symbol.kind == SymbolKind::Test;
    let mut around = symbol.parent;
    while let Some(parent) = around {
        let outer = &structure.symbols[parent];
        if is_run(outer) {
            return false;
        }
        around = outer.parent;
    }
    is_run(symbol) || symbol.kind == SymbolKind::Macro
}

/// Returns the unit of each line.
fn owners(lines: &Lines<'_>, structure: &Structure) -> Vec<Option<usize>> {
    let mut owners = vec![None; lines.count()];
    for (at, symbol) in structure.symbols.iter().enumerate() {
        if !is_unit(structure, at) || symbol.lines.first == 0 {
            continue;
        }
        let first = lines
            .line(symbol.lead.min(symbol.span.start))
            .min(symbol.lines.first - 1);
        let last = symbol.lines.last.min(lines.count());
        let own = owners.iter_mut().enumerate().take(last).skip(first);
        for (line, owner) in own {
            if owner.is_none() || line + 1 >= symbol.lines.first {
                *owner = Some(at);
            }
        }
    }
    owners
}

fn ranges(lines: &Lines<'_>, structure: &Structure, owners: &[Option<usize>]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    let mut surroundings = Surroundings::new(&structure.symbols);
    let mut first = 0;
    while first < owners.len() {
        let mut last = first;
        while last + 1 < owners.len() && owners[last + 1] == owners[first] {
            last += 1;
        }
        match owners[first] {
            Some(symbol) if last - first < LONGEST_FUNCTION => ranges.push(Range {
                first,
                last,
                symbol: Some(symbol),
                is_whole: true,
            }),
            Some(symbol) => cut_long(lines, first, last, PIECE, |_| Some(symbol), &mut ranges),
            None => cut_long(
                lines,
                first,
                last,
                OTHER,
                |line| surroundings.innermost(line),
                &mut ranges,
            ),
        }
        first = last + 1;
    }
    ranges
}

/// Splits at empty lines near every `size` lines, and before another type.
fn cut_long(
    lines: &Lines<'_>,
    first: usize,
    last: usize,
    size: usize,
    mut symbol: impl FnMut(usize) -> Option<usize>,
    ranges: &mut Vec<Range>,
) {
    let mut start = first;
    let mut own = symbol(first);
    for line in first + 1..=last {
        let length = line - start;
        let is_room = last - line >= size / 4;
        let is_seam = length >= size && is_room && lines.is_blank(line - 1) || length >= size * 2;
        let here = symbol(line);
        let is_other = here != own && !lines.is_blank(line);
        if is_seam || is_other {
            add(lines, ranges, start, line - 1, own);
            start = line;
            own = here;
        }
    }
    add(lines, ranges, start, last, own);
}

/// Adds a range. Empty lines belong to the range before them.
fn add(
    lines: &Lines<'_>,
    ranges: &mut Vec<Range>,
    first: usize,
    last: usize,
    symbol: Option<usize>,
) {
    let is_blank = (first..=last).all(|line| lines.is_blank(line));
    match ranges.last_mut().filter(|_| is_blank) {
        Some(before) => before.last = last,
        None => ranges.push(Range {
            first,
            last,
            symbol,
            is_whole: false,
        }),
    }
}

/// Returns the documentation of a function that is a part, without its first one or two lines,
/// which summarise it.
fn doc_lines(range: &Range, lines: &Lines<'_>, symbol: &Symbol) -> DocLines {
    let start = lines.line(symbol.span.start);
    let found = match start.saturating_sub(range.first) >= LEAST_DOC + 2 {
        true => Some((range.first + 2, start - 1)),
        false => docstring(range, lines, start),
    };
    match found {
        Some((first, last)) if last + 1 >= first + LEAST_DOC => DocLines {
            first: first as u32 + 1,
            last: last as u32 + 1,
            bytes: lines.text(first, last).len() as u32,
        },
        _ => DocLines::default(),
    }
}

/// Returns the lines of a Python docstring after its first non-empty line.
fn docstring(range: &Range, lines: &Lines<'_>, start: usize) -> Option<(usize, usize)> {
    let limit = range.last.min(start + 40);
    let open = (start..=limit).find(|line| {
        let text = lines
            .text(*line, *line)
            .trim_start()
            .trim_start_matches(['r', 'u', 'R']);
        text.starts_with("\"\"\"") || text.starts_with("'''")
    })?;
    let text = lines.text(open, open).trim();
    let mark = if text.contains("\"\"\"") {
        "\"\"\""
    } else {
        "'''"
    };
    let words = text.split_once(mark).map_or("", |(_, rest)| rest);
    if words.contains(mark) {
        return None;
    }
    let close = (open + 1..=range.last).find(|line| lines.text(*line, *line).contains(mark))?;
    let kept = if words.trim().is_empty() { 2 } else { 1 };
    Some((open + kept, close))
}

fn part(range: &Range, lines: &Lines<'_>, structure: &Structure) -> CutPart {
    let text = lines.text(range.first, range.last);
    let mut found: Vec<(u32, usize)> = Vec::new();
    let mut words = [0; FIELDS];
    let mut count = |text: &str, field: usize| {
        keys_in(text, |key| {
            words[field] += 1;
            found.push((key, field));
        });
    };
    count(text, 0);
    if let Some(at) = range.symbol {
        let symbol = &structure.symbols[at];
        count(&symbol.name, 1);
        // The surrounding type is only a weak hint, because all of its members share it.
        let around = symbol.qualified.strip_suffix(&symbol.name);
        count(around.unwrap_or_default(), 2);
        if range.is_whole || lines.line(symbol.span.start) >= range.first {
            count(symbol.doc.as_deref().unwrap_or_default(), 2);
        }
    }
    found.sort_unstable();
    let mut terms: Vec<(u32, [u8; FIELDS])> = Vec::new();
    for (key, field) in found {
        if terms.last().is_none_or(|(last, _)| *last != key) {
            terms.push((key, [0; FIELDS]));
        }
        if let Some((_, counts)) = terms.last_mut() {
            counts[field] = counts[field].saturating_add(1);
        }
    }
    CutPart {
        first: range.first as u32 + 1,
        last: range.last as u32 + 1,
        bytes: text.len() as u32,
        symbol: range.symbol.map(|at| at as u32),
        is_whole: range.is_whole,
        name_line: match range.symbol {
            Some(at) if range.is_whole => structure.symbols[at].name_line as u32,
            _ => 0,
        },
        doc: match range.symbol {
            Some(at) if range.is_whole => doc_lines(range, lines, &structure.symbols[at]),
            _ => DocLines::default(),
        },
        terms,
        words,
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use loom_syntax::{Language, Limits, extract};
    use proptest::prelude::*;

    use super::*;

    fn cut(path: &str, text: &str) -> (Cut, Structure) {
        let language = Language::detect(&RepoPath::new(path).unwrap(), text).unwrap();
        let structure = extract(language, text, &Limits::default());
        (Cut::of(text, &structure), structure)
    }

    #[test]
    fn functions_and_heads_are_parts() {
        let text = "import os\n\n# runs\ndef run():\n    def inner():\n        pass\n    inner()\n\n\nclass A:\n    x = 1\n\n    def go(self):\n        return 2\n";
        let (cut, structure) = cut("a.py", text);
        let shown: Vec<_> = cut
            .parts
            .iter()
            .map(|part| {
                let name = part
                    .symbol
                    .map(|at| structure.symbols[at as usize].name.as_str());
                (part.first, part.last, name.unwrap_or(""))
            })
            .collect();
        assert_eq!(shown.first(), Some(&(1, 2, "")));
        // No part consists of empty lines.
        assert!(
            !shown
                .iter()
                .any(|(first, last, _)| (8..=9).contains(first) && *last < 10),
            "{shown:?}"
        );
        assert!(
            shown
                .iter()
                .any(|(first, _, name)| *name == "run" && *first <= 4)
        );
        assert!(shown.iter().any(|(_, _, name)| *name == "A"));
        assert!(
            shown
                .iter()
                .any(|(_, last, name)| *name == "go" && *last == 14)
        );
    }

    proptest! {
        #[test]
        fn every_line_is_in_one_part(lines in proptest::collection::vec("(def f\\(\\):|    x = 1|class A:|    def g\\(self\\):|        pass||# c)", 0..80)) {
            let text = lines.join("\n");
            let (cut, _) = cut("a.py", &text);
            let mut next = 1;
            for part in &cut.parts {
                prop_assert_eq!(part.first, next);
                prop_assert!(part.last >= part.first);
                next = part.last + 1;
            }
            prop_assert_eq!(next, cut.lines + 1);
        }
    }
}
