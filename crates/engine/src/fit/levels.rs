//! Assigns compression levels to files so that all of them fit a budget: it prefers every file at a
//! stronger level to a subset of the files. It only calculates; the caller supplies the size at
//! each level.

use loom_syntax::{Draft, Level};

/// Data and licences do not push source beyond this level: they are excluded first.
const LOWEST_FOR_BALLAST: usize = Level::Balanced as usize;

/// A file at each possible level.
pub struct FileLevels {
    /// Levels, the weakest first; there is always one.
    pub steps: Vec<Step>,
    /// Estimated tokens around its contents, independent of the level.
    pub frame: usize,
    /// True for data, licences and generated files.
    pub is_ballast: bool,
}

/// A file at a level.
pub struct Step {
    /// The level.
    pub level: Level,
    /// Estimated tokens of its contents.
    pub tokens: usize,
    /// Compressed text, if there was memory to keep it.
    pub draft: Option<Draft>,
}

impl Step {
    /// Creates a step without text, with an estimated size.
    pub fn new(level: Level, tokens: usize) -> Self {
        Self {
            level,
            tokens,
            draft: None,
        }
    }
}

impl FileLevels {
    /// Returns the tokens of the file at a step.
    pub fn cost(&self, step: usize) -> usize {
        self.frame + self.steps.get(step).map_or(0, |step| step.tokens)
    }

    /// Returns the smallest step.
    fn lowest(&self) -> usize {
        let steps = self.steps.iter().enumerate().rev();
        let least = steps.min_by_key(|(_, step)| step.tokens);
        least.map_or(0, |(at, _)| at)
    }

    /// Returns the step after this number of rounds of lowering.
    fn after(&self, rounds: usize) -> usize {
        rounds.min(self.steps.len().saturating_sub(1))
    }
}

/// Step of each file; `None` for an excluded one.
pub type Plan = Vec<Option<usize>>;

/// Returns the tokens of the files in a plan.
pub(super) fn cost_of(files: &[FileLevels], plan: &Plan) -> usize {
    let taken = files.iter().zip(plan);
    taken
        .filter_map(|(file, step)| step.map(|step| file.cost(step)))
        .sum()
}

/// Returns the steps with which the files need at most `target` tokens, and use it well.
///
/// Lowers the files one after the other, starting with the least preferred, and none by two steps
/// before all have been lowered by one. Excludes a file whose lowest step does not fit. Then it
/// uses the rest to raise files again: the lowest first, and among equals in the order of
/// preference.
pub(super) fn chosen(files: &[FileLevels], order: &[usize], target: usize) -> Plan {
    // A file that does not fit even by itself takes no budget from others.
    let fits = |at: &usize| files[*at].cost(files[*at].lowest()) <= target;
    let order: Vec<usize> = order.iter().copied().filter(fits).collect();
    let order = order.as_slice();
    let kept = &order[..order.len() - ballast_to_drop(files, order, target)];
    let down = least_lowering(files, kept, target);
    let mut plan: Plan = vec![None; files.len()];
    let mut room = target;
    if tokens_at(files, kept, down) <= target {
        for (place, &at) in kept.iter().enumerate() {
            let step = files[at].after(rounds(kept.len(), place, down));
            plan[at] = Some(step);
            room -= files[at].cost(step);
        }
    }
    for &at in order {
        let step = files[at].lowest();
        let cost = files[at].cost(step);
        if plan[at].is_none() && cost <= room {
            plan[at] = Some(step);
            room -= cost;
        }
    }
    lift(files, order, &mut plan, room);
    plan
}

/// Raises files while they fit.
fn lift(files: &[FileLevels], order: &[usize], plan: &mut Plan, mut room: usize) {
    let deepest = plan.iter().flatten().copied().max().unwrap_or(0);
    for richer in (0..deepest).rev() {
        for &at in order {
            let Some(step) = plan[at].filter(|step| *step > richer) else {
                continue;
            };
            let (before, after) = (files[at].cost(step), files[at].cost(richer));
            if after <= before + room {
                room = room + before - after;
                plan[at] = Some(richer);
            }
        }
    }
}

