//! Chooses what fits a budget. The size is that of the whole output, exactly: the
//! head is made anew for each choice, and whatever the estimate missed is given back
//! to the next round.

use std::sync::Arc;

use loom_engine::fit::Weight;
use loom_engine::{FileMeta, excerpt, longest_start};
use loom_source::{LeftOut, Reason};

use crate::map::Wanted;
use crate::shorten::{Fit as How, Lowered};
use crate::survey::{Ceiling, Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer, Progress};

/// Rounds of choosing: each one corrects the estimate of the one before.
const ROUNDS: usize = 12;

/// What may stay unused: one part in so many.
const SLACK: usize = 50;

/// A cut file shows at least as much as this, in tokens: less tells nothing.
const SMALLEST_CUT: usize = 48;

/// How many files are tried for a cut: the first line of some is too long.
const TRIED_CUTS: usize = 64;

impl Packer {
    /// Leaves of `survey` what fits into `budget` tokens, counted on the whole output.
    /// Files are taken in the order of what is wanted; the best one that does not fit as
    /// a whole is cut at a line. Everything that fits is left as it is. Where files are
    /// to be compressed first, levels are lowered before any file is left out.
    ///
    /// # Errors
    /// When the budget does not even hold the head, or a stop was asked for.
    pub fn fit(
        &self,
        survey: Survey,
        budget: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let wanted = Wanted::default();
        let Lowered { survey, behind } = match self.options.shorten.fit {
            How::Compress => self.lower(survey, budget, &wanted, (progress, cancel))?,
            How::Drop => Lowered::all(survey),
        };
        Fit::new(self, survey, budget, cancel).run(&wanted, &behind)
    }
}

struct Fit<'a> {
    packer: &'a Packer,
    cancel: &'a Cancel,
    budget: usize,
    survey: Survey,
    /// The files, the most wanted first.
    order: Vec<usize>,
    weights: Vec<Option<Weight>>,
    /// The bytes of text that may still be kept.
    room: usize,
}

/// A choice of files.
#[derive(Clone, Default)]
struct Choice {
    whole: Vec<usize>,
    cuts: Vec<Cut>,
    /// About what it takes.
    estimate: usize,
}

/// The start of a file.
#[derive(Clone)]
struct Cut {
    at: usize,
    meta: FileMeta,
    text: String,
    weight: Weight,
}

impl<'a> Fit<'a> {
    fn new(packer: &'a Packer, survey: Survey, budget: usize, cancel: &'a Cancel) -> Self {
        let kept = survey.files.iter().filter_map(|file| file.kept.as_ref());
        let kept: usize = kept.map(String::len).sum();
        Self {
            room: packer.options.kept_text().saturating_sub(kept),
            weights: vec![None; survey.files.len()],
            packer,
            cancel,
            budget,
            survey,
            order: Vec::new(),
        }
    }

    /// Those that are `behind` come last, whatever is wanted.
    fn run(mut self, wanted: &Wanted, behind: &[bool]) -> Result<Survey, PackError> {
        if self.survey.overview.tokens <= self.budget && self.everything_fits()? {
            for (file, weight) in self.survey.files.iter_mut().zip(&self.weights) {
                file.ceiling = weight.as_ref().map(Ceiling::of);
            }
            return Ok(self.survey);
        }
        let fixed = self.size(&Choice::default())?;
        if fixed > self.budget {
            return Err(PackError::BudgetTooSmall {
                budget: Limit::Tokens(self.budget),
                smallest: fixed,
            });
        }
        self.order = wanted.order(self.packer, &self.survey, self.budget, self.cancel)?;
        self.order.sort_by_key(|&at| behind.get(at).copied());
        let best = self.best_choice(fixed)?;
        Ok(self.survey_of(&best))
    }

    fn everything_fits(&mut self) -> Result<bool, PackError> {
        let all: Vec<usize> = (0..self.survey.files.len()).collect();
        self.weigh(&all)?;
        let gone = self.weights.iter().any(Option::is_none);
        let weights: Vec<_> = self.weights.iter().flatten().cloned().collect();
        let limit = Limit::Tokens(self.budget);
        Ok(!gone
            && self
                .packer
                .size(&self.survey, &weights, limit, self.cancel)?
                <= self.budget)
    }

