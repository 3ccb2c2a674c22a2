//! Finds the part of a file that answers a question best.

use std::ops::RangeInclusive;

use loom_base::RepoPath;
use loom_search::{
    Definition, Evidence, Part, Question, Ranked, Ranking, Weights, part_scores, squeezed,
};
use loom_secrets::Finding;
use loom_syntax::{Symbol, SymbolKind, Visibility};

/// Minimum number of lines of a part for a type or constant. Shorter ones belong to the text around
/// them.
const LEAST_LINES: usize = 4;
/// Number of lines per part in text between symbols.
const PIECE: usize = 60;
/// Maximum number of lines of a part, so that the displayed part stays short.
const LONGEST_PART: usize = 120;

/// Maximum number of names that measure the use of a file. A name needs at least [`LEAST_NAME`]
/// letters: shorter ones, such as `get` or `new`, are in files of every topic.
const NAMES: usize = 2;
const LEAST_NAME: usize = 5;

/// Options for answering a question.
#[derive(Clone, Copy, Debug)]
pub struct RankOptions {
    /// The ranking method.
    pub ranking: Ranking,
    /// Weights of the signals of the code-aware ranking.
    pub weights: Weights,
    /// Weight of the best part of a file against the file as a whole.
    pub part: f64,
    /// Maximum number of files.
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

/// A file in the answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedHit {
    /// Its path.
    pub path: RepoPath,
    /// Its score; higher is better.
    pub score: f64,
    /// First line of the best part, counted from 1.
    pub start_line: usize,
    /// Last line of the part.
    pub end_line: usize,
    /// Qualified name of the symbol, if the part is one.
    pub symbol: Option<String>,
    /// True if the part contains a secret, hidden or not.
    pub has_secret: bool,
}

/// The best part of a file for a question, and the evidence of the whole file.
#[derive(Debug)]
pub struct BestPart {
    /// The evidence for its score.
    pub evidence: Evidence,
    /// Lines of the best part, if any part matches.
    pub lines: Option<RangeInclusive<usize>>,
    /// Index of its symbol, if the part is one.
    pub symbol: Option<usize>,
}

/// Finds the part of a text that answers the question best.
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

/// Returns the public names of a file whose references show how much the file is used.
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

/// A part of a text: its start, its end, and the index of its symbol.
type Span = (usize, usize, Option<usize>);

/// Returns the type that the question names, if the question is only a name. It then asks for the
/// type, and not for one of its methods.
fn named_type(question: &Question, symbols: &[Symbol]) -> Option<Span> {
    let asked = question.names().iter().find(|name| name.is_all)?;
    let is_it = |one: &Symbol| is_type(one.kind) && one.name.eq_ignore_ascii_case(&asked.text);
    let at = symbols.iter().position(is_it)?;
    Some((symbols[at].lead, symbols[at].span.end, Some(at)))
}

/// Returns the part with the highest score, the first one among equals. Returns `None` if no score
/// is positive.
fn best_of(scores: &[f64], spans: &[Span]) -> Option<Span> {
    let scores = scores.iter().enumerate().rev();
    let (best, score) = scores.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (*score > 0.0).then(|| spans[best])
}

/// Returns the lines in which secrets begin. Redaction does not move lines.
pub fn lines_of(findings: &[Finding], text: &str) -> Vec<usize> {
    let line = |at: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
    findings.iter().map(|one| line(one.span.start)).collect()
}

/// Returns the definitions in a file of names in the question.
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

/// Returns true if users ask for symbols of this kind by name. An `impl` does not define a type.
fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::{Impl, Module, Type};
    matches!(kind, Module | Type) || (kind.is_type() && kind != Impl)
}

/// Splits a text into functions, small types, and pieces of the text between them.
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

/// Splits the text between symbols into parts of [`PIECE`] lines.
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
