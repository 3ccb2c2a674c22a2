//! Which file takes which level, so that all of them together keep a budget: rather
//! every file at a lower level than a part of the files. Numbers alone; the caller says
//! what a level leaves of a file.

use loom_syntax::{Draft, Level};

/// Data and licences do not push source below this level: they are left out first.
const LOWEST_FOR_BALLAST: usize = Level::Balanced as usize;

/// A file at each level that it may take.
pub struct FileLevels {
    /// The levels, the gentlest first; there is always one.
    pub steps: Vec<Step>,
    /// About what stands around its contents, whatever the level.
    pub frame: usize,
    /// True if it is data, a licence or generated.
    pub is_ballast: bool,
}

/// A file at a level.
pub struct Step {
    /// The level.
    pub level: Level,
    /// About what its contents take.
    pub tokens: usize,
    /// What it looks like, where there was room to keep that.
    pub draft: Option<Draft>,
}

impl Step {
    /// A step that is not made yet, with about so many tokens.
    pub fn new(level: Level, tokens: usize) -> Self {
        Self {
            level,
            tokens,
            draft: None,
        }
    }
}

impl FileLevels {
    /// What the file takes at that step.
    pub fn cost(&self, step: usize) -> usize {
        self.frame + self.steps.get(step).map_or(0, |step| step.tokens)
    }

    /// The step that takes least.
    fn lowest(&self) -> usize {
        let steps = self.steps.iter().enumerate().rev();
        let least = steps.min_by_key(|(_, step)| step.tokens);
        least.map_or(0, |(at, _)| at)
    }

    /// The step after so many rounds of lowering.
    fn after(&self, rounds: usize) -> usize {
        rounds.min(self.steps.len().saturating_sub(1))
    }
}

/// The step of each file; `None` for one that is left out.
pub type Plan = Vec<Option<usize>>;

/// What the files of a plan take.
pub(super) fn cost_of(files: &[FileLevels], plan: &Plan) -> usize {
    let taken = files.iter().zip(plan);
    taken
        .filter_map(|(file, step)| step.map(|step| file.cost(step)))
        .sum()
}

/// The steps with which the files take no more than `target`, which is well used.
///
/// Files go down one after the other from the one that is wanted least, and none goes
/// down two steps before all have gone down one. What does not even fit at its lowest
/// step is left out. Then what room is left lifts files again, those that are lowest
/// first, and among them in the order of what is wanted.
pub(super) fn chosen(files: &[FileLevels], order: &[usize], target: usize) -> Plan {
    // What does not fit even alone takes no room from others.
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

/// Lifts files while there is room.
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

/// How many of the least wanted files are left out, because there are only data,
/// licences and generated files among them and the others would become too short.
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

/// How often the file at a place of the order is lowered after `down` lowerings in all:
/// one after the other from the file that is wanted least, round after round.
fn rounds(files: usize, place: usize, down: usize) -> usize {
    let files = files.max(1);
    down / files + usize::from(place + down % files >= files)
}

fn deepest(files: &[FileLevels], order: &[usize]) -> usize {
    let steps = order.iter().map(|&at| files[at].steps.len());
    steps.max().unwrap_or(1).saturating_sub(1) * order.len()
}

/// What the files take after so many lowerings.
fn tokens_at(files: &[FileLevels], order: &[usize], down: usize) -> usize {
    let places = order.iter().enumerate();
    places
        .map(|(place, &at)| {
            let step = files[at].after(rounds(order.len(), place, down));
            files[at].cost(step)
        })
        .sum()
}

/// The fewest lowerings after which the files take no more than `target`; all of them
/// where that is never so.
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

    /// What each file takes; 0 for one that is left out.
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
    fn the_least_wanted_go_down_first_and_all_once_before_any_twice() {
        let files = [file(&[10, 6, 1]), file(&[10, 6, 1]), file(&[10, 6, 1])];
        check(&files, 30, &[10, 10, 10]);
        check(&files, 29, &[10, 10, 6]);
        check(&files, 18, &[6, 6, 6]);
        // What is left lifts the one that is wanted most.
        check(&files, 17, &[10, 6, 1]);
        check(&files, 3, &[1, 1, 1]);
        check(&files, 2, &[1, 1, 0]);
    }

    #[test]
    fn room_that_is_left_lifts_files_again() {
        // One that cannot be lowered far enough is left out, and the others get its room.
        check(&[file(&[90, 80]), file(&[9, 5, 1])], 30, &[0, 9]);
        // A large one went down further than it takes: small ones go up again.
        let files = [file(&[9, 5]), file(&[9, 5]), file(&[100, 40])];
        check(&files, 58, &[9, 9, 40]);
        check(&files, 55, &[9, 5, 40]);
    }

    #[test]
    fn data_does_not_push_source_down_and_has_the_room_that_is_left() {
        let mut files = vec![file(&[30, 20, 10, 5, 2]), file(&[50, 25]), file(&[4])];
        files[1].is_ballast = true;
        files[2].is_ballast = true;
        check(&files, 20, &[10, 0, 4]);
        check(&files, 36, &[10, 25, 0]);
    }
}
