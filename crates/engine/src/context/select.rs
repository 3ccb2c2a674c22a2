//! Ranks files and parts for a query, with reasons.

use loom_program::DefinitionId;

use super::corpus::{Corpus, CorpusFile};
use super::evidence::{self, Evidence, WordsFound};
use super::lexical::{self, Lexical};
use super::past::{self, Past};
use super::query::{ParsedQuery, QueryWord};
use super::signals::{SIGNALS, Signal, Signals};
use super::weights::{Weights, level};
use super::{calls, general, mentions, naming, phrases, tested};
use crate::FileRole;

/// Weights of a file's best parts in their sum.
const BEST_PARTS: [f64; 3] = [1.0, 0.5, 0.33];
/// Maximum bytes of a neighbour that is shown with a part.
const LONGEST_NEIGHBOUR: u32 = 600;
/// Minimum number of files whose parts are ranked.
const LEAST_FILES: usize = 200;
/// Number of best files whose co-changed files are searched.
const ANCHORS: usize = 5;

/// Options for ranking: signal weights, similarities, open and previously selected files.
#[derive(Clone, Debug, Default)]
pub struct SelectOptions {
    /// Weights of the signals.
    pub weights: Weights,
    /// Similarity of each part, if measured.
    pub closeness: Vec<f32>,
    /// Similarity of each file's summary, if measured.
    pub about: Vec<f32>,
    /// Files that are open or being edited.
    pub hot: Vec<u32>,
    /// Files selected for an earlier query.
    pub previous: Vec<u32>,
    /// True if similarity by itself suffices for a match.
    pub matches_by_meaning: bool,
    /// Ranks the parts of only the best files, up to this total size in bytes.
    pub reach: Option<u64>,
}

impl SelectOptions {
    /// Returns the options with full weight for a signal.
    fn counting(&self, signal: Signal) -> Self {
        let mut wishes = self.clone();
        wishes.weights.file[signal as usize] = 1.0;
        wishes.weights.part = [0.0; SIGNALS];
        wishes
    }
}

/// A file or part with its score and the components of the score.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// Index in the corpus.
    pub number: u32,
    /// The score; higher is better.
    pub score: f64,
    /// Contribution of each signal.
    pub signals: [f32; SIGNALS],
    /// Factor for the kind of file.
    pub standing: f64,
}

/// A ranking of files and parts.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Files with a score, the best first.
    pub files: Vec<Ranked>,
    /// Parts of these files, or of those within reach, the best first.
    pub parts: Vec<Ranked>,
    /// True if nothing in the files matches the query, so that generally important files come
    /// first.
    pub is_general: bool,
    /// True if a file matches the query: it contains one of its words, a named definition, or is
    /// similar enough if similarity counts.
    pub is_match: bool,
    /// Number of words in the query, and in the files.
    pub words: WordsFound,
    /// True if the match is weak: less than half of the words were found, and nothing else of the
    /// query matches precisely.
    pub is_weak: bool,
}

impl Selection {
    /// Returns a remark for the reader if the match is weak.
    pub fn remark(&self) -> Option<String> {
        let WordsFound { found, all } = self.words;
        let were = if found == 1 { "was" } else { "were" };
        self.is_weak
            .then(|| format!("{found} of {all} query words {were} found; the match is weak"))
    }
}

/// Shorter words occur inside too many names.
const SHORTEST_INSIDE: usize = 4;
/// Maximum number of words searched inside names.
const MOST_INSIDE: usize = 32;

/// Signals of precise references in the query.
const PRECISE: [Signal; 5] = [
    Signal::Path,
    Signal::Frame,
    Signal::Definition,
    Signal::Phrase,
    Signal::Call,
];

/// Signals of single words: evidence if the words themselves are not used.
const OF_WORDS: [Signal; 2] = [Signal::Name, Signal::History];