/// Returns how many of the least preferred files to exclude, because they are only data, licences
/// and generated files, and the others would become too short.
fn ballast_to_drop(files: &[FileLevels], order: &[usize], target: usize) -> usize {
    let is_ballast = |at: &&usize| files[**at].is_ballast;
    let ballast = order.iter().rev().take_while(is_ballast).count();
    let is_short = |dropped: usize| {
        let kept = &order[..order.len() - dropped];
        least_lowering(files, kept, target) > LOWEST_FOR_BALLAST * kept.len()
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

/// Returns how often the file at a position of the order is lowered after `down` lowerings in
/// total: one after the other from the least preferred file, round after round.
fn rounds(files: usize, place: usize, down: usize) -> usize {
    let files = files.max(1);
    down / files + usize::from(place + down % files >= files)
}

fn deepest(files: &[FileLevels], order: &[usize]) -> usize {
    let steps = order.iter().map(|&at| files[at].steps.len());
    steps.max().unwrap_or(1).saturating_sub(1) * order.len()
}

/// Returns the tokens of the files after this number of lowerings.
fn tokens_at(files: &[FileLevels], order: &[usize], down: usize) -> usize {
    let places = order.iter().enumerate();
    places
        .map(|(place, &at)| {
            let step = files[at].after(rounds(order.len(), place, down));
            files[at].cost(step)
        })
        .sum()
}

/// Returns the fewest lowerings after which the files need at most `target` tokens; all of them if
/// that is impossible.
fn least_lowering(files: &[FileLevels], order: &[usize], target: usize) -> usize {
    let (mut low, mut high) = (0, deepest(files, order));
    while low < high {
        let middle = low + (high - low) / 2;
        match tokens_at(files, order, middle) <= target {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(tokens: &[usize]) -> FileLevels {
        let steps = Level::ALL.into_iter().zip(tokens);
        FileLevels {
            steps: steps
                .map(|(level, tokens)| Step::new(level, *tokens))
                .collect(),
            frame: 0,
            is_ballast: false,
        }
    }

    /// Compares the tokens of each file; 0 for an excluded one.
    fn check(files: &[FileLevels], target: usize, expected: &[usize]) {
        let order: Vec<usize> = (0..files.len()).collect();
        let plan = chosen(files, &order, target);
        let taken = files.iter().zip(&plan);
        let taken = taken.map(|(file, step)| step.map_or(0, |step| file.cost(step)));
        let taken: Vec<usize> = taken.collect();
        assert_eq!(taken, expected, "{target}");
        assert!(cost_of(files, &plan) <= target);
    }

    #[test]
    fn least_preferred_files_are_lowered_first_and_all_once_before_any_twice() {
        let files = [file(&[10, 6, 1]), file(&[10, 6, 1]), file(&[10, 6, 1])];
        check(&files, 30, &[10, 10, 10]);
        check(&files, 29, &[10, 10, 6]);
        check(&files, 18, &[6, 6, 6]);
        // The rest raises the most preferred file.
        check(&files, 17, &[10, 6, 1]);
        check(&files, 3, &[1, 1, 1]);
        check(&files, 2, &[1, 1, 0]);
    }

    #[test]
    fn unused_budget_raises_files_again() {
        // A file that cannot be lowered enough is excluded, and the others get its budget.
        check(&[file(&[90, 80]), file(&[9, 5, 1])], 30, &[0, 9]);
        // A large file was lowered more than necessary: small ones are raised again.
        let files = [file(&[9, 5]), file(&[9, 5]), file(&[100, 40])];
        check(&files, 58, &[9, 9, 40]);
        check(&files, 55, &[9, 5, 40]);
    }

    #[test]
    fn data_does_not_lower_source_and_gets_the_unused_budget() {
        let mut files = vec![file(&[30, 20, 10, 5, 2]), file(&[50, 25]), file(&[4])];
        files[1].is_ballast = true;
        files[2].is_ballast = true;
        check(&files, 20, &[10, 0, 4]);
        check(&files, 36, &[10, 25, 0]);
    }
}
