//! Fills a budget with parts: by value for their tokens, neighbours joined to pieces,
//! counted on what is written, and never more than the budget.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_models::Tokenizer;
use thiserror::Error;

use super::corpus::Corpus;
use super::select::Selection;
use crate::{FileMeta, Format, Note, Overview, describe};

/// Bytes of a token, about: for the order in which parts are tried.
const BYTES: f64 = 3.6;
/// Tokens that a piece takes beside its text, about.
const FRAME: f64 = 22.0;
/// Fewer lines between two chosen parts are shown too: a frame takes more.
const GAP: u32 = 3;
/// Parts that did not fit, one after the other, before nothing more is tried.
const TRIES: usize = 60;
/// Rounds of choosing: each one corrects the estimate of the one before.
const ROUNDS: usize = 8;

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
        let at = |line: u32| self.starts.get(line as usize).copied().unwrap_or(self.text.len());
        let start = at(lines.start().saturating_sub(1));
        self.text.get(start..at(*lines.end()).max(start)).unwrap_or_default()
    }
}

/// What is to be filled, and how.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// What the repository is called.
    pub name: String,
    /// At most so many tokens, of all that is written.
    pub budget: usize,
    /// The form.
    pub format: Format,
    /// What counts tokens.
    pub tokenizer: Tokenizer,
    /// How much tokens count against a part.
    pub thrift: f64,
    /// Parts that must be there, whatever they take.
    pub required: Vec<u32>,
    /// Parts with a lower score are not taken.
    pub threshold: f64,
    /// At most so many parts.
    pub top: usize,
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
    /// Its parts that were chosen, the best first, by their place in the selection.
    pub parts: Vec<u32>,
}

/// A context that fits.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What is shown, in the order of the text.
    pub pieces: Vec<Piece>,
    /// The context in its format.
    pub text: String,
    /// Its tokens, at most the budget.
    pub tokens: usize,
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

/// Fills the budget.
///
/// # Errors
/// When the budget does not hold the head and what is required.
pub fn fit(selection: &Selection, corpus: &Corpus, options: &FitOptions, texts: &dyn Fn(u32) -> Option<Arc<Shown>>) -> Result<Fitted, FitError> {
    let mut fitting = Fitting {
        selection,
        corpus,
        options,
        texts,
        order: order(selection, corpus, options),
        counts: HashMap::new(),
    };
    let smallest = fitting.write(&options.required);
    if smallest.tokens > options.budget {
        return Err(FitError::BudgetTooSmall {
            budget: options.budget,
            smallest: smallest.tokens,
        });
    }
    let mut best = smallest;
    let mut room = options.budget as f64 * 0.995;
    for _ in 0..ROUNDS {
        let chosen = fitting.choose(room);
        let tried = fitting.write(&chosen.parts);
        let over = tried.tokens as f64 - options.budget as f64;
        let is_fit = over <= 0.0;
        if is_fit && tried.tokens >= best.tokens {
            best = tried;
        }
        let is_full = best.tokens as f64 >= options.budget as f64 * 0.97;
        if is_fit && (is_full || chosen.is_all) {
            break;
        }
        // What the estimate missed is given back, with a little more.
        room = match is_fit {
            true => room - over * 0.9,
            false => room - over - options.budget as f64 * 0.004,
        };
    }
    Ok(best)
}

struct Fitting<'a> {
    selection: &'a Selection,
    corpus: &'a Corpus,
    options: &'a FitOptions,
    texts: Texts<'a>,
    /// Parts by their place in the corpus, in the order of choice.
    order: Vec<u32>,
    counts: HashMap<u32, usize>,
}

struct Chosen {
    parts: Vec<u32>,
    is_all: bool,
}

fn order(selection: &Selection, corpus: &Corpus, options: &FitOptions) -> Vec<u32> {
    let value = |at: usize| {
        let one = &selection.parts[at];
        let bytes = f64::from(corpus.parts[one.number as usize].bytes);
        one.score / (bytes / BYTES + FRAME).powf(options.thrift)
    };
    let kept = (0..selection.parts.len()).filter(|at| selection.parts[*at].score >= options.threshold);
    let mut order: Vec<(f64, u32)> = kept.map(|at| (value(at), selection.parts[at].number)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, part)| part).take(options.top).collect()
}

