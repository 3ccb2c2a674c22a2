//! Chooses files that fit a budget. Measures the whole output exactly: rebuilds the header for each
//! choice, and corrects the next round by the error of the estimate.

use super::files::{FilePart, FitFailure, FitFiles, Placed};
use super::weight::Weight;
use crate::{FileMeta, excerpt, longest_start};

/// Maximum rounds of choosing: each corrects the estimate of the one before.
const ROUNDS: usize = 12;

/// A choice fills the budget if it leaves less than 1/50 of it unused.
const SLACK: usize = 50;

/// Minimum tokens of a truncated file: less is not informative.
const SMALLEST_CUT: usize = 48;

/// Maximum number of files tried for truncation, because the first line of some is too long.
const TRIED_CUTS: usize = 64;

/// Files, of which some may have to be excluded.
pub trait BudgetFiles: FitFiles {
    /// Returns the tokens of all contents.
    fn tokens(&self) -> usize;

    /// Returns the files in the order of preference.
    ///
    /// # Errors
    /// If the caller cancels.
    fn order(&self) -> Result<Vec<usize>, Self::Error>;

    /// Returns the exact tokens of the output with all files.
    ///
    /// # Errors
    /// If the caller cancels.
    fn size_of_all(&self, weights: &[Weight]) -> Result<usize, Self::Error>;

    /// Returns the exact tokens of the output with some files, in their order.
    ///
    /// # Errors
    /// If the caller cancels.
    fn size_of(&self, some: &[Placed]) -> Result<usize, Self::Error>;
}

/// Files that fit a budget.
#[derive(Debug)]
pub enum Chosen {
    /// All files, with their weights.
    All(Vec<Option<Weight>>),
    /// Some files and truncated files, in their order.
    Some(Vec<Placed>),
}

/// Chooses those of `files` that fit into `budget` tokens. Adds files in the order of preference,
/// and truncates the best one that does not fit as a whole after a line.
///
/// # Errors
/// If the budget is too small for the header, or the caller cancels.
pub fn choose<F: BudgetFiles>(
    files: &mut F,
    budget: usize,
) -> Result<Chosen, FitFailure<F::Error>> {
    let chooser = Chooser {
        weights: vec![None; files.count()],
        files,
        budget,
        order: Vec::new(),
    };
    chooser.run()
}

struct Chooser<'a, F> {
    files: &'a mut F,
    budget: usize,
    /// Files in the order of preference.
    order: Vec<usize>,
    weights: Vec<Option<Weight>>,
}

/// A choice of files.
#[derive(Clone, Default)]
struct Choice {
    whole: Vec<usize>,
    cuts: Vec<Cut>,
    /// Estimated tokens.
    estimate: usize,
    /// Exact size of the output.
    size: usize,
}

/// A truncated file.
#[derive(Clone)]
struct Cut {
    at: usize,
    meta: FileMeta,
    text: String,
    weight: Weight,
}