    /// The choice that uses most of the budget among those of all rounds.
    fn best_choice(&mut self, fixed: usize) -> Result<Choice, PackError> {
        let mut best = (fixed, Choice::default());
        let mut target = self.budget;
        for round in 0..ROUNDS {
            let choice = self.choose(fixed, target)?;
            let size = self.size(&choice)?;
            let missed = size.saturating_sub(choice.estimate);
            let too_much = choice.estimate.saturating_sub(size);
            if size <= self.budget && size > best.0 {
                best = (size, choice);
            }
            if size <= self.budget && size >= self.budget - self.budget / SLACK {
                break;
            }
            // A little less each time, so that rounds do not swing between two choices.
            target = (self.budget + too_much).saturating_sub(missed + round);
        }
        if best.0 < self.budget - self.budget / SLACK {
            self.bisect(fixed, &mut best)?;
        }
        Ok(best.1)
    }

    /// Where estimates mislead, as they do when a template or a tree of long names takes
    /// more than the contents: halves what the target may be.
    fn bisect(&mut self, fixed: usize, best: &mut (usize, Choice)) -> Result<(), PackError> {
        let (mut low, mut high) = (fixed, self.budget);
        for _ in 0..ROUNDS {
            let target = low + (high - low) / 2;
            let choice = self.choose(fixed, target)?;
            let size = self.size(&choice)?;
            match size <= self.budget {
                true => low = target,
                false => high = target,
            }
            if size <= self.budget && size > best.0 {
                *best = (size, choice);
            }
        }
        Ok(())
    }

    /// What an estimate says fits into `target`.
    fn choose(&mut self, fixed: usize, target: usize) -> Result<Choice, PackError> {
        self.weigh_likely(target.saturating_sub(fixed))?;
        let mut choice = Choice::default();
        let mut skipped = Vec::new();
        let mut used = fixed;
        for at in self.order.clone() {
            let room = target.saturating_sub(used);
            match self.cost_within(at, room)? {
                Some(cost) => {
                    choice.whole.push(at);
                    used += cost;
                }
                None => skipped.push(at),
            }
        }
        let room = target.saturating_sub(used);
        let left = self.cut(&mut choice, &skipped, room);
        choice.estimate = used + room - left;
        Ok(choice)
    }

    /// What the file takes of the budget, where it fits into `room`.
    fn cost_within(&mut self, at: usize, room: usize) -> Result<Option<usize>, PackError> {
        let meta = &self.survey.files[at].meta;
        // Wherever it stands, it takes its contents and a name.
        if meta.upper + 2 > room {
            return Ok(None);
        }
        let in_tree = self.tree_cost(meta);
        if self.weights[at].is_none() {
            self.weigh(&[at])?;
        }
        let weight = self.weights[at].as_ref();
        let cost = weight.map(|weight| weight.tally.upper() + in_tree);
        Ok(cost.filter(|&cost| cost <= room))
    }

    /// About what its line in the tree takes.
    fn tree_cost(&self, file: &FileMeta) -> usize {
        let name = String::from_utf8_lossy(file.path.file_name());
        let depth = file.path.components().count();
        self.packer.options.model.tokenizer.count(&name).upper() + 3 + depth / 2
    }

    /// Fills `room` with the start of the most wanted files that did not fit; says what
    /// is left of it.
    fn cut(&self, choice: &mut Choice, skipped: &[usize], mut room: usize) -> usize {
        let enough = (self.budget / SLACK).max(SMALLEST_CUT);
        for &at in skipped.iter().take(TRIED_CUTS) {
            if room < enough {
                break;
            }
            if let Some((cut, cost)) = self.cut_of(at, room) {
                room -= cost.min(room);
                choice.cuts.push(cut);
            }
        }
        room
    }

    fn cut_of(&self, at: usize, room: usize) -> Option<(Cut, usize)> {
        let tokenizer = self.packer.options.model.tokenizer;
        let ready = self.packer.ready(&self.survey.files[at]).ok()?;
        let in_tree = self.tree_cost(&ready.meta);
        let weigh = |end: usize| {
            let meta = excerpt(&ready.meta, &ready.text, 0..end, tokenizer);
            let weight = self.packer.weigh(&meta, &ready.text[..end]);
            let cost = weight.tally.upper() + in_tree;
            (meta, weight, cost)
        };
        let end = longest_start(&ready.text, |start| weigh(start.len()).2 <= room)?;
        let (meta, weight, cost) = weigh(end);
        let text = ready.text[..end].to_owned();
        let cut = Cut {
            at,
            meta,
            text,
            weight,
        };
        Some((cut, cost))
    }

