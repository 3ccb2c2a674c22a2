//! Keeps a budget with levels: rather every file at a lower level than a part of the
//! files. Those that are wanted least go down first, and no file goes down two steps
//! before all have gone down one.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_engine::{Kind, Note, describe, priority};
use loom_secrets::redact;
use loom_source::{LeftOut, Reason};
use loom_syntax::{Compression, Draft, Level, drafts};

use super::{Form, limits, shortened_from};
use crate::load::Loaded;
use crate::ordered::ordered;
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer, Progress, Stage};

/// Rounds of choosing: each one corrects the estimate of the one before.
const ROUNDS: usize = 8;

/// One file at each level that it may take, the gentlest first.
type Steps = Vec<Step>;

/// A file at a level.
struct Step {
    level: Level,
    /// About what it takes.
    tokens: usize,
    /// What it looks like, where there was room to keep that.
    draft: Option<Draft>,
}

impl Step {
    fn new(level: Level, tokens: usize) -> Self {
        Self {
            level,
            tokens,
            draft: None,
        }
    }
}

impl Packer {
    /// Lowers the levels of files until all of them fit into `budget`, or none can be
    /// lowered. Everything that fits is left as it is.
    pub(crate) fn lower(
        &self,
        mut survey: Survey,
        budget: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let size = self.size_of(&mut survey, budget, cancel)?;
        if size <= budget {
            return Ok(survey);
        }
        let mut order: Vec<usize> = (0..survey.files.len()).collect();
        order.sort_by_cached_key(|&at| (priority(&survey.files[at].meta, budget), at));
        let steps = self.steps(&survey, progress, cancel)?;
        let contents: usize = survey.files.iter().map(|file| file.meta.upper).sum();
        // What stands around the contents changes little with the levels.
        let overhead = size.saturating_sub(contents);
        let mut target = budget.saturating_sub(overhead);
        let dropped = ballast_to_drop(&survey, &steps, &order, target);
        let (mut survey, mut steps, order) = without(survey, steps, &order, dropped);
        let mut last = 0;
        for _ in 0..ROUNDS {
            // Always further down, so that every round is nearer to the end.
            let down = least_lowering(&steps, &order, target).max(last);
            survey = self.lowered(survey, &mut steps, &order, down, progress, cancel)?;
            let size = self.size_of(&mut survey, budget, cancel)?;
            let lowest = lowest(&steps, &order);
            if size <= budget || down >= lowest {
                break;
            }
            let around = size.saturating_sub(tokens_at(&steps, &order, down));
            target = budget.saturating_sub(around);
            last = (down + order.len() / 100 + 1).min(lowest);
        }
        Ok(survey)
    }

    fn size_of(
        &self,
        survey: &mut Survey,
        budget: usize,
        cancel: &Cancel,
    ) -> Result<usize, PackError> {
        let all: Vec<usize> = (0..survey.files.len()).collect();
        let mut weights = Vec::with_capacity(all.len());
        let mut room = 0;
        self.weigh_all(&mut survey.files, &all, &mut room, cancel, |_, weight| {
            weights.extend(weight.ok());
        })?;
        self.size(survey, &weights, Limit::Tokens(budget), cancel)
    }

