//! Answers a question with the files that fit it best, each with the part of it that
//! does.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::ContentHash;
use loom_search::{
    Definition, Evidence, Live, Part, Question, Ranked, Ranking, Scored, Weights, blend,
    part_scores, rank, squeezed,
};
use loom_secrets::Finding;
use loom_syntax::{Language, Symbol, SymbolKind, Visibility};

use super::searcher::{AHEAD, Keep, Known, Searcher};
use crate::ordered::ordered;
use crate::{Cancel, PackError, RepoPath};

/// So many files of the order are read to find the part that fits.
const READ: usize = 40;
/// A type or constant with fewer lines is shown with what stands around it.
const LEAST_LINES: usize = 4;
/// Lines of text without symbols that make a part.
const PIECE: usize = 60;
/// A part is never longer: what is shown has an end.
const LONGEST_PART: usize = 120;

/// Of so many files it is asked who names what they define: so many names, of so many
/// letters or more.
const WEIGHED: usize = 20;
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

impl Searcher {
    /// The files that answer `question` best. Files that the index does not know are
    /// left out: open with [`IndexUse::Update`](super::IndexUse).
    pub fn rank(&self, question: &str, options: &RankOptions) -> Vec<RankedHit> {
        let ranked = self.rank_among(question, options, |_| true, &Cancel::new());
        ranked.unwrap_or_default()
    }

