//! Fills a budget with parts: by value for their tokens, neighbours joined to pieces,
//! counted on what is written, and never more than the budget.

use std::collections::{BTreeMap, HashMap, HashSet};
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
const ROUNDS: usize = 14;
/// A context that uses this much of its budget is full.
const FULL: f64 = 0.97;

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
pub fn fit(
    selection: &Selection,
    corpus: &Corpus,
    options: &FitOptions,
    texts: &dyn Fn(u32) -> Option<Arc<Shown>>,
) -> Result<Fitted, FitError> {
    let mut fitting = Fitting {
        selection,
        corpus,
        options,
        texts,
        order: order(selection, corpus, options),
        counts: HashMap::new(),
    };
    let smallest = fitting.write(&fitting.required());
    if smallest.tokens > options.budget {
        return Err(FitError::BudgetTooSmall {
            budget: options.budget,
            smallest: smallest.tokens,
        });
    }
    let mut best = smallest;
    let target = options.budget as f64 * 0.995;
    let (mut low, mut high) = (0.0_f64, f64::INFINITY);
    let mut room = target;
    for _ in 0..ROUNDS {
        let chosen = fitting.choose(room);
        let tried = fitting.write(&chosen.parts);
        let is_fit = tried.tokens <= options.budget;
        // What the estimate missed is given back to the next round.
        let guess = chosen.used * target / tried.tokens.max(1) as f64;
        match is_fit {
            true => low = low.max(room),
            false => high = high.min(room),
        }
        if is_fit && tried.tokens >= best.tokens {
            best = tried;
        }
        let is_full = best.tokens as f64 >= options.budget as f64 * FULL;
        if is_full || (is_fit && chosen.is_all) || high - low < 1.0 {
            break;
        }
        room = match high.is_finite() {
            true if guess <= low || guess >= high => f64::midpoint(low, high),
            _ => guess.max(low * 1.02 + 8.0),
        };
    }
    Ok(best)
}

struct Fitting<'a> {
    selection: &'a Selection,
    corpus: &'a Corpus,
    options: &'a FitOptions,
    texts: Texts<'a>,
    /// What can be chosen, in the order of choice.
    order: Vec<Choice>,
    counts: HashMap<Choice, usize>,
}

/// A part without its long documentation, or that documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Choice {
    part: u32,
    is_doc: bool,
}

struct Chosen {
    parts: Vec<Choice>,
    is_all: bool,
    /// The tokens that this is taken to have.
    used: f64,
}

fn order(selection: &Selection, corpus: &Corpus, options: &FitOptions) -> Vec<Choice> {
    let mut order: Vec<(f64, Choice)> = Vec::new();
    let kept = selection
        .parts
        .iter()
        .filter(|part| part.score >= options.threshold);
    for one in kept.take(options.top) {
        let part = one.number;
        order.push((
            one.score,
            Choice {
                part,
                is_doc: false,
            },
        ));
        if !corpus.parts[part as usize].doc.is_empty() {
            order.push((one.score * options.doc, Choice { part, is_doc: true }));
        }
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, choice)| choice).collect()
}

