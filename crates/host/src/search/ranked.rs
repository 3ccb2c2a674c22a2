//! Answers a question with the files that fit it best, each with the part of it that
//! does.

use loom_search::{Live, Part, Question, Ranked, Ranking, Scored, Weights, best_part, rank};
use loom_syntax::{Limits, Symbol, extract};

use super::searcher::{Known, Searcher};
use crate::RepoPath;

/// So many files of the order are read to find the part that fits.
const READ: usize = 40;
/// A type or constant with fewer lines is shown with what stands around it.
const LEAST_LINES: usize = 4;
/// Lines of text without symbols that make a part.
const PIECE: usize = 60;
/// A part is never longer: what is shown has an end.
const LONGEST_PART: usize = 120;

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
}

impl Searcher<'_> {
    /// The files that answer `question` best. Files that the index does not know are
    /// left out: open with [`IndexUse::Update`](super::IndexUse).
    pub fn rank(&self, question: &str, options: &RankOptions) -> Vec<RankedHit> {
        let question = Question::new(question);
        let (mut live, mut numbers) = (Vec::new(), Vec::new());
        let shown: Vec<_> = self.files.iter().map(|file| file.path.display()).collect();
        for (number, known) in self.known.iter().enumerate() {
            if let Known::Indexed(place) = *known {
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
        let mut hits = self.with_parts(&question, &ranked, &numbers, options);
        hits.truncate(options.limit);
        hits
    }

    fn with_parts(
        &self,
        question: &Question,
        ranked: &Ranked,
        numbers: &[usize],
        options: &RankOptions,
    ) -> Vec<RankedHit> {
        let most = ranked.files.first().map_or(1.0, |first| first.score);
        let wanted = options.limit.max(READ).min(ranked.files.len());
        let mut hits: Vec<(RankedHit, f64)> = ranked.files[..wanted]
            .iter()
            .map(|scored| self.hit(question, ranked, scored, numbers[scored.file]))
            .collect();
        if options.ranking != Ranking::CodeAware {
            return hits.into_iter().map(|(hit, _)| hit).collect();
        }
        let best = hits.iter().map(|(_, part)| *part).fold(1e-9, f64::max);
        for (hit, part) in &mut hits {
            // The file's own standing holds for its parts too.
            let share = hit.score / most;
            hit.score = share * (1.0 - options.part) + options.part * share.sqrt() * *part / best;
        }
        hits.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        hits.into_iter().map(|(hit, _)| hit).collect()
    }

    /// A file with its best part, and the score of that.
    fn hit(
        &self,
        question: &Question,
        ranked: &Ranked,
        scored: &Scored,
        number: usize,
    ) -> (RankedHit, f64) {
        let found = &self.files[number];
        let mut hit = RankedHit {
            path: found.path.clone(),
            score: scored.score,
            start_line: 1,
            end_line: 1,
            symbol: None,
        };
        let Some(file) = self.packer.search_text(found) else {
            return (hit, 0.0);
        };
        let symbols = match file.language {
            Some(language) => extract(language, &file.text, &Limits::default()).symbols,
            None => Vec::new(),
        };
        let spans = parts(&file.text, &symbols);
        let parts: Vec<Part<'_>> = spans
            .iter()
            .map(|(start, end, symbol)| Part {
                span: *start..*end,
                name: symbol.map_or("", |at| symbols[at].name.as_str()),
            })
            .collect();
        let Some(best) = best_part(question, ranked, &file.text, &parts) else {
            return (hit, 0.0);
        };
        let (start, end, symbol) = spans[best.part];
        let line = |at: usize| 1 + file.text[..at].matches('\n').count();
        hit.start_line = line(start);
        hit.end_line = line(end.saturating_sub(1).max(start)).min(hit.start_line + LONGEST_PART);
        hit.symbol = symbol.map(|at| symbols[at].qualified.clone());
        (hit, best.score)
    }
}

/// The parts of a text: functions, small types, and what stands between them in pieces.
fn parts(text: &str, symbols: &[Symbol]) -> Vec<(usize, usize, Option<usize>)> {
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
fn between(text: &str, start: usize, end: usize, parts: &mut Vec<(usize, usize, Option<usize>)>) {
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