impl<F: BudgetFiles> Chooser<'_, F> {
    fn run(mut self) -> Result<Chosen, FitFailure<F::Error>> {
        if self.files.tokens() <= self.budget && self.everything_fits()? {
            return Ok(Chosen::All(self.weights));
        }
        let fixed = self.size(&Choice::default())?;
        if fixed > self.budget {
            return Err(FitFailure::TooSmall { smallest: fixed });
        }
        self.order = self.files.order()?;
        let best = self.best_choice(fixed)?;
        Ok(Chosen::Some(self.placed(&best)))
    }

    fn everything_fits(&mut self) -> Result<bool, F::Error> {
        let all: Vec<usize> = (0..self.files.count()).collect();
        self.weigh(&all)?;
        let gone = self.weights.iter().any(Option::is_none);
        let weights: Vec<_> = self.weights.iter().flatten().cloned().collect();
        Ok(!gone && self.files.size_of_all(&weights)? <= self.budget)
    }

    /// Returns the choice that uses most of the budget among those of all rounds.
    fn best_choice(&mut self, fixed: usize) -> Result<Choice, F::Error> {
        let mut best = Choice {
            size: fixed,
            ..Choice::default()
        };
        let mut target = self.budget;
        for round in 0..ROUNDS {
            let choice = self.measured(fixed, target)?;
            let size = choice.size;
            let missed = size.saturating_sub(choice.estimate);
            let too_much = choice.estimate.saturating_sub(size);
            if size <= self.budget && size > best.size {
                best = choice;
            }
            if size <= self.budget && size >= self.budget - self.budget / SLACK {
                break;
            }
            // Shrinks the target a little in each round, so that rounds do not alternate between
            // two choices.
            target = (self.budget + too_much).saturating_sub(missed + round);
        }
        if best.size < self.budget - self.budget / SLACK {
            self.bisect(fixed, &mut best)?;
        }
        Ok(best)
    }

    /// Bisects the target if estimates mislead, for example because a template or a tree of long
    /// names needs more tokens than the contents.
    fn bisect(&mut self, fixed: usize, best: &mut Choice) -> Result<(), F::Error> {
        let (mut low, mut high) = (fixed, self.budget);
        for _ in 0..ROUNDS {
            let target = low + (high - low) / 2;
            let choice = self.measured(fixed, target)?;
            match choice.size <= self.budget {
                true => low = target,
                false => high = target,
            }
            if choice.size <= self.budget && choice.size > best.size {
                *best = choice;
            }
        }
        Ok(())
    }

    /// Returns the choice that is estimated to fit into `target`, with its exact size.
    fn measured(&mut self, fixed: usize, target: usize) -> Result<Choice, F::Error> {
        let mut choice = self.choose(fixed, target)?;
        choice.size = self.size(&choice)?;
        Ok(choice)
    }

    fn choose(&mut self, fixed: usize, target: usize) -> Result<Choice, F::Error> {
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

    /// Returns the tokens that the file adds, if they fit into `room`.
    fn cost_within(&mut self, at: usize, room: usize) -> Result<Option<usize>, F::Error> {
        let meta = self.files.meta(at);
        // In any format, it needs its contents and a name.
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

    /// Estimates the tokens of its line in the tree.
    fn tree_cost(&self, file: &FileMeta) -> usize {
        let name = String::from_utf8_lossy(file.path.file_name());
        let depth = file.path.components().count();
        self.files.tokenizer().count(&name).upper() + 3 + depth / 2
    }

    /// Fills `room` with the starts of the best files that did not fit. Returns the rest of `room`.
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
        let tokenizer = self.files.tokenizer();
        let ready = self.files.current(at)?;
        let in_tree = self.tree_cost(&ready.meta);
        let weigh = |end: usize| {
            let meta = excerpt(&ready.meta, &ready.text, 0..end, tokenizer);
            let weight = self.files.weigh(&meta, &ready.text[..end]);
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

    /// Weighs the files of a preliminary choice on all threads.
    fn weigh_likely(&mut self, room: usize) -> Result<(), F::Error> {
        let mut left = room;
        let mut likely = Vec::new();
        for &at in &self.order {
            let tokens = self.files.meta(at).upper;
            if tokens + 2 <= left {
                left -= tokens + 2;
                likely.push(at);
            }
        }
        likely.retain(|&at| self.weights[at].is_none());
        self.weigh(&likely)
    }

    fn weigh(&mut self, which: &[usize]) -> Result<(), F::Error> {
        let weights = &mut self.weights;
        self.files
            .weigh_all(which, &mut |at, weight| weights[at] = weight)
    }

    fn size(&self, choice: &Choice) -> Result<usize, F::Error> {
        self.files.size_of(&self.placed(choice))
    }

    /// Returns the files of a choice, in their order.
    fn placed(&self, choice: &Choice) -> Vec<Placed> {
        let whole = choice.whole.iter().filter_map(|&file| {
            let weight = self.weights[file].clone()?;
            let part = None;
            Some(Placed { file, part, weight })
        });
        let mut placed: Vec<Placed> = whole.collect();
        placed.extend(choice.cuts.iter().map(Cut::placed));
        placed.sort_by_key(|one| one.file);
        placed
    }
}

impl Cut {
    fn placed(&self) -> Placed {
        let part = FilePart {
            meta: self.meta.clone(),
            span: 0..self.text.len(),
            text: Some(self.text.clone()),
        };
        Placed {
            file: self.at,
            part: Some(part),
            weight: self.weight.clone(),
        }
    }
}
