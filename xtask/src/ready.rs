//! `cargo xtask ready`: all checks before a commit, cheapest first. It stops at the first failure
//! and prints the command that repeats that step.

use std::path::Path;

use anyhow::{Result, bail};

use crate::invocation::Invocation;
use crate::stopwatch::Stopwatch;
use crate::{test, tidy, tools};

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("usage: cargo xtask ready");
    }
    let mut watch = Stopwatch::default();
    let outcome = steps()
        .iter()
        .try_for_each(|step| take(root, step, &mut watch));
    println!("\n{}", watch.table().trim_end());
    outcome
}

/// One line of the closing table.
struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    Program(Invocation),
    /// Needs cargo-deny, which may be missing.
    Deny(Invocation),
    /// Needs cargo-deny and a database from the network: its failure is a note.
    Advisories(Invocation),
    Tidy,
    Test,
}

fn steps() -> Vec<Step> {
    use Work::{Advisories, Deny, Program, Test, Tidy};

    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    let rustdoc = Invocation::cargo(&["doc", "--no-deps", "--workspace"]);
    let licences = ["deny", "check", "licenses", "bans", "sources"];
    let step = |name, work| Step { name, work };
    vec![
        step(
            "format",
            Program(Invocation::cargo(&["fmt", "--all", "--check"])),
        ),
        step("clippy", Program(Invocation::cargo(&clippy))),
        step("licences", Deny(Invocation::cargo(&licences))),
        step(
            "advisories",
            Advisories(Invocation::cargo(&["deny", "check", "advisories"])),
        ),
        step(
            "rustdoc",
            Program(rustdoc.environment("RUSTDOCFLAGS", "-D warnings")),
        ),
        step("tidy", Tidy),
        step("test", Test),
    ]
}

fn take(root: &Path, step: &Step, watch: &mut Stopwatch) -> Result<()> {
    println!("== {}: {}", step.name, step.work.as_typed());
    let outcome = watch.time(step.name, || step.work.done(root), describe);
    match outcome {
        Ok(_) => Ok(()),
        Err(error) => bail!("{error:#}\nrepeat this step with: {}", step.work.as_typed()),
    }
}

/// Result of a step that did not fail.
enum Done {
    Passed,
    /// Not run, or not counted, with the reason.
    Note(String),
}

fn describe(outcome: &Result<Done>) -> String {
    match outcome {
        Ok(Done::Passed) => "ok".to_owned(),
        Ok(Done::Note(note)) => note.clone(),
        Err(_) => "FAILED".to_owned(),
    }
}

impl Work {
    fn as_typed(&self) -> String {
        match self {
            Self::Program(program) | Self::Deny(program) | Self::Advisories(program) => {
                program.to_string()
            }
            Self::Tidy => "cargo xtask tidy".to_owned(),
            Self::Test => "cargo xtask test".to_owned(),
        }
    }

    fn done(&self, root: &Path) -> Result<Done> {
        match self {
            Self::Deny(_) | Self::Advisories(_) if !tools::on_path("cargo-deny") => {
                let note =
                    "NOT CHECKED: cargo-deny is missing, `cargo install --locked cargo-deny`";
                return Ok(Done::Note(note.to_owned()));
            }
            Self::Program(program) | Self::Deny(program) => program.run(root)?,
            Self::Advisories(program) => return Ok(advisories(&program.run(root))),
            Self::Tidy => tidy::command(root, &[])?,
            Self::Test => test::command(root, &[])?,
        }
        Ok(Done::Passed)
    }
}

fn advisories(outcome: &Result<()>) -> Done {
    match outcome {
        Ok(()) => Done::Passed,
        Err(_) => Done::Note("note: see above, an advisory or an unreachable database".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Work {
        Work::Program(Invocation::new("sh", &["-c", script]))
    }

    #[test]
    fn a_failing_step_says_how_to_repeat_it() {
        let mut watch = Stopwatch::default();
        let step = Step {
            name: "format",
            work: shell("exit 1"),
        };
        let error = take(Path::new("."), &step, &mut watch)
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("repeat this step with: sh -c 'exit 1'"),
            "{error}"
        );
        assert!(watch.table().ends_with("FAILED\n"));
    }

    #[test]
    fn a_passing_step_is_timed() {
        let mut watch = Stopwatch::default();
        let step = Step {
            name: "format",
            work: shell("true"),
        };
        take(Path::new("."), &step, &mut watch).unwrap();
        assert!(watch.table().ends_with("ok\n"));
    }

    #[test]
    fn advisories_never_fail_the_run() {
        let work = Work::Advisories(Invocation::new("sh", &["-c", "exit 1"]));
        assert!(matches!(work.done(Path::new(".")), Ok(Done::Note(_))));
    }
}