impl Fitting<'_> {
    /// What must be there.
    fn required(&self) -> Vec<Choice> {
        let both = |part: &u32| {
            [false, true].map(|is_doc| Choice {
                part: *part,
                is_doc,
            })
        };
        self.options.required.iter().flat_map(both).collect()
    }

    /// Takes parts while there is room.
    fn choose(&mut self, room: f64) -> Chosen {
        let mut used = self.options.tokenizer.count(&self.head(&[])).upper() as f64;
        let required = self.required();
        let mut chosen = Chosen {
            parts: Vec::new(),
            is_all: true,
            used: 0.0,
        };
        let mut taken: HashSet<Choice> = HashSet::new();
        let mut missed = 0;
        let all: Vec<Choice> = required.iter().chain(&self.order).copied().collect();
        for (at, choice) in all.into_iter().enumerate() {
            if taken.contains(&choice) {
                continue;
            }
            let has = |part: u32| {
                taken.contains(&Choice {
                    part,
                    is_doc: false,
                })
            };
            let is_next = has(choice.part.wrapping_sub(1)) || has(choice.part + 1);
            let frame = if is_next || choice.is_doc { 0.0 } else { FRAME };
            let is_required = at < required.len();
            let least = self.bytes(choice) / BYTES * 0.6 + frame;
            let is_room = |tokens: f64| is_required || used + tokens <= room;
            let tokens = match is_room(least) {
                true => self.count(choice) as f64 + frame,
                false => f64::INFINITY,
            };
            if is_room(tokens) {
                missed = 0;
                used += tokens;
                taken.insert(choice);
                chosen.parts.push(choice);
                continue;
            }
            chosen.is_all = false;
            missed += 1;
            if missed > TRIES {
                break;
            }
        }
        chosen.used = used;
        chosen
    }

    /// The lines of a choice: of a part with documentation, those before and behind it.
    fn lines(&self, choice: Choice) -> [(u32, u32); 2] {
        let part = &self.corpus.parts[choice.part as usize];
        match (part.doc.is_empty(), choice.is_doc) {
            (true, true) => [(1, 0), (1, 0)],
            (true, false) => [(part.first, part.last), (1, 0)],
            (false, true) => [(part.doc.first, part.doc.last), (1, 0)],
            (false, false) => [
                (part.first, part.doc.first - 1),
                (part.doc.last + 1, part.last),
            ],
        }
    }

    fn bytes(&self, choice: Choice) -> f64 {
        let part = &self.corpus.parts[choice.part as usize];
        f64::from(match choice.is_doc {
            true => part.doc.bytes,
            false => part.bytes - part.doc.bytes,
        })
    }

    fn count(&mut self, choice: Choice) -> usize {
        if let Some(known) = self.counts.get(&choice) {
            return *known;
        }
        let text = (self.texts)(self.corpus.parts[choice.part as usize].file);
        let mut tokens = 0;
        if let Some(shown) = text {
            for (first, last) in self.lines(choice) {
                if first <= last {
                    tokens += self
                        .options
                        .tokenizer
                        .count(shown.lines(first..=last))
                        .upper();
                }
            }
        }
        self.counts.insert(choice, tokens);
        tokens
    }

    /// Joins neighbours, and orders pieces by the rank of their files.
    fn pieces(&self, choices: &[Choice]) -> Vec<Piece> {
        let mut by_file: BTreeMap<u32, Vec<(u32, u32, u32)>> = BTreeMap::new();
        for choice in choices {
            let file = self.corpus.parts[choice.part as usize].file;
            let lines = self
                .lines(*choice)
                .into_iter()
                .filter(|(first, last)| first <= last);
            let lines = lines.map(|(first, last)| (first, last, choice.part));
            by_file.entry(file).or_default().extend(lines);
        }
        let scores: HashMap<u32, f64> = self
            .selection
            .parts
            .iter()
            .map(|one| (one.number, one.score))
            .collect();
        let ranks: HashMap<u32, usize> = self
            .selection
            .files
            .iter()
            .enumerate()
            .map(|(at, one)| (one.number, at))
            .collect();
        let mut files: Vec<(u32, Vec<_>)> = by_file.into_iter().collect();
        files.sort_by_key(|(file, _)| (ranks.get(file).copied().unwrap_or(usize::MAX), *file));
        let mut pieces: Vec<Piece> = Vec::new();
        for (file, mut ranges) in files {
            ranges.sort_unstable();
            let start = pieces.len();
            for (first, last, number) in ranges {
                let score = scores.get(&number).copied().unwrap_or(0.0);
                match pieces[start..].last_mut() {
                    Some(before) if first <= before.last + 1 + GAP => {
                        before.last = before.last.max(last);
                        before.score = before.score.max(score);
                        before.parts.push(number);
                    }
                    _ => pieces.push(Piece {
                        file,
                        path: self.corpus.files[file as usize].path.clone(),
                        first,
                        last,
                        tokens: 0,
                        score,
                        parts: vec![number],
                    }),
                }
            }
        }
        pieces
    }

    fn write(&self, choices: &[Choice]) -> Fitted {
        let mut pieces = self.pieces(choices);
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
        Fitted {
            pieces,
            text,
            tokens,
        }
    }

    fn head(&self, files: &[FileMeta]) -> String {
        let overview = Overview::new(
            &self.options.name,
            self.options.tokenizer,
            files,
            Vec::new(),
        );
        let mut head = String::new();
        self.options.format.renderer().head(&overview, &mut head);
        head
    }
}
