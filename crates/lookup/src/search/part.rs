//! The part of a file that answers a question best.

use std::ops::RangeInclusive;

use loom_base::RepoPath;
use loom_search::{
    Definition, Evidence, Part, Question, Ranked, Ranking, Weights, part_scores, squeezed,
};
use loom_secrets::Finding;
use loom_syntax::{Symbol, SymbolKind, Visibility};

/// A type or constant with fewer lines is shown with what stands around it.
const LEAST_LINES: usize = 4;
/// Lines of text without symbols that make a part.
const PIECE: usize = 60;
/// A part is never longer: what is shown has an end.
const LONGEST_PART: usize = 120;

/// So many names of a file, of so many letters or more, say who uses it.
const NAMES: usize = 2;
const LEAST_NAME: usize = 5;

/// How to answer a question.
#[derive(Clone, Copy, Debug)]
pub struct RankOptions {
    /// How the order is found.
    pub ranking: Ranking,
    /// What the parts of the code-aware order weigh.
    pub weights: Weights,
    /// How much the best part of a file counts against the file as a whole.
    pub part: f64,
    /// At most so many files.
    pub limit: usize,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self {
            ranking: Ranking::CodeAware,
            weights: Weights::default(),
            part: 0.5,
            limit: 10,
        }
    }
}

/// A file that answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedHit {
    /// Its path.
    pub path: RepoPath,
    /// The higher the better.
    pub score: f64,
    /// The first line of the part that fits best, counted from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The qualified name of the symbol that the part is.
    pub symbol: Option<String>,
    /// Whether the part holds a secret, hidden or not.
    pub has_secret: bool,
}

/// The part of a file that fits a question best, and what the file says about it.
#[derive(Debug)]
pub struct BestPart {
    /// What else it says about the question.
    pub evidence: Evidence,
    /// Its lines, if any part fits.
    pub lines: Option<RangeInclusive<usize>>,
    /// The symbol that it is.
    pub symbol: Option<usize>,
}

/// Finds the part of a text that fits best.
pub fn best_part(
    question: &Question,
    ranked: &Ranked,
    path: &RepoPath,
    text: &str,
    symbols: &[Symbol],
) -> BestPart {
    let spans = parts(text, symbols);
    let parts: Vec<Part<'_>> = spans
        .iter()
        .map(|(start, end, symbol)| Part {
            span: *start..*end,
            name: symbol.map_or("", |at| symbols[at].name.as_str()),
        })
        .collect();
    let evidence = Evidence {
        definitions: definitions(question, &path.display(), symbols),
        parts: part_scores(question, ranked, text, &parts),
        ..Evidence::default()
    };
    let shown = named_type(question, symbols).or_else(|| best_of(&evidence.parts, &spans));
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    let lines = shown.map(|(start, end, _)| {
        let first = line(start);
        first..=line(end.saturating_sub(1).max(start)).min(first + LONGEST_PART)
    });
    BestPart {
        evidence,
        lines,
        symbol: shown.and_then(|(_, _, symbol)| symbol),
    }
}

/// Returns the names that a file defines for others, and that say how much it is used.
pub fn names_for_others(symbols: &[Symbol]) -> Vec<&str> {
    let is_public = |one: &&Symbol| one.visibility == Visibility::Public;
    let is_name = |one: &&Symbol| one.name.len() >= LEAST_NAME;
    let public = symbols.iter().filter(is_public).filter(is_name);
    let mut public: Vec<&Symbol> = public
        .filter(|one| is_type(one.kind) || one.kind.is_function())
        .collect();
    public.sort_by_key(|one| (!is_type(one.kind), one.span.start));
    let names = public.iter().take(NAMES);
    names.map(|one| one.name.as_str()).collect()
}

/// A part of a text: where it begins and ends, and which symbol it is.
type Span = (usize, usize, Option<usize>);

/// The type that is all that a question names: it is asked for, and no method of it.
fn named_type(question: &Question, symbols: &[Symbol]) -> Option<Span> {
    let asked = question.names().iter().find(|name| name.is_all)?;
    let is_it = |one: &Symbol| is_type(one.kind) && one.name.eq_ignore_ascii_case(&asked.text);
    let at = symbols.iter().position(is_it)?;
    Some((symbols[at].lead, symbols[at].span.end, Some(at)))
}

/// The part that fits best, the first of several that are alike; none where none fits.
fn best_of(scores: &[f64], spans: &[Span]) -> Option<Span> {
    let scores = scores.iter().enumerate().rev();
    let (best, score) = scores.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (*score > 0.0).then(|| spans[best])
}

/// The lines that secrets begin in; hiding them moves no line.
pub fn lines_of(findings: &[Finding], text: &str) -> Vec<usize> {
    let line = |at: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
    findings.iter().map(|one| line(one.span.start)).collect()
}

/// What a file defines of the names that a question says.
fn definitions(question: &Question, path: &str, symbols: &[Symbol]) -> Vec<Definition> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = squeezed(file.split('.').next().unwrap_or(file));
    let mut found = Vec::new();
    for (name, asked) in question.names().iter().enumerate() {
        let is_it = |symbol: &&Symbol| match asked.is_all {
            true => symbol.name.eq_ignore_ascii_case(&asked.text),
            false => symbol.name == asked.text,
        };
        found.extend(symbols.iter().filter(is_it).map(|symbol| Definition {
            name,
            is_type: is_type(symbol.kind),
            lines: symbol.lines.last + 1 - symbol.lines.first,
            is_file: squeezed(&asked.text) == stem,
        }));
    }
    found
}

/// Whether it is what people ask for by name; an `impl` is not where a type is defined.
fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::{Impl, Module, Type};
    matches!(kind, Module | Type) || (kind.is_type() && kind != Impl)
}

/// The parts of a text: functions, small types, and what stands between them in pieces.
fn parts(text: &str, symbols: &[Symbol]) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut at = 0;
    for (number, symbol) in symbols.iter().enumerate() {
        let lines = symbol.lines.last + 1 - symbol.lines.first;
        let has_functions = symbols[number + 1..]
            .iter()
            .take_while(|next| next.span.start < symbol.span.end)
            .any(|next| next.kind.is_function());
        let is_part = symbol.kind.is_function() || (lines >= LEAST_LINES && !has_functions);
        if !is_part || symbol.span.start < at || symbol.span.end > text.len() {
            continue;
        }
        let start = symbol.lead.max(at).min(symbol.span.start);
        between(text, at, start, &mut parts);
        parts.push((start, symbol.span.end, Some(number)));
        at = symbol.span.end;
    }
    between(text, at, text.len(), &mut parts);
    parts.retain(|(start, end, _)| text.is_char_boundary(*start) && text.is_char_boundary(*end));
    parts
}

/// What stands between symbols, in pieces of so many lines.
fn between(text: &str, start: usize, end: usize, parts: &mut Vec<Span>) {
    let Some(inside) = text.get(start..end) else {
        return;
    };
    let ends = memchr::memchr_iter(b'\n', inside.as_bytes()).map(|at| start + at + 1);
    let mut at = start;
    for end in ends.skip(PIECE - 1).step_by(PIECE).chain([end]) {
        if at < end {
            parts.push((at, end, None));
            at = end;
        }
    }
}
