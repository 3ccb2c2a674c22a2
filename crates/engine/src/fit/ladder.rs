//! Fits files into a budget by compression levels: the caller compresses the files to the levels
//! that `levels` chooses and measures the output, until it fits and fills the budget.

use super::levels::{FileLevels, Plan, chosen, cost_of};

/// Maximum rounds of choosing: each has better estimates of the sizes.
const ROUNDS: usize = 8;

/// A plan fills the budget if it leaves less than 1/50 of it unused.
const SLACK: usize = 50;

/// Files that can be compressed.
pub trait LevelFiles {
    /// Reason why the caller stops, such as a cancellation.
    type Error;

    /// Returns the number of files.
    fn count(&self) -> usize;

    /// Returns the exact tokens of the output for the files and steps of a plan. Writes the tokens
    /// around the contents of each file to `frames`.
    ///
    /// # Errors
    /// If the caller cancels.
    fn size_of(&mut self, plan: &Plan, frames: &mut [usize]) -> Result<usize, Self::Error>;

    /// Returns the files in the order of preference.
    ///
    /// # Errors
    /// If the caller cancels.
    fn order(&self) -> Result<Vec<usize>, Self::Error>;

    /// Returns the estimated tokens of each file at each level, without its frame.
    ///
    /// # Errors
    /// If the caller cancels.
    fn levels(&self) -> Result<Vec<FileLevels>, Self::Error>;

    /// Compresses the files to the steps of a plan. Writes their new token counts to `files`.
    ///
    /// # Errors
    /// If the caller cancels.
    fn compress(&mut self, files: &mut [FileLevels], plan: &Plan) -> Result<(), Self::Error>;
}

/// Result of compressing for a budget. The files are in the last state that the caller produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// Compression does not help: all files fit anyway, or none does at any level.
    All,
    /// The files of the plan fill the budget.
    Full(Plan),
    /// The files of the plan fit, with budget left.
    Loose(Plan),
}

/// Chooses the levels of files so that all or most of them fit into `budget`. Does not compress if
/// everything fits.
///
/// # Errors
/// If the caller cancels.
pub fn compress_to_budget<F: LevelFiles>(
    files: &mut F,
    budget: usize,
) -> Result<LevelChoice, F::Error> {
    let all: Plan = vec![Some(0); files.count()];
    let mut frames = vec![0; files.count()];
    let size = files.size_of(&all, &mut frames)?;
    if size <= budget {
        return Ok(LevelChoice::All);
    }
    let order = files.order()?;
    let mut levels = files.levels()?;
    set_frames(&mut levels, &frames);
    let mut around = size.saturating_sub(cost_of(&levels, &all));
    let mut best: Option<Best> = None;
    let mut last = all;
    for _ in 0..ROUNDS {
        let plan = chosen(&levels, &order, budget.saturating_sub(around));
        if plan == last {
            break;
        }
        files.compress(&mut levels, &plan)?;
        let size = files.size_of(&plan, &mut frames)?;
        set_frames(&mut levels, &frames);
        around = size.saturating_sub(cost_of(&levels, &plan));
        let count = plan.iter().flatten().count();
        let is_better = |best: &Best| (count, size) > (best.count, best.size);
        if size <= budget && best.as_ref().is_none_or(is_better) {
            let plan = plan.clone();
            best = Some(Best { count, size, plan });
        }
        last = plan;
    }
    let Some(Best { size, plan, .. }) = best else {
        return Ok(LevelChoice::All);
    };
    if plan != last {
        files.compress(&mut levels, &plan)?;
    }
    Ok(match budget - size < budget / SLACK {
        true => LevelChoice::Full(plan),
        false => LevelChoice::Loose(plan),
    })
}

/// The plan that keeps most files and uses most of the budget.
struct Best {
    count: usize,
    size: usize,
    plan: Plan,
}

fn set_frames(levels: &mut [FileLevels], frames: &[usize]) {
    for (file, frame) in levels.iter_mut().zip(frames) {
        file.frame = *frame;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use loom_syntax::Level;

    use super::super::levels::Step;
    use super::*;

    /// Files with these tokens at each level, a header, and a frame around each.
    struct Numbers {
        steps: Vec<Vec<usize>>,
        now: Vec<usize>,
    }

    const HEAD: usize = 10;
    const FRAME: usize = 2;

    impl LevelFiles for Numbers {
        type Error = Infallible;

        fn count(&self) -> usize {
            self.steps.len()
        }

        fn size_of(&mut self, plan: &Plan, frames: &mut [usize]) -> Result<usize, Infallible> {
            let mut size = HEAD;
            for (at, _) in plan.iter().enumerate().filter(|(_, step)| step.is_some()) {
                frames[at] = FRAME;
                size += FRAME + self.steps[at][self.now[at]];
            }
            Ok(size)
        }

        fn order(&self) -> Result<Vec<usize>, Infallible> {
            Ok((0..self.count()).collect())
        }

        fn levels(&self) -> Result<Vec<FileLevels>, Infallible> {
            let file = |tokens: &Vec<usize>| FileLevels {
                steps: Level::ALL
                    .into_iter()
                    .zip(tokens)
                    .map(|(level, tokens)| Step::new(level, *tokens))
                    .collect(),
                frame: 0,
                is_ballast: false,
            };
            Ok(self.steps.iter().map(file).collect())
        }

        fn compress(&mut self, _: &mut [FileLevels], plan: &Plan) -> Result<(), Infallible> {
            for (now, step) in self.now.iter_mut().zip(plan) {
                *now = step.unwrap_or(*now);
            }
            Ok(())
        }
    }

    fn check(steps: &[&[usize]], budget: usize, expected: &LevelChoice) {
        let mut files = Numbers {
            steps: steps.iter().map(|tokens| tokens.to_vec()).collect(),
            now: vec![0; steps.len()],
        };
        let found = compress_to_budget(&mut files, budget).unwrap();
        assert_eq!(found, *expected, "{budget}");
    }

    #[test]
    fn files_are_lowered_until_the_output_fits() {
        let files: [&[usize]; 2] = [&[100, 40], &[100, 40]];
        check(&files, 214, &LevelChoice::All);
        check(&files, 154, &LevelChoice::Full(vec![Some(0), Some(1)]));
        check(&files, 100, &LevelChoice::Loose(vec![Some(1), Some(1)]));
        check(&files, 60, &LevelChoice::Loose(vec![Some(1), None]));
        check(&files, 20, &LevelChoice::Loose(vec![None, None]));
        check(&files, 5, &LevelChoice::All);
    }
}
