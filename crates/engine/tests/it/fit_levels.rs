//! Compression levels for a budget, with files that are only numbers.

use std::convert::Infallible;

use loom_engine::fit::{FileLevels, LevelChoice, LevelFiles, Plan, Step, compress_to_budget};
use loom_syntax::Level;
use proptest::prelude::*;

const HEAD: usize = 10;

/// Files with a number of tokens at each level. The exact number is known only after compression;
/// before, the estimate is wrong by `miss` percent.
#[derive(Clone, Debug)]
struct Numbers {
    steps: Vec<Vec<usize>>,
    ballast: Vec<bool>,
    order: Vec<usize>,
    frame: usize,
    miss: usize,
    now: Vec<usize>,
    made: usize,
}

impl Numbers {
    fn new(steps: &[Vec<usize>]) -> Self {
        Self {
            steps: steps.to_vec(),
            ballast: vec![false; steps.len()],
            order: (0..steps.len()).collect(),
            frame: 0,
            miss: 100,
            now: vec![0; steps.len()],
            made: 0,
        }
    }

    fn size(&self, plan: &Plan) -> usize {
        let taken = plan.iter().enumerate().filter(|(_, step)| step.is_some());
        HEAD + taken
            .map(|(at, _)| self.frame + self.steps[at][self.now[at]])
            .sum::<usize>()
    }
}

impl LevelFiles for Numbers {
    type Error = Infallible;

    fn count(&self) -> usize {
        self.steps.len()
    }

    fn size_of(&mut self, plan: &Plan, frames: &mut [usize]) -> Result<usize, Infallible> {
        for (frame, step) in frames.iter_mut().zip(plan) {
            *frame = step.map_or(*frame, |_| self.frame);
        }
        Ok(self.size(plan))
    }

    fn order(&self) -> Result<Vec<usize>, Infallible> {
        Ok(self.order.clone())
    }

    fn levels(&self) -> Result<Vec<FileLevels>, Infallible> {
        let step = |(at, (level, tokens)): (usize, (Level, &usize))| {
            let guess = if at == 0 {
                *tokens
            } else {
                tokens * self.miss / 100
            };
            Step::new(level, guess)
        };
        let file = |(tokens, is_ballast): (&Vec<usize>, &bool)| FileLevels {
            steps: Level::ALL
                .into_iter()
                .zip(tokens)
                .enumerate()
                .map(step)
                .collect(),
            frame: 0,
            is_ballast: *is_ballast,
        };
        Ok(self.steps.iter().zip(&self.ballast).map(file).collect())
    }

    fn compress(&mut self, files: &mut [FileLevels], plan: &Plan) -> Result<(), Infallible> {
        self.made += 1;
        for (at, step) in plan.iter().enumerate() {
            if let Some(step) = step {
                self.now[at] = *step;
                files[at].steps[*step].tokens = self.steps[at][*step];
            }
        }
        Ok(())
    }
}

/// Compares the tokens of each file; `-` for an excluded one.
fn check(files: &Numbers, budget: usize, expected: &str) {
    let mut files = files.clone();
    let choice = compress_to_budget(&mut files, budget).unwrap();
    let plan = match &choice {
        LevelChoice::All => return assert_eq!(expected, "all", "{budget}"),
        LevelChoice::Full(plan) | LevelChoice::Loose(plan) => plan,
    };
    let taken = plan.iter().enumerate().map(|(at, step)| match step {
        Some(step) => files.steps[at][*step].to_string(),
        None => "-".to_owned(),
    });
    let slack = if matches!(choice, LevelChoice::Full(_)) {
        ""
    } else {
        " loose"
    };
    assert_eq!(
        taken.collect::<Vec<_>>().join(" ") + slack,
        expected,
        "{budget}"
    );
    assert!(files.size(plan) <= budget);
}

fn levels(tokens: &[&[usize]]) -> Numbers {
    Numbers::new(&tokens.iter().map(|one| one.to_vec()).collect::<Vec<_>>())
}

#[test]
fn files_that_fit_stay_uncompressed() {
    let mut files = levels(&[&[100, 50], &[100, 50]]);
    check(&files, 210, "all");
    assert_eq!(compress_to_budget(&mut files, 210), Ok(LevelChoice::All));
    assert_eq!(files.made, 0);
}

