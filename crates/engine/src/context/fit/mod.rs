//! Fills a budget with parts: the best first while there is room, neighbours joined to
//! pieces, counted on what is written, and never more than the budget.

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

/// Tokens that a piece takes beside its text, about.
const FRAME: f64 = 22.0;
/// Rounds of choosing: each one corrects the estimate of the one before.
const ROUNDS: usize = 14;
/// A context that uses this much of its budget is full.
const FULL: f64 = 0.97;
/// A context that leaves more of its room has something cut.
const MUCH_LEFT: f64 = 0.15;
/// More tokens about what is not shown help nobody.
const MOST_REST: f64 = 1500.0;

/// A text as it may be shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// The version of the contents.
    pub hash: ContentHash,
    starts: Vec<usize>,
}

impl Shown {
    /// A text.
    pub fn new(text: String, hash: ContentHash) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, hash, starts }
    }

    /// Lines of it, counted from 1.
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

/// What is to be filled, and how.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// What the repository is called.
    pub name: String,
    /// The folder that is asked about, with `/` at its end: shown paths start there. Empty
    /// for all of it.
    pub below: String,
    /// At most so many tokens, of all that is written.
    pub budget: usize,
    /// The form.
    pub format: Format,
    /// What counts tokens.
    pub tokenizer: Tokenizer,
    /// What long documentation is worth against the code that it is about.
    pub doc: f64,
    /// Parts that must be there, whatever they take.
    pub required: Vec<u32>,
    /// Parts with a lower score are not taken.
    pub threshold: f64,
    /// At most so many parts.
    pub top: usize,
    /// How much of the budget tells about what is not shown.
    pub rest: f64,
    /// True if each piece tells its score and the reasons for it.
    pub tells_reasons: bool,
}

/// Lines of a file that are shown.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The file, in the corpus.
    pub file: u32,
    /// Its path.
    pub path: RepoPath,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// The tokens of its text.
    pub tokens: usize,
    /// The best score of its parts.
    pub score: f64,
    /// Its parts that were chosen, in the order of the text.
    pub parts: Vec<u32>,
    /// Why it is here: what its best part has, then what its file has.
    pub reasons: Vec<Reason>,
}

/// A context that fits.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What is shown, in the order of the text.
    pub pieces: Vec<Piece>,
    /// What is told about files that are not shown, or not as a whole.
    pub rest: Vec<Rest>,
    /// The context in its format, which takes at most the budget.
    pub context: Fits,
}

/// A context that may fit.
struct Draft {
    pieces: Vec<Piece>,
    rest: Vec<Rest>,
    text: String,
    tokens: usize,
}

/// Why nothing fits.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// The budget does not hold the head and what is required.
    #[error("the context takes {smallest} tokens at least, and the budget is {budget}")]
    BudgetTooSmall {
        /// The budget.
        budget: usize,
        /// What the smallest context takes.
        smallest: usize,
    },
}

/// Gives the texts of files.
type Texts<'a> = &'a dyn Fn(u32) -> Option<Arc<Shown>>;

/// Gives what files are about, in a line.
type Summaries<'a> = &'a dyn Fn(u32) -> Option<String>;

/// Fills the budget: with pieces, and with lines about what else there is.
///
/// # Errors
/// When the budget does not hold the head and what is required.
pub fn fit(
    selection: &Selection,
    corpus: &Corpus,
    options: &FitOptions,
    texts: &dyn Fn(u32) -> Option<Arc<Shown>>,
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
    /// As many pieces as so many tokens hold; more where what is required needs it.
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

    /// What fills so much room, counted on what is written.
    fn filled(&mut self, room: usize) -> Option<Written> {
        // The estimate can miss by a token for each piece: less is taken until it is right.
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

    /// The choices that fill so much room, as far as can be told without writing them.
    fn filling(&mut self, room: usize) -> Vec<Choice> {
        let target = room as f64 * 0.995;
        let (mut low, mut high) = (0.0_f64, f64::INFINITY);
        let mut tried_room = target;
        let (mut best, mut most) = (self.required(), 0);
        for _ in 0..ROUNDS {
            let chosen = self.choose(tried_room);
            let tokens = self.estimated(&chosen.parts);
            let is_fit = tokens <= room;
            // What the estimate missed is given back to the next round.
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

/// Pieces, and the choices that they were made of.
struct Written {
    fitted: Draft,
    choices: Vec<Choice>,
}