impl Fitting<'_> {
    /// Takes parts while there is room.
    fn choose(&mut self, room: f64) -> Chosen {
        let mut parts = self.options.required.clone();
        let head = self.options.tokenizer.count(&self.head(&[])).upper() as f64;
        let mut used = head;
        let mut taken: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut all: Vec<u32> = parts.clone();
        all.extend(self.order.iter().copied());
        parts.clear();
        let mut missed = 0;
        let mut is_all = true;
        for (at, part) in all.iter().enumerate() {
            let one = self.corpus.parts[*part as usize];
            let beside = taken.entry(one.file).or_default();
            if beside.contains(part) {
                continue;
            }
            let is_next = beside.iter().any(|other| other.abs_diff(*part) == 1);
            let frame = if is_next { 0.0 } else { FRAME };
            let about = f64::from(one.bytes) / BYTES;
            let is_required = at < self.options.required.len();
            if !is_required && used + about * 0.6 + frame > room {
                is_all = false;
                missed += 1;
                if missed > TRIES || room - used < 40.0 {
                    break;
                }
                continue;
            }
            let tokens = self.count(*part) as f64;
            if !is_required && used + tokens + frame > room {
                is_all = false;
                missed += 1;
                if missed > TRIES {
                    break;
                }
                continue;
            }
            missed = 0;
            used += tokens + frame;
            taken.entry(one.file).or_default().push(*part);
            parts.push(*part);
        }
        Chosen { parts, is_all }
    }

    fn count(&mut self, part: u32) -> usize {
        if let Some(known) = self.counts.get(&part) {
            return *known;
        }
        let one = self.corpus.parts[part as usize];
        let text = (self.texts)(one.file);
        let tokens = text.map_or(0, |shown| self.options.tokenizer.count(shown.lines(one.first..=one.last)).upper());
        self.counts.insert(part, tokens);
        tokens
    }

    /// Joins neighbours, and orders pieces by the rank of their files.
    fn pieces(&self, parts: &[u32]) -> Vec<Piece> {
        let mut by_file: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for part in parts {
            by_file.entry(self.corpus.parts[*part as usize].file).or_default().push(*part);
        }
        let scores: HashMap<u32, f64> = self.selection.parts.iter().map(|one| (one.number, one.score)).collect();
        let ranks: HashMap<u32, usize> = self.selection.files.iter().enumerate().map(|(at, one)| (one.number, at)).collect();
        let mut files: Vec<(u32, Vec<u32>)> = by_file.into_iter().collect();
        files.sort_by_key(|(file, _)| (ranks.get(file).copied().unwrap_or(usize::MAX), *file));
        let mut pieces: Vec<Piece> = Vec::new();
        for (file, mut parts) in files {
            parts.sort_unstable();
            let start = pieces.len();
            for number in parts {
                let part = self.corpus.parts[number as usize];
                let score = scores.get(&number).copied().unwrap_or(0.0);
                match pieces[start..].last_mut() {
                    Some(before) if part.first <= before.last + 1 + GAP => {
                        before.last = part.last;
                        before.score = before.score.max(score);
                        before.parts.push(number);
                    }
                    _ => pieces.push(Piece {
                        file,
                        path: self.corpus.files[file as usize].path.clone(),
                        first: part.first,
                        last: part.last,
                        tokens: 0,
                        score,
                        parts: vec![number],
                    }),
                }
            }
        }
        pieces
    }

    fn write(&self, parts: &[u32]) -> Fitted {
        let mut pieces = self.pieces(parts);
        let mut metas: Vec<(FileMeta, Arc<Shown>)> = Vec::new();
        pieces.retain_mut(|piece| {
            let Some(shown) = (self.texts)(piece.file) else {
                return false;
            };
            let text = shown.lines(piece.first..=piece.last);
            let mut meta = describe(piece.path.clone(), text, shown.hash, self.options.tokenizer);
            meta.language = self.corpus.files[piece.file as usize].language;
            meta.first_line = piece.first as usize;
            let total = shown.starts.len();
            if piece.first > 1 || (piece.last as usize) < total {
                meta.notes.push(Note::Lines {
                    first: piece.first as usize,
                    last: (piece.last as usize).min(total),
                    total,
                });
            }
            piece.tokens = meta.upper;
            metas.push((meta, shown));
            true
        });
        let only: Vec<FileMeta> = metas.iter().map(|(meta, _)| meta.clone()).collect();
        let mut text = self.head(&only);
        let renderer = self.options.format.renderer();
        for (at, (piece, (meta, shown))) in pieces.iter().zip(&metas).enumerate() {
            let lines = shown.lines(piece.first..=piece.last);
            renderer.file(meta, lines, at).push_to(&mut text);
        }
        renderer.tail(&mut text);
        let tokens = self.options.tokenizer.count(&text).upper();
        Fitted { pieces, text, tokens }
    }

    fn head(&self, files: &[FileMeta]) -> String {
        let overview = Overview::new(&self.options.name, self.options.tokenizer, files, Vec::new());
        let mut head = String::new();
        self.options.format.renderer().head(&overview, &mut head);
        head
    }
}