/// Ranks the files of a corpus for a query. `text` returns the text of a file.
pub fn select(
    asked: &ParsedQuery,
    corpus: &Corpus,
    past: &Past,
    wishes: &SelectOptions,
    text: &dyn Fn(u32) -> Option<String>,
) -> Selection {
    let mut signals = Signals::new(corpus.files.len(), corpus.parts.len());
    let found = words(asked, corpus, &mut signals);
    naming::score(asked, corpus, &mut signals);
    meaning(&wishes.closeness, corpus, &mut signals);
    summaries(&wishes.about, corpus, &mut signals);
    let seeds = mentions::score(asked, corpus, &mut signals);
    calls::score(&seeds, corpus, &mut signals);
    phrases::score(asked, corpus, text, &mut signals);
    past::score(asked, past, corpus, &mut signals);
    let Evidence {
        words,
        is_match,
        has_only_words,
    } = evidence(asked, corpus, past, wishes, &found, &signals);
    drop(found);
    unasked(corpus, past, wishes, &mut signals);
    let mut first = files(corpus, &signals, wishes);
    let is_general = first.is_empty();
    let general;
    let mut wishes = wishes;
    if is_general {
        // Without a match, the most used files of the repository come first.
        general::central(corpus, &mut signals);
        general::every(corpus, &mut signals);
        general = wishes.counting(Signal::Central);
        wishes = &general;
        first = files(corpus, &signals, wishes);
    }
    let anchors: Vec<(u32, f64)> = first
        .iter()
        .take(ANCHORS)
        .map(|one| (one.number, one.score))
        .collect();
    past::together(&anchors, past, &mut signals);
    let files = files(corpus, &signals, wishes);
    let parts = parts(corpus, &signals, wishes, &files);
    Selection {
        files,
        parts,
        is_general,
        is_match,
        words,
        is_weak: is_match && has_only_words && words.is_minority() && !asked.is_general(),
    }
}

/// Adds the signals that do not depend on the query: position in the repository, and options of the
/// caller.
fn unasked(corpus: &Corpus, past: &Past, wishes: &SelectOptions, signals: &mut Signals) {
    let counts = |signal: Signal| wishes.weights.file[signal as usize] > 0.0;
    if counts(Signal::Tested) {
        tested::score(corpus, signals);
    }
    if counts(Signal::Central) {
        general::central(corpus, signals);
    }
    if counts(Signal::Recent) {
        general::recent(past, signals);
    }
    for file in &wishes.hot {
        signals.add_file(*file, Signal::Hot, 1.0);
    }
    for file in &wishes.previous {
        signals.add_file(*file, Signal::Previous, 1.0);
    }
}

/// Judges whether anything matches the query, by the active signals.
fn evidence(
    asked: &ParsedQuery,
    corpus: &Corpus,
    past: &Past,
    wishes: &SelectOptions,
    found: &Lexical,
    signals: &Signals,
) -> Evidence {
    let counts = |signal: Signal| wishes.weights.file[signal as usize] > 0.0;
    let past = counts(Signal::History).then_some(past);
    let mut evidence = evidence::judge(asked, corpus, found, past);
    let reads_words = counts(Signal::Words);
    if !reads_words {
        evidence.is_match = false;
    }
    let is_precise = matches(signals, wishes) || reads_words && is_defined(asked, corpus);
    evidence.has_only_words = reads_words && !is_precise;
    evidence.is_match |= is_precise;
    if !evidence.is_match && reads_words {
        evidence.words.found = inside_names(asked, corpus);
        evidence.is_match = evidence.words.found > 0;
    }
    evidence
}

/// Returns true if the query is a single name that is defined in the corpus.
fn is_defined(asked: &ParsedQuery, corpus: &Corpus) -> bool {
    let lone = asked.lone.as_ref();
    lone.is_some_and(|name| !corpus.program.named(name).is_empty())
}

/// Returns true if a signal other than single words matches the query.
fn matches(signals: &Signals, wishes: &SelectOptions) -> bool {
    let counts = |signal: &Signal| wishes.weights.file[*signal as usize] > 0.0;
    let of_words = match counts(&Signal::Words) {
        true => &[][..],
        false => &OF_WORDS,
    };
    let all = PRECISE.iter().chain(of_words).copied();
    let evidence: Vec<Signal> = all.filter(counts).collect();
    let has = |file: &[f32; SIGNALS]| evidence.iter().any(|one| file[*one as usize] > 0.0);
    let is_close = |all: &[f32]| all.iter().any(|close| *close > 0.0);
    let by_meaning = || {
        counts(&Signal::Semantic) && is_close(&wishes.closeness)
            || counts(&Signal::Summary) && is_close(&wishes.about)
    };
    signals.files.iter().any(has) || wishes.matches_by_meaning && by_meaning()
}