    /// The same, of the files whose path `is_wanted`.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn rank_among(
        &self,
        question: &str,
        options: &RankOptions,
        is_wanted: impl Fn(&RepoPath) -> bool,
        cancel: &Cancel,
    ) -> Result<Vec<RankedHit>, PackError> {
        let question = Question::new(question);
        let (mut live, mut numbers) = (Vec::new(), Vec::new());
        let shown: Vec<_> = self.files.iter().map(|file| file.path.display()).collect();
        for (number, known) in self.known.iter().enumerate() {
            if let Known::Indexed(place) = *known
                && is_wanted(&self.files[number].path)
            {
                live.push(Live {
                    path: &shown[number],
                    segment: place.segment as usize,
                    content: place.content as usize,
                });
                numbers.push(number);
            }
        }
        let segments: Vec<_> = self.index.segments().collect();
        // A damaged index is found and made again when it is opened next.
        let ranked = rank(
            &question,
            &segments,
            &live,
            options.ranking,
            &options.weights,
        );
        let ranked = ranked.unwrap_or_default();
        let mut hits = self.with_parts(&question, &ranked, &numbers, options, cancel);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        hits.truncate(options.limit);
        Ok(hits)
    }

    fn with_parts(
        &self,
        question: &Question,
        ranked: &Ranked,
        numbers: &[usize],
        options: &RankOptions,
        cancel: &Cancel,
    ) -> Vec<RankedHit> {
        let wanted = self.to_read(question, ranked, numbers, options);
        let mut read: Vec<(RankedHit, Evidence)> = Vec::with_capacity(wanted.len());
        let work = |at: usize| {
            let scored = &ranked.files[wanted[at]];
            let number = numbers[scored.file];
            let (hit, symbols, mut evidence) = self.hit(question, ranked, scored, number);
            evidence.rank = wanted[at];
            if at < WEIGHED {
                evidence.importance = self.importance(&symbols);
            }
            (hit, evidence)
        };
        let threads = self.packer.options.thread_count();
        ordered(
            wanted.len(),
            threads,
            AHEAD,
            |_| 1,
            work,
            |_, one| {
                read.push(one);
                match cancel.is_cancelled() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        let (mut hits, evidence): (Vec<RankedHit>, Vec<Evidence>) = read.into_iter().unzip();
        if options.ranking != Ranking::CodeAware {
            return hits;
        }
        let scores = blend(question, ranked, &evidence, options.part);
        for (hit, score) in hits.iter_mut().zip(scores) {
            hit.score = score;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits
    }

    /// The first of the order, and those that define what the question names, by their
    /// places in the order.
    fn to_read(
        &self,
        question: &Question,
        ranked: &Ranked,
        numbers: &[usize],
        options: &RankOptions,
    ) -> Vec<usize> {
        let first = options.limit.max(READ).min(ranked.files.len());
        let mut wanted: Vec<usize> = (0..first).collect();
        if options.ranking != Ranking::CodeAware || first == ranked.files.len() {
            return wanted;
        }
        let names = question.names().iter();
        let defining: HashSet<usize> = names.flat_map(|name| self.defining(&name.text)).collect();
        let rest = (first..ranked.files.len())
            .filter(|rank| defining.contains(&numbers[ranked.files[*rank].file]));
        wanted.extend(rest.take(READ));
        wanted
    }

    /// A file with its best part, and what else it says about the question.
    fn hit(
        &self,
        question: &Question,
        ranked: &Ranked,
        scored: &Scored,
        number: usize,
    ) -> (RankedHit, Arc<[Symbol]>, Evidence) {
        let found = &self.files[number];
        let mut hit = RankedHit {
            path: found.path.clone(),
            score: scored.score,
            start_line: 1,
            end_line: 1,
            symbol: None,
            has_secret: false,
        };
        let mut evidence = Evidence::default();
        let Some(file) = self.text(number, Keep::Yes) else {
            return (hit, Arc::default(), evidence);
        };
        let findings = self.findings(number, &file);
        let secrets = lines_of(&findings, &file.text);
        // The order tells nothing of what is not shown.
        let file = self.without(&findings, file);
        let symbols = self.symbols_of(number, &file.text, &findings);
        let spans = parts(&file.text, &symbols);
        let parts: Vec<Part<'_>> = spans
            .iter()
            .map(|(start, end, symbol)| Part {
                span: *start..*end,
                name: symbol.map_or("", |at| symbols[at].name.as_str()),
            })
            .collect();
        evidence.definitions = definitions(question, &found.path.display(), &symbols);
        evidence.parts = part_scores(question, ranked, &file.text, &parts);
        let shown = named_type(question, &symbols).or_else(|| best_of(&evidence.parts, &spans));
        if let Some((start, end, symbol)) = shown {
            let line = |at: usize| 1 + file.text[..at].matches('\n').count();
            hit.start_line = line(start);
            hit.end_line =
                line(end.saturating_sub(1).max(start)).min(hit.start_line + LONGEST_PART);
            hit.symbol = symbol.map(|at| symbols[at].qualified.clone());
        }
        let shown = hit.start_line..=hit.end_line;
        hit.has_secret = secrets.iter().any(|line| shown.contains(line));
        (hit, symbols, evidence)
    }

    /// The symbols of a text as it is shown; those of one without secrets are kept.
    fn symbols_of(&self, number: usize, text: &str, findings: &[Finding]) -> Arc<[Symbol]> {
        let Some(language) = Language::detect(&self.files[number].path, text) else {
            return Arc::default();
        };
        let packer = &self.packer;
        let make = || {
            let limits = packer.options.parse_limits();
            packer.extract(language, text, &limits).symbols
        };
        match findings.is_empty() {
            true => {
                let hash = ContentHash::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
                self.symbols.get((hash, language.id()), make)
            }
            false => make().into(),
        }
    }

    /// How many files name what a file defines for others, on a scale of its own.
    fn importance(&self, symbols: &[Symbol]) -> f64 {
        let is_told = |one: &&Symbol| one.visibility == Visibility::Public;
        let is_name = |one: &&Symbol| one.name.len() >= LEAST_NAME;
        let told = symbols.iter().filter(is_told).filter(is_name);
        let mut told: Vec<&Symbol> = told
            .filter(|one| is_type(one.kind) || one.kind.is_function())
            .collect();
        told.sort_by_key(|one| (!is_type(one.kind), one.span.start));
        let files = told
            .iter()
            .take(NAMES)
            .map(|one| self.naming(&one.name).len());
        let most = files.max().unwrap_or(0);
        (1.0 + most as f64).ln() / (2.0 + self.files.len() as f64).ln()
    }
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
pub(crate) fn lines_of(findings: &[Finding], text: &str) -> Vec<usize> {
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
