//! `cargo xtask test`: installs the requirements of the suites, runs them, and prints a table and
//! one line of sums.

use std::iter::Sum;
use std::path::Path;

use anyhow::{Result, bail};

use crate::invocation::Invocation;
use crate::stopwatch::Stopwatch;
use crate::suites::{SUITES, Suite, present};
use crate::tools;

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let selected = parse(arguments)?;
    let suites: Vec<&Suite> = present(root)
        .filter(|suite| selected.is_empty() || selected.contains(&suite.name))
        .collect();
    if suites.is_empty() {
        bail!("this checkout has none of the suites asked for");
    }
    let needs: Vec<_> = suites
        .iter()
        .flat_map(|suite| suite.needs)
        .copied()
        .collect();
    tools::provide(root, &needs)?;
    run_all(root, &suites)
}

/// Returns the names given with `--only`, or all suites.
fn parse(arguments: &[String]) -> Result<Vec<&'static str>> {
    let mut selected = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let name = match argument.as_str() {
            "--only" => rest.next().map_or("", String::as_str),
            _ => bail!("unknown argument `{argument}`\nusage: cargo xtask test [--only SUITE]..."),
        };
        let Some(suite) = SUITES.iter().find(|suite| suite.name == name) else {
            let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
            bail!("no suite `{name}`; there is {}", names.join(", "));
        };
        selected.push(suite.name);
    }
    Ok(selected)
}

fn run_all(root: &Path, suites: &[&Suite]) -> Result<()> {
    let mut watch = Stopwatch::default();
    let mut reports = Vec::new();
    for suite in suites {
        let run = || run_suite(root, &(suite.steps)());
        reports.push(watch.time(suite.name, run, describe));
    }
    let failures = reports.iter().filter(|report| report.is_err()).count();
    println!("\n{}", watch.table().trim_end());
    println!("{}", reports.iter().map(counted).sum::<Counts>());
    if failures > 0 {
        bail!("{failures} of {} suites failed", suites.len());
    }
    Ok(())
}

/// The counts of a suite, and the failed command if there is one.
type Report = Result<Counts, (Counts, String)>;

fn run_suite(root: &Path, steps: &[Invocation]) -> Report {
    let mut counts = Counts::default();
    for step in steps {
        println!("== {step}");
        let failed = |counts: Counts| (counts.at_least_one_failure(), step.to_string());
        let echo = match step.echo(root) {
            Ok(echo) => echo,
            Err(error) => {
                eprintln!("error: {error:#}");
                return Err(failed(counts));
            }
        };
        counts = [counts]
            .into_iter()
            .chain(echo.lines.iter().filter_map(|line| read(line)))
            .sum();
        if !echo.success {
            return Err(failed(counts));
        }
    }
    Ok(counts)
}

fn describe(report: &Report) -> String {
    match report {
        Ok(counts) => counts.to_string(),
        Err((counts, command)) => format!("FAILED ({counts}), repeat with: {command}"),
    }
}

fn counted(report: &Report) -> Counts {
    match report {
        Ok(counts) | Err((counts, _)) => *counts,
    }
}

/// Counts of tests by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
}

impl Counts {
    /// Counts at least one failure. A suite that does not even compile has no failed test, and must
    /// not end with "0 failed".
    fn at_least_one_failure(self) -> Self {
        let failed = self.failed.max(1);
        Self { failed, ..self }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            passed: sum.passed + one.passed,
            failed: sum.failed + one.failed,
        })
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Parses the closing line of nextest or of the standard runner.
fn read(line: &str) -> Option<Counts> {
    let nextest = line.trim_start().starts_with("Summary [");
    if !nextest && !line.starts_with("test result:") {
        return None;
    }
    let words: Vec<&str> = line
        .split([' ', ',', ';', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    let number_before = |name| {
        let pair = words.windows(2).find(|pair| pair[1] == name)?;
        pair[0].parse::<u64>().ok()
    };
    Some(Counts {
        passed: number_before("passed")?,
        failed: number_before("failed").unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(u64, u64)>) {
        let expected = expected.map(|(passed, failed)| Counts { passed, failed });
        assert_eq!(read(line), expected, "{line}");
    }

    #[test]
    fn closing_lines_are_read() {
        check(
            "     Summary [   0.512s] 7 tests run: 7 passed, 2 skipped",
            Some((7, 0)),
        );
        check(
            "     Summary [  60.1s] 9 tests run: 7 passed (1 slow), 2 failed, 0 skipped",
            Some((7, 2)),
        );
        check(
            "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
            Some((4, 1)),
        );
        check("test tests::seven_passed ... ok", None);
        check("the Summary [ of a book", None);
    }

    #[test]
    fn counts_of_all_steps_add_up() {
        let say = |text: &str| Invocation::new("echo", &[text]);
        let steps = [
            say("test result: ok. 2 passed; 0 failed;"),
            say("     Summary [ 1s] 3 tests run: 3 passed, 0 skipped"),
        ];
        let report = run_suite(Path::new("."), &steps);
        assert_eq!(
            report,
            Ok(Counts {
                passed: 5,
                failed: 0
            })
        );
    }

    #[test]
    fn a_step_that_fails_without_a_count_is_a_failure() {
        let steps = [
            Invocation::new("sh", &["-c", "exit 1"]),
            Invocation::new("echo", &["later"]),
        ];
        let counts = Counts {
            passed: 0,
            failed: 1,
        };
        let report = run_suite(Path::new("."), &steps);
        assert_eq!(report, Err((counts, "sh -c 'exit 1'".to_owned())));
    }

    #[test]
    fn only_takes_known_names() {
        let arguments = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(parse(&arguments(&["--only", "rust"])).unwrap(), ["rust"]);
        assert!(parse(&arguments(&["--only", "cobol"])).is_err());
        assert!(parse(&arguments(&["--only"])).is_err());
        assert!(parse(&arguments(&["rust"])).is_err());
    }
}