/// Counts the words of the query inside longer names or paths, like `price` in `price12`. An index
/// of whole terms cannot find them.
fn inside_names(asked: &ParsedQuery, corpus: &Corpus) -> usize {
    let is_long = |word: &&QueryWord| word.text.chars().count() >= SHORTEST_INSIDE;
    let words: Vec<&str> = asked
        .words
        .iter()
        .filter(is_long)
        .map(|word| word.text.as_str())
        .take(MOST_INSIDE)
        .collect();
    let mut found = vec![false; words.len()];
    let mut look = |name: &str| {
        let name = name.to_lowercase();
        for (word, found) in words.iter().zip(&mut found) {
            *found |= name.contains(word);
        }
    };
    let program = &corpus.program;
    for id in 0..program.definitions().len() as u32 {
        look(program.name(DefinitionId(id)));
    }
    for file in &corpus.files {
        look(&file.path.display());
    }
    found.into_iter().filter(|found| *found).count()
}

/// Scores the words of the query in files and parts; the best gets 1.
fn words(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) -> Lexical {
    let found = lexical::score(asked, corpus);
    let best_parts = best_parts(&found.parts, corpus);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max).max(1e-9);
    let (of_files, of_parts, of_best) = (most(&found.files), most(&found.parts), most(&best_parts));
    for (at, (words, best)) in found.files.iter().zip(&best_parts).enumerate() {
        signals.add_file(at as u32, Signal::Words, words / of_files);
        signals.add_file(at as u32, Signal::Parts, best / of_best);
    }
    for (at, score) in found.parts.iter().enumerate() {
        signals.add_part(at as u32, Signal::Words, score / of_parts);
    }
    found
}

/// Scores files by the similarity of their best parts; the best gets 1.
fn meaning(closeness: &[f32], corpus: &Corpus, signals: &mut Signals) {
    if closeness.len() != corpus.parts.len() {
        return;
    }
    let close: Vec<f64> = closeness
        .iter()
        .map(|one| f64::from(one.max(0.0)))
        .collect();
    let best = best_parts(&close, corpus);
    let most = best.iter().copied().fold(0.0, f64::max).max(1e-9);
    for (at, best) in best.iter().enumerate() {
        signals.add_file(at as u32, Signal::Semantic, best / most);
    }
}

/// Scores files by the similarity of their summaries; the best gets 1.
fn summaries(closeness: &[f32], corpus: &Corpus, signals: &mut Signals) {
    if closeness.len() != corpus.files.len() {
        return;
    }
    let most = closeness.iter().copied().fold(0.0, f32::max).max(1e-9);
    for (at, close) in closeness.iter().enumerate() {
        let level = f64::from(close.max(0.0) / most);
        signals.add_file(at as u32, Signal::Summary, level);
    }
}

/// Returns the weighted sum of each file's best parts.
fn best_parts(scores: &[f64], corpus: &Corpus) -> Vec<f64> {
    let best = |file: &CorpusFile| {
        let mut scores = scores[file.parts.start as usize..file.parts.end as usize].to_vec();
        scores.sort_by(|a, b| b.total_cmp(a));
        let weighed = scores.iter().zip(BEST_PARTS);
        weighed.map(|(score, weight)| score * weight).sum()
    };
    corpus.files.iter().map(best).collect()
}

impl Corpus {
    /// Returns the factor for the kind of file.
    pub fn standing(&self, file: u32, weights: &Weights) -> f64 {
        let file = &self.files[file as usize];
        match file.kind {
            FileRole::Ballast => weights.ballast,
            _ if file.is_aside => weights.aside,
            FileRole::Test => weights.aside,
            FileRole::Support | FileRole::Introduction => weights.support,
            FileRole::Source => 1.0,
        }
    }
}

