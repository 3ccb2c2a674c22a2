//! Fills a budget with parts: selects the best ones while it lasts, joins neighbours to pieces, and
//! counts the written text, which never exceeds the budget.

mod choose;
mod rest;
mod write;

use std::ops::RangeInclusive;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_models::{Fits, Tokenizer};
use thiserror::Error;

use super::corpus::Corpus;
use super::reasons::Reason;
use super::select::Selection;
use crate::Format;
use choose::{Choice, Fitting};
pub use rest::Rest;

/// Approximate tokens of a piece in addition to its text.
const FRAME: f64 = 22.0;
/// Maximum rounds of selection: each corrects the estimate of the one before.
const ROUNDS: usize = 14;
/// A context that uses this share of its budget is full.
const FULL: f64 = 0.97;
/// If a larger share of the budget is left, a part is truncated to fill it.
const MUCH_LEFT: f64 = 0.15;
/// More tokens of summaries are not useful.
const MOST_REST: f64 = 1500.0;

/// A redacted text with line starts.
#[derive(Clone, Debug)]
pub struct DisplayText {
    /// The redacted text.
    pub text: String,
    /// Hash of the contents.
    pub hash: ContentHash,
    starts: Vec<usize>,
}

impl DisplayText {
    /// Indexes the lines of a text.
    pub fn new(text: String, hash: ContentHash) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, hash, starts }
    }

    /// Returns a range of lines, counted from 1.
    pub fn lines(&self, lines: RangeInclusive<u32>) -> &str {
        let at = |line: u32| {
            self.starts
                .get(line as usize)
                .copied()
                .unwrap_or(self.text.len())
        };
        let start = at(lines.start().saturating_sub(1));
        self.text
            .get(start..at(*lines.end()).max(start))
            .unwrap_or_default()
    }
}

/// Options of a context.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Name of the repository.
    pub name: String,
    /// Directory of the query, with a trailing `/`: shown paths are relative to it. Empty for the
    /// root.
    pub below: String,
    /// Maximum tokens of the whole output.
    pub budget: usize,
    /// Output format.
    pub format: Format,
    /// Tokenizer that counts.
    pub tokenizer: Tokenizer,
    /// Weight of long documentation, relative to its code.
    pub doc: f64,
    /// Required parts, independent of their size.
    pub required: Vec<u32>,
    /// Minimum score of a selected part.
    pub threshold: f64,
    /// Maximum number of parts.
    pub top: usize,
    /// Share of the budget for summaries of files that are not shown.
    pub rest: f64,
    /// True if each piece has its score and reasons.
    pub tells_reasons: bool,
}

/// Selected lines of a file.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Index of the file in the corpus.
    pub file: u32,
    /// Path of the file.
    pub path: RepoPath,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Tokens of its text.
    pub tokens: usize,
    /// Best score of its parts.
    pub score: f64,
    /// Selected parts, in the order of the text.
    pub parts: Vec<u32>,
    /// Reasons for its selection: those of its best part, then those of its file.
    pub reasons: Vec<Reason>,
}

/// A context within its budget.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Pieces in the order of the output.
    pub pieces: Vec<Piece>,
    /// Summaries of files that are not shown, or not completely.
    pub rest: Vec<Rest>,
    /// The formatted context, which is within the budget.
    pub context: Fits,
}

/// A context that may exceed its budget.
struct Draft {
    pieces: Vec<Piece>,
    rest: Vec<Rest>,
    text: String,
    tokens: usize,
}

/// Reason why nothing fits.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// The budget is too small for the header and the required parts.
    #[error("the smallest context needs {smallest} tokens; the budget is {budget}")]
    BudgetTooSmall {
        /// The budget.
        budget: usize,
        /// Tokens of the smallest possible context.
        smallest: usize,
    },
}

/// Returns the text of a file.
type Texts<'a> = &'a dyn Fn(u32) -> Option<Arc<DisplayText>>;

