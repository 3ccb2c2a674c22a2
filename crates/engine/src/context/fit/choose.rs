//! Selects parts by value while the budget lasts.

use std::collections::{HashMap, HashSet};

use super::super::corpus::Corpus;
use super::super::select::{Ranked, Selection};
use super::{FRAME, FitOptions, Texts};

/// Approximate bytes per token, for the order of attempts.
const BYTES: f64 = 3.6;
/// Consecutive parts that do not fit before the selection ends.
const TRIES: usize = 2000;
/// A part that needs a larger share of the budget is truncated to `CUT_TO` of it, so that other
/// parts have room beside it.
const TOO_MUCH: f64 = 0.9;
const CUT_TO: f64 = 0.6;

pub(super) struct Fitting<'a> {
    pub(super) selection: &'a Selection,
    pub(super) corpus: &'a Corpus,
    pub(super) options: &'a FitOptions,
    pub(super) texts: Texts<'a>,
    /// The candidates in the order of choice.
    pub(super) order: Vec<Choice>,
    /// Rank of each file of the corpus in the selection.
    pub(super) ranks: Vec<usize>,
    /// Ranking entry of each part of the corpus.
    pub(super) ranked: Vec<Option<&'a Ranked>>,
    pub(super) counts: HashMap<Choice, usize>,
    /// Tokens of pieces as written, by file and lines.
    pub(super) written: HashMap<(u32, u32, u32), usize>,
    /// A truncated part, and its last line.
    cut: Option<(u32, u32)>,
}

/// A part without its long documentation, or that documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Choice {
    pub(super) part: u32,
    pub(super) is_doc: bool,
}

pub(super) struct Chosen {
    pub(super) parts: Vec<Choice>,
    pub(super) is_all: bool,
    /// Estimated tokens of the selection.
    pub(super) used: f64,
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

impl<'a> Fitting<'a> {
    pub(super) fn new(
        selection: &'a Selection,
        corpus: &'a Corpus,
        options: &'a FitOptions,
        texts: Texts<'a>,
    ) -> Self {
        let mut ranked = vec![None; corpus.parts.len()];
        for one in &selection.parts {
            ranked[one.number as usize] = Some(one);
        }
        let mut ranks = vec![usize::MAX; corpus.files.len()];
        for (rank, one) in selection.files.iter().enumerate() {
            ranks[one.number as usize] = rank;
        }
        Self {
            selection,
            corpus,
            options,
            texts,
            order: order(selection, corpus, options),
            ranks,
            ranked,
            counts: HashMap::new(),
            written: HashMap::new(),
            cut: None,
        }
    }

    /// Returns the required parts.
    pub(super) fn required(&self) -> Vec<Choice> {
        let both = |part: &u32| {
            [false, true].map(|is_doc| Choice {
                part: *part,
                is_doc,
            })
        };
        self.options.required.iter().flat_map(both).collect()
    }

    /// Selects parts while the budget lasts.
    pub(super) fn choose(&mut self, room: f64) -> Chosen {
        let mut used = self.options.tokenizer.count(&self.head(&[], &[])).upper() as f64;
        let required = self.required();
        let mut chosen = Chosen {
            parts: Vec::new(),
            is_all: true,
            used: 0.0,
        };
        let mut taken: HashSet<Choice> = HashSet::new();
        let mut missed = 0;
        for at in 0..required.len() + self.order.len() {
            let choice = match at.checked_sub(required.len()) {
                Some(at) => self.order[at],
                None => required[at],
            };
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

    /// Truncates the best part if it exceeds the whole budget. Required parts stay whole.
    pub(super) fn cut_the_best(&mut self, room: usize) {
        let can_be_cut =
            |best: &Choice| !best.is_doc && !self.options.required.contains(&best.part);
        let best = self.order.first().copied().filter(can_be_cut);
        let room = room as f64 - FRAME;
        if let Some(best) = best
            && self.count(best) as f64 > room * TOO_MUCH
        {
            self.begin(best, room * CUT_TO);
        }
    }

    /// Truncates the best part that does not fit, if much of the budget is left. Returns true if
    /// there is one.
    pub(super) fn begin_another(&mut self, taken: &[Choice], room: usize) -> bool {
        let taken: HashSet<&Choice> = taken.iter().collect();
        let left = |one: &&Choice| !one.is_doc && !taken.contains(one);
        let next = self.order.iter().find(left).copied();
        if let (Some(next), None) = (next, self.cut) {
            self.begin(next, room as f64 - FRAME);
        }
        self.cut.is_some()
    }

    /// Truncates a part after the last line that fits.
    fn begin(&mut self, choice: Choice, room: f64) {
        let part = &self.corpus.parts[choice.part as usize];
        let (mut low, mut high) = (part.first - 1, part.last);
        while low < high {
            let middle = low.midpoint(high + 1);
            self.cut = Some((choice.part, middle));
            self.counts.remove(&choice);
            match self.count(choice) as f64 <= room {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        // A line that exceeds the whole budget is not shown.
        self.cut = (low >= part.first).then_some((choice.part, low));
        self.counts.remove(&choice);
    }

    /// Returns the lines of a choice: for a part with documentation, those before and after it.
    pub(super) fn lines(&self, choice: Choice) -> [(u32, u32); 2] {
        let last = match self.cut {
            Some((part, last)) if part == choice.part => last,
            _ => u32::MAX,
        };
        self.all_lines(choice)
            .map(|(first, end)| (first, end.min(last)))
    }

    fn all_lines(&self, choice: Choice) -> [(u32, u32); 2] {
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
        if self.cut.is_some_and(|(part, _)| part == choice.part) {
            return 0.0;
        }
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
}