fn files(corpus: &Corpus, signals: &Signals, wishes: &SelectOptions) -> Vec<Ranked> {
    let weights = &wishes.weights;
    let mut ranked = Vec::new();
    for number in 0..corpus.files.len() as u32 {
        let mut shares = [0.0; SIGNALS];
        let standing = corpus.standing(number, weights);
        let mut score = 0.0;
        for signal in Signal::ALL {
            let value = weights.file[signal as usize] * level(signal, signals.file(number, signal));
            // A file that the query names is relevant even if it is a test or data.
            let keeps = if matches!(signal, Signal::Path | Signal::Hot) {
                1.0
            } else {
                standing
            };
            shares[signal as usize] = (value * keeps) as f32;
            score += value * keeps;
        }
        if score > 0.0 {
            ranked.push(Ranked {
                number,
                score,
                signals: shares,
                standing,
            });
        }
    }
    sort(&mut ranked);
    ranked
}

fn parts(
    corpus: &Corpus,
    signals: &Signals,
    wishes: &SelectOptions,
    files: &[Ranked],
) -> Vec<Ranked> {
    let weights = &wishes.weights.for_parts();
    let best = files.first().map_or(0.0, |file| file.score);
    let mut ranked: Vec<Ranked> = Vec::new();
    let reach = wishes.reach.unwrap_or(u64::MAX);
    let mut bytes = 0;
    for (place, file) in files.iter().enumerate() {
        // Files far down the order are not shown.
        if place >= LEAST_FILES && bytes > reach {
            break;
        }
        let start = ranked.len();
        let mut all = 0.0;
        let behind = weights.steepness * (file.score - best);
        for number in corpus.files[file.number as usize].parts.clone() {
            let mut shares = [0.0; SIGNALS];
            let mut own = 0.0;
            for signal in Signal::ALL {
                let value =
                    weights.part[signal as usize] * level(signal, signals.part(number, signal));
                shares[signal as usize] = (value * file.standing) as f32;
                own += value * file.standing;
            }
            let cue = [Signal::Definition, Signal::Frame, Signal::Phrase]
                .map(|signal| level(signal, signals.part(number, signal)))
                .into_iter()
                .fold(0.0, f64::max)
                .min(1.0);
            let score = (own + weights.base) * (-weights.named * cue * behind).exp();
            let size = corpus.parts[number as usize].bytes;
            bytes += u64::from(size);
            all += score * f64::from(size);
            ranked.push(Ranked {
                number,
                score,
                signals: shares,
                standing: file.standing,
            });
        }
        let likely = behind.exp();
        let divided = likely / all.max(1.0).powf(weights.spread);
        ranked[start..]
            .iter_mut()
            .for_each(|part| part.score *= divided);
    }
    neighbours(corpus, weights, &mut ranked);
    sort(&mut ranked);
    // The best gets 1.
    let most = ranked
        .first()
        .map_or(1.0, |part| part.score)
        .max(f64::MIN_POSITIVE);
    ranked.iter_mut().for_each(|part| part.score /= most);
    ranked
}

/// Gives neighbours a share of the score: the reader of a method needs the header of its type and
/// the imports at the top of its file, if they are short.
fn neighbours(corpus: &Corpus, weights: &Weights, ranked: &mut [Ranked]) {
    // Minimum score of each part, and the share of another part's score that it is.
    let mut least = vec![(0.0_f64, 0.0_f64); corpus.parts.len()];
    for one in ranked.iter() {
        let part = &corpus.parts[one.number as usize];
        let head = corpus
            .definition_of(one.number)
            .and_then(|id| corpus.program.parent(id))
            .and_then(|parent| corpus.part_of(parent));
        let start = corpus.files[part.file as usize].parts.start;
        let top = corpus.parts[start as usize]
            .symbol()
            .is_none()
            .then_some(start);
        for (near, share) in [(head, weights.head), (top, weights.top)] {
            if let Some(near) = near.filter(|near| *near != one.number)
                && corpus.parts[near as usize].bytes <= LONGEST_NEIGHBOUR
            {
                let least = &mut least[near as usize];
                if one.score * share > least.0 {
                    *least = (one.score * share, share);
                }
            }
        }
    }
    for one in ranked {
        let (least, share) = least[one.number as usize];
        if least > one.score {
            one.score = least;
            one.signals[Signal::Near as usize] = share as f32;
        }
    }
}

fn sort(ranked: &mut [Ranked]) {
    // A total order makes the result reproducible.
    ranked.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
}