    /// Weighs, on all threads, the files that a first look takes.
    fn weigh_likely(&mut self, room: usize) -> Result<(), PackError> {
        let mut left = room;
        let mut likely = Vec::new();
        for &at in &self.order {
            let tokens = self.survey.files[at].meta.upper;
            if tokens + 2 <= left {
                left -= tokens + 2;
                likely.push(at);
            }
        }
        likely.retain(|&at| self.weights[at].is_none());
        self.weigh(&likely)
    }

    fn weigh(&mut self, which: &[usize]) -> Result<(), PackError> {
        let weights = &mut self.weights;
        let files = &mut self.survey.files;
        self.packer
            .weigh_all(files, which, &mut self.room, self.cancel, |at, weight| {
                weights[at] = weight.ok();
            })
    }

    fn size(&self, choice: &Choice) -> Result<usize, PackError> {
        let mut parts: Vec<(usize, Weight)> = Vec::new();
        for &at in &choice.whole {
            parts.extend(self.weights[at].clone().map(|weight| (at, weight)));
        }
        parts.extend(choice.cuts.iter().map(|cut| (cut.at, cut.weight.clone())));
        parts.sort_by_key(|(at, _)| *at);
        let weights: Vec<_> = parts.into_iter().map(|(_, weight)| weight).collect();
        let survey = self.copy_of(choice);
        self.packer
            .size(&survey, &weights, Limit::Tokens(self.budget), self.cancel)
    }

    /// The survey of a choice, to be measured.
    fn copy_of(&self, choice: &Choice) -> Survey {
        let with_text = self.packer.renderer().is_none();
        let mut files: Vec<(usize, Surveyed)> = Vec::new();
        for &at in &choice.whole {
            let file = &self.survey.files[at];
            // The first file of an output is rendered for its size; a template reads all.
            let kept = file.kept.clone().filter(|_| with_text || files.is_empty());
            files.push((
                at,
                Surveyed {
                    run: Arc::clone(&self.survey.run),
                    is_planned: true,
                    kept,
                    ..file.without_text()
                },
            ));
        }
        files.extend(choice.cuts.iter().map(|cut| (cut.at, self.cut_file(cut))));
        self.survey_with(files)
    }

    fn survey_of(mut self, choice: &Choice) -> Survey {
        let mut files: Vec<(usize, Surveyed)> = Vec::new();
        for &at in &choice.whole {
            let weight = self.weights[at].take();
            let kept = self.survey.files[at].kept.take();
            let mut file = Surveyed {
                kept,
                ..self.survey.files[at].without_text()
            };
            file.ceiling = weight.as_ref().map(Ceiling::of);
            files.push((at, file));
        }
        files.extend(choice.cuts.iter().map(|cut| (cut.at, self.cut_file(cut))));
        self.survey_with(files)
    }

    fn cut_file(&self, cut: &Cut) -> Surveyed {
        Surveyed {
            run: Arc::clone(&self.survey.run),
            is_planned: true,
            found: self.survey.files[cut.at].found.clone(),
            meta: cut.meta.clone(),
            kept: Some(cut.text.clone()),
            findings: Vec::new(),
            replaced: Arc::clone(&self.survey.files[cut.at].replaced),
            form: self.survey.files[cut.at].form,
            slice: None,
            ceiling: None,
        }
    }

    fn survey_with(&self, mut files: Vec<(usize, Surveyed)>) -> Survey {
        files.sort_by_key(|(at, _)| *at);
        let mut chosen = files.iter().map(|(at, _)| *at).peekable();
        let mut left_out = self.survey.left_out.clone();
        for (at, file) in self.survey.files.iter().enumerate() {
            if chosen.next_if_eq(&at).is_none() {
                left_out.push(LeftOut {
                    path: file.meta.path.clone(),
                    is_dir: false,
                    reason: Reason::OverBudget,
                });
            }
        }
        let files = files.into_iter().map(|(_, file)| file).collect();
        self.survey.with(files, left_out)
    }
}