/// Returns the one-line summary of a file.
type Summaries<'a> = &'a dyn Fn(u32) -> Option<String>;

/// Fills the budget with pieces, and with summaries of other files.
///
/// # Errors
/// If the budget is too small for the header and the required parts.
pub fn fit(
    selection: &Selection,
    corpus: &Corpus,
    options: &FitOptions,
    texts: &dyn Fn(u32) -> Option<Arc<DisplayText>>,
    summaries: &dyn Fn(u32) -> Option<String>,
) -> Result<Fitted, FitError> {
    let mut fitting = Fitting::new(selection, corpus, options, texts);
    let kept = (options.budget as f64 * options.rest).min(MOST_REST) as usize;
    let pieces = fitting.pieces_within(options.budget - kept)?;
    let draft = fitting.with_rest(pieces, summaries);
    let context = Fits::check(draft.text, options.tokenizer, options.budget);
    let context = context.map_err(|error| FitError::BudgetTooSmall {
        budget: error.budget,
        smallest: error.tokens,
    })?;
    Ok(Fitted {
        pieces: draft.pieces,
        rest: draft.rest,
        context,
    })
}

impl Fitting<'_> {
    /// Selects as many pieces as fit into `room` tokens; more if the required parts need it.
    fn pieces_within(&mut self, room: usize) -> Result<Written, FitError> {
        let required = self.required();
        let smallest = self.write(&required, &[]);
        if smallest.tokens > self.options.budget {
            return Err(FitError::BudgetTooSmall {
                budget: self.options.budget,
                smallest: smallest.tokens,
            });
        }
        let mut best = Written {
            fitted: smallest,
            choices: required,
        };
        self.cut_the_best(room);
        if let Some(filled) = self.filled(room) {
            best = filled;
        }
        let left = room.saturating_sub(best.fitted.tokens);
        if left as f64 > room as f64 * MUCH_LEFT
            && self.begin_another(&best.choices, left)
            && let Some(filled) = self.filled(room)
        {
            best = filled;
        }
        Ok(best)
    }

    /// Selects pieces that fill `room` tokens, counted in the written text.
    fn filled(&mut self, room: usize) -> Option<Written> {
        // The estimate can be off by a token per piece: the target shrinks until the text fits.
        let mut target = room;
        for _ in 0..ROUNDS {
            let choices = self.filling(target);
            let fitted = self.write(&choices, &[]);
            let over = fitted.tokens.saturating_sub(room);
            if over == 0 {
                return Some(Written { fitted, choices });
            }
            target = target.saturating_sub(2 * over + target / 1000);
        }
        None
    }

    /// Selects choices that fill an estimated `room` tokens.
    fn filling(&mut self, room: usize) -> Vec<Choice> {
        let target = room as f64 * 0.995;
        let (mut low, mut high) = (0.0_f64, f64::INFINITY);
        let mut tried_room = target;
        let (mut best, mut most) = (self.required(), 0);
        for _ in 0..ROUNDS {
            let chosen = self.choose(tried_room);
            let tokens = self.estimated(&chosen.parts);
            let is_fit = tokens <= room;
            // The next round corrects the target by the error of the estimate.
            let guess = chosen.used * target / tokens.max(1) as f64;
            match is_fit {
                true => low = low.max(tried_room),
                false => high = high.min(tried_room),
            }
            if is_fit && tokens >= most {
                (best, most) = (chosen.parts, tokens);
            }
            let is_full = most as f64 >= room as f64 * FULL;
            if is_full || (is_fit && chosen.is_all) || high - low < 1.0 {
                break;
            }
            tried_room = match high.is_finite() {
                true if guess <= low || guess >= high => f64::midpoint(low, high),
                _ => guess.max(low * 1.02 + 8.0),
            };
        }
        best
    }
}

/// Pieces, and the choices that they consist of.
struct Written {
    fitted: Draft,
    choices: Vec<Choice>,
}