#[test]
fn the_file_that_is_wanted_least_is_compressed_first() {
    let mut files = levels(&[&[100, 50], &[100, 50], &[100, 50]]);
    files.order = vec![2, 0, 1];
    check(&files, 260, "100 50 100");
    check(&files, 210, "50 50 100");
}

#[test]
fn every_file_stays_at_a_lower_level_before_one_is_left_out() {
    let tokens: &[usize] = &[1_000, 500, 100];
    let files = levels(&[tokens, tokens, tokens]);
    check(&files, 310, "100 100 100");
    check(&files, 210, "100 100 -");
    check(&files, 110, "100 - -");
}

#[test]
fn frames_around_files_count() {
    let mut files = levels(&[&[100, 50], &[100, 50]]);
    files.frame = 5;
    check(&files, 220, "all");
    check(&files, 219, "100 50 loose");
    check(&files, 119, "100 - loose");
}

#[test]
fn guesses_that_are_too_low_are_corrected_by_the_true_sizes() {
    for miss in [50, 80, 100] {
        let mut files = levels(&[&[100, 60], &[100, 60], &[100, 60], &[100, 60]]);
        files.miss = miss;
        check(&files, 250, "60 60 60 60");
    }
}

#[test]
fn data_is_left_out_before_source_goes_below_the_balanced_level() {
    let mut files = levels(&[&[100, 80, 60, 30, 5], &[100, 90]]);
    files.ballast[1] = true;
    check(&files, 70, "60 -");
    files.ballast[1] = false;
    check(&files, 110, "5 90 loose");
}

#[test]
fn a_level_that_takes_more_is_never_the_lowest() {
    let files = levels(&[&[100, 40, 70]]);
    check(&files, 60, "40 loose");
}

#[test]
fn where_not_even_the_head_fits_nothing_is_planned() {
    check(&levels(&[&[100, 50]]), 9, "all");
}

#[test]
fn a_plan_is_full_when_it_leaves_less_than_a_fiftieth() {
    let files = levels(&[&[1_000, 490]]);
    check(&files, 509, "490");
    check(&files, 510, "490 loose");
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let file = (prop::collection::vec(1usize..100, 1..6), any::<bool>()).prop_map(
        |(mut tokens, ballast)| {
            tokens.sort_unstable_by(|a, b| b.cmp(a));
            (tokens, ballast)
        },
    );
    (prop::collection::vec(file, 0..8), 0usize..6).prop_map(|(files, frame)| {
        let (steps, ballast): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        Numbers {
            ballast,
            frame,
            ..Numbers::new(&steps)
        }
    })
}

proptest! {
    #[test]
    fn a_plan_never_exceeds_the_budget_and_files_are_as_it_says(mut files in numbers(), budget in 0usize..600) {
        let all: Plan = vec![Some(0); files.count()];
        let whole = files.size(&all);
        match compress_to_budget(&mut files, budget).unwrap() {
            LevelChoice::All => prop_assert!(whole <= budget || budget < HEAD, "{whole}"),
            LevelChoice::Full(plan) => {
                let size = files.size(&plan);
                prop_assert!(size <= budget && budget - size < budget / 50);
                for (now, step) in files.now.iter().zip(&plan) {
                    prop_assert!(step.is_none_or(|step| step == *now));
                }
            }
            LevelChoice::Loose(plan) => prop_assert!(files.size(&plan) <= budget),
        }
    }

    #[test]
    fn a_larger_budget_never_keeps_fewer_source_files(steps in prop::collection::vec(1usize..60, 1..8), budget in HEAD..300) {
        let files = || Numbers::new(&steps.iter().map(|most| vec![*most, most.div_ceil(2)]).collect::<Vec<_>>());
        let count = |budget| match compress_to_budget(&mut files(), budget).unwrap() {
            LevelChoice::All => steps.len(),
            LevelChoice::Full(plan) | LevelChoice::Loose(plan) => plan.iter().flatten().count(),
        };
        prop_assert!(count(budget + 50) >= count(budget));
    }
}