    /// About what each file takes at each level.
    fn steps(
        &self,
        survey: &Survey,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Vec<Steps>, PackError> {
        let files = &survey.files;
        progress.begin(Stage::Compress, Some(files.len()));
        let kept = files.iter().filter_map(|file| file.kept.as_ref());
        let kept: usize = kept.map(String::len).sum();
        let room = Room::of(self.options.memory().kept().saturating_sub(kept));
        let mut steps = Vec::with_capacity(files.len());
        ordered(
            files.len(),
            self.options.thread_count(),
            self.options.memory().ahead(),
            |at| files[at].meta.bytes,
            |at| self.steps_of(&files[at], &room),
            |_, found| {
                progress.advance(1);
                steps.push(found);
                stop_if(cancel)
            },
        );
        cancelled(cancel).map(|()| steps)
    }

    fn steps_of(&self, file: &Surveyed, room: &Room) -> Steps {
        let shorten = &self.options.shorten;
        let is_fixed = file.meta.marks.is_some() || shorten.is_fixed(&file.meta.path);
        let (Form::Compressed(how), false) = (shorten.lowering(file.form), is_fixed) else {
            return vec![Step::new(Level::None, file.meta.upper)];
        };
        let mut steps = vec![Step::new(how.level, file.meta.upper)];
        let Some(text) = self.clean_text(file) else {
            return steps;
        };
        let count = |text: &str| self.options.model.tokenizer.count(text).upper();
        let levels = Level::ALL.into_iter().filter(|level| *level > how.level);
        let levels: Vec<Level> = levels.collect();
        for draft in drafts(file.meta.language, &text, &how, &levels, &limits()) {
            let least = steps.last().map_or(usize::MAX, |step| step.tokens);
            let tokens = count(draft.text());
            // A level that saves nothing is no step.
            if tokens < least {
                steps.push(Step {
                    level: draft.level(),
                    tokens,
                    draft: room.keep(draft),
                });
            }
        }
        steps
    }

    /// The text of a file as it was surveyed, without its secrets.
    fn clean_text(&self, file: &Surveyed) -> Option<String> {
        let text = self
            .text_as_surveyed(file)
            .filter(|_| file.findings.is_empty())?;
        Some(redact(&text, &file.replaced))
    }

    /// The files after so many lowerings. What they take is put into `steps`.
    fn lowered(
        &self,
        mut survey: Survey,
        steps: &mut [Steps],
        order: &[usize],
        down: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let mut wanted: Vec<Level> = vec![Level::None; order.len()];
        for (place, &at) in order.iter().enumerate() {
            let step = step_at(&steps[at], order.len(), place, down);
            wanted[at] = step.map_or(Level::None, |step| step.level);
        }
        let files = &survey.files;
        let mut new: Vec<Option<Surveyed>> = Vec::with_capacity(files.len());
        progress.begin(Stage::Compress, Some(files.len()));
        ordered(
            files.len(),
            self.options.thread_count(),
            self.options.memory().ahead(),
            |at| files[at].meta.bytes,
            |at| match steps[at].len() {
                0 | 1 => None,
                _ => self.at_another(&files[at], wanted[at], &steps[at]),
            },
            |_, file| {
                progress.advance(1);
                new.push(file);
                stop_if(cancel)
            },
        );
        cancelled(cancel)?;
        let left_out = survey.left_out.clone();
        let mut files = std::mem::take(&mut survey.files);
        for (at, new) in new.into_iter().enumerate() {
            let Some(new) = new else { continue };
            let step = steps[at].iter_mut().find(|step| step.level == wanted[at]);
            if let Some(step) = step {
                step.tokens = new.meta.upper;
            }
            files[at] = new;
        }
        Ok(survey.with(files, left_out))
    }

    /// The file at another level; `None` where it stays as it is.
    fn at_another(&self, file: &Surveyed, level: Level, steps: &Steps) -> Option<Surveyed> {
        let Form::Compressed(how) = self.options.shorten.lowering(file.form) else {
            return None;
        };
        if how.level == level {
            return None;
        }
        let form = Form::Compressed(Compression { level, ..how });
        let text = self.clean_text(file)?;
        let before = &file.meta;
        let mut meta = describe(
            before.path.clone(),
            &text,
            before.hash,
            self.options.model.tokenizer,
        );
        let is_kept = |note: &&Note| !matches!(note, Note::Shortened { .. });
        meta.notes = before.notes.iter().filter(is_kept).cloned().collect();
        let loaded = Loaded {
            meta,
            text,
            findings: Vec::new(),
            replaced: Arc::default(),
        };
        let draft = steps.iter().find(|step| step.level == level);
        let draft = draft.and_then(|step| step.draft.clone());
        let loaded = shortened_from(&self.options, loaded, form, draft);
        Some(Surveyed {
            meta: loaded.meta,
            kept: file.kept.is_some().then_some(loaded.text),
            form,
            ..file.without_text()
        })
    }
}

/// The bytes of drafts that may still be kept.
struct Room(AtomicUsize);

impl Room {
    fn of(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// The draft, if there is room for it and it is worth it: one that is nearly the
    /// whole text is made again with the parsing that checking others takes.
    fn keep(&self, draft: Draft) -> Option<Draft> {
        let take = |room: usize| room.checked_sub(draft.text().len());
        let order = Ordering::Relaxed;
        let is_kept =
            draft.level() > Level::Minimal && self.0.fetch_update(order, order, take).is_ok();
        is_kept.then_some(draft)
    }
}

/// Data and licences do not push source below this level: they are left out first.
const LOWEST_FOR_BALLAST: usize = Level::Balanced as usize;

/// How many of the least wanted files are left out, because there are only data,
/// licences and generated files among them and the others would become too short.
fn ballast_to_drop(survey: &Survey, steps: &[Steps], order: &[usize], target: usize) -> usize {
    let is_ballast = |at: &&usize| Kind::of(&survey.files[**at].meta) == Kind::Ballast;
    let ballast = order.iter().rev().take_while(is_ballast).count();
    let is_short = |dropped: usize| {
        let kept = &order[..order.len() - dropped];
        least_lowering(steps, kept, target) > LOWEST_FOR_BALLAST * kept.len()
    };
    let (mut low, mut high) = (0, ballast);
    while low < high {
        let middle = low + (high - low) / 2;
        match is_short(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// The survey without the last files of the order.
fn without(
    mut survey: Survey,
    mut steps: Vec<Steps>,
    order: &[usize],
    dropped: usize,
) -> (Survey, Vec<Steps>, Vec<usize>) {
    let (kept, gone) = order.split_at(order.len() - dropped);
    if gone.is_empty() {
        return (survey, steps, kept.to_vec());
    }
    let mut left_out = survey.left_out.clone();
    let mut places: Vec<Option<usize>> = vec![None; order.len()];
    for &at in kept {
        places[at] = Some(at);
    }
    let mut next = 0;
    for (at, place) in places.iter_mut().enumerate() {
        match place {
            Some(place) => {
                *place = next;
                next += 1;
            }
            None => left_out.push(LeftOut {
                path: survey.files[at].meta.path.clone(),
                is_dir: false,
                reason: Reason::OverBudget,
            }),
        }
    }
    let mut stays = places.iter();
    steps.retain(|_| stays.next().is_some_and(Option::is_some));
    let files = std::mem::take(&mut survey.files).into_iter().zip(&places);
    let files = files.filter_map(|(file, place)| place.is_some().then_some(file));
    let files: Vec<Surveyed> = files.collect();
    let order = kept.iter().filter_map(|&at| places[at]).collect();
    (survey.with(files, left_out), steps, order)
}

fn stop_if(cancel: &Cancel) -> ControlFlow<()> {
    match cancel.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn cancelled(cancel: &Cancel) -> Result<(), PackError> {
    match cancel.is_cancelled() {
        true => Err(PackError::Cancelled),
        false => Ok(()),
    }
}

/// The step of a file after `down` lowerings in all: one after the other from the file
/// that is wanted least, round after round.
fn step_at(steps: &Steps, files: usize, place: usize, down: usize) -> Option<&Step> {
    let rounds = down / files.max(1) + usize::from(place + down % files.max(1) >= files);
    steps.get(rounds.min(steps.len().saturating_sub(1)))
}

fn lowest(steps: &[Steps], order: &[usize]) -> usize {
    let most = steps.iter().map(Vec::len).max().unwrap_or(1);
    most.saturating_sub(1) * order.len()
}

/// What the files take after so many lowerings.
fn tokens_at(steps: &[Steps], order: &[usize], down: usize) -> usize {
    let places = order.iter().enumerate();
    places
        .filter_map(|(place, &at)| step_at(&steps[at], order.len(), place, down))
        .map(|step| step.tokens)
        .sum()
}

/// The fewest lowerings after which the files take no more than `target`; all of them
/// where that is never so.
fn least_lowering(steps: &[Steps], order: &[usize], target: usize) -> usize {
    let (mut low, mut high) = (0, lowest(steps, order));
    while low < high {
        let middle = low + (high - low) / 2;
        match tokens_at(steps, order, middle) <= target {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_wanted_go_down_first_and_all_once_before_any_twice() {
        let steps: Vec<Steps> = (0..3)
            .map(|_| {
                vec![
                    Step::new(Level::None, 10),
                    Step::new(Level::Minimal, 6),
                    Step::new(Level::Balanced, 1),
                ]
            })
            .collect();
        let order = [0, 1, 2];
        let at = |target| {
            let down = least_lowering(&steps, &order, target);
            let place = |place: usize| step_at(&steps[place], 3, place, down).unwrap().tokens;
            [place(0), place(1), place(2)]
        };
        assert_eq!(at(30), [10, 10, 10]);
        assert_eq!(at(29), [10, 10, 6]);
        assert_eq!(at(18), [6, 6, 6]);
        assert_eq!(at(17), [6, 6, 1]);
        assert_eq!(at(0), [1, 1, 1]);
    }
}
