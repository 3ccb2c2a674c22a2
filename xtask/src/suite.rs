//! `cargo xtask suite`: lists the long suites, or runs one and writes its result to
//! `benchmarks/results/NAME.json`. The rows are in `long_suites.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Number, Value, json};

use crate::bench::record;
use crate::invocation::Invocation;
use crate::long_suites::{LONG_SUITES, LongSuite};

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let [name] = arguments else {
        if arguments.is_empty() {
            print!("{}", list(root, LONG_SUITES));
            return Ok(());
        }
        bail!("usage: cargo xtask suite [NAME]");
    };
    let Some(suite) = LONG_SUITES.iter().find(|suite| suite.name == name) else {
        bail!("no long suite `{name}`\n{}", list(root, LONG_SUITES));
    };
    let result = run(root, suite)?;
    let file = result_file(root, suite.name);
    fs::write(&file, result).with_context(|| format!("cannot write {}", file.display()))?;
    println!("wrote benchmarks/results/{}.json", suite.name);
    Ok(())
}

fn result_file(root: &Path, name: &str) -> PathBuf {
    root.join("benchmarks/results").join(format!("{name}.json"))
}

/// Lists each suite with the day of its last result, its description, and its sample in CI.
fn list(root: &Path, suites: &[LongSuite]) -> String {
    let lines = suites.iter().map(|suite| {
        let result = fs::read_to_string(result_file(root, suite.name)).unwrap_or_default();
        let result: Value = serde_json::from_str(&result).unwrap_or_default();
        let date = result["run"]["date"].as_str().unwrap_or("never run");
        let (name, about, sample) = (suite.name, suite.about, suite.sample);
        format!(
            "  {name:<12} {date:<10}  {about}\n{:27}sample: {sample}\n",
            ""
        )
    });
    lines.collect()
}

/// Runs a suite and returns the text of its result file.
fn run(root: &Path, suite: &LongSuite) -> Result<String> {
    let invocation = invocation(suite.command);
    println!("== {invocation}");
    let facts = record::facts(root, &command_line(suite.command, std::env::vars()));
    let began = Instant::now();
    let echo = invocation.echo(root)?;
    if !echo.success {
        bail!("the suite {} failed; its result is not written", suite.name);
    }
    let mut figures: Map<String, Value> =
        echo.lines.iter().filter_map(|line| figure(line)).collect();
    if let Some(passed) = passed_tests(&echo.lines) {
        figures.insert("tests".to_owned(), passed.into());
    }
    figures.insert("seconds".to_owned(), began.elapsed().as_secs().into());
    let result = json!({"suite": suite.name, "run": facts, "figures": figures});
    Ok(format!("{result:#}\n"))
}

/// The prefix of variables that change the size of a suite, such as `LOOM_FUZZ_SECONDS`.
const VARIABLES: &str = "LOOM_";

/// Puts the variables that are set in front of the command of a suite, in shell syntax. A variable
/// in the command overrides that of the environment.
fn command_line(command: &str, variables: impl Iterator<Item = (String, String)>) -> String {
    let sets = |name: &str| {
        let mut words = command.split_whitespace();
        words.any(|word| word.split_once('=').is_some_and(|(own, _)| own == name))
    };
    let mut words: Vec<String> = variables
        .filter(|(name, _)| name.starts_with(VARIABLES) && !sets(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    words.sort_unstable();
    words.extend(command.split_whitespace().map(str::to_owned));
    words.join(" ")
}

/// Parses a command line with leading variables.
fn invocation(line: &str) -> Invocation {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_variable = |word: &&&str| word.contains('=');
    let variables = words.iter().take_while(is_variable).count();
    let (variables, rest) = words.split_at(variables);
    let (program, arguments) = rest.split_first().unwrap_or((&"", &[]));
    let start = Invocation::new(program, arguments);
    variables.iter().fold(start, |invocation, variable| {
        let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
        invocation.environment(name, value)
    })
}

/// Parses a figure in a line of output: `figure: NAME = VALUE`, after any text of the test runner
/// on the same line. A value that is not a number stays text.
fn figure(line: &str) -> Option<(String, Value)> {
    let (_, figure) = line.split_once("figure: ")?;
    let (name, value) = figure.split_once(" = ")?;
    let number: Option<Number> = value.trim().parse().ok();
    let value = number.map_or_else(|| Value::from(value.trim()), Value::Number);
    Some((name.trim().to_owned(), value))
}

/// Sums the passed tests if cargo ran more than one binary: `test result: ok. 12 passed; …` for
/// each.
fn passed_tests(lines: &[String]) -> Option<u64> {
    let passed = |line: &String| {
        let (_, result) = line.split_once("test result: ok. ")?;
        result.split_once(" passed")?.0.parse::<u64>().ok()
    };
    let passed: u64 = lines.iter().filter_map(passed).sum();
    (passed > 1).then_some(passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: LongSuite = LongSuite {
        name: "count",
        about: "counts",
        command: "LOOM_MANY=3 sh -c echo;echo${IFS}figure:${IFS}many${IFS}=${IFS}$LOOM_MANY",
        sample: "a.rs::b",
    };

    #[test]
    fn result_names_command_date_machine_and_figures() {
        let result: Value = serde_json::from_str(&run(Path::new("."), &SUITE).unwrap()).unwrap();
        assert_eq!(result["suite"], "count");
        assert_eq!(result["run"]["command"], SUITE.command);
        assert_eq!(result["figures"]["many"], 3);
        assert!(result["figures"]["seconds"].is_u64());
        assert!(result["run"]["machine"]["cores"].as_u64() > Some(0));
        assert_eq!(result["run"]["date"].as_str().unwrap().len(), 10);
    }

    #[test]
    fn variables_that_were_set_are_part_of_the_command() {
        let set = [
            ("PATH", "/bin"),
            ("LOOM_SECONDS", "15"),
            ("LOOM_KILLS", "2"),
        ];
        let check = |command, expected| {
            let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(command_line(command, set.into_iter()), expected);
        };
        check("cargo run", "LOOM_KILLS=2 LOOM_SECONDS=15 cargo run");
        check(
            "LOOM_KILLS=1000 cargo test",
            "LOOM_SECONDS=15 LOOM_KILLS=1000 cargo test",
        );
    }

    #[test]
    fn failed_suite_has_no_result() {
        let suite = LongSuite {
            command: "false",
            ..SUITE
        };
        assert!(run(Path::new("."), &suite).is_err());
    }

    #[test]
    fn figures_are_read_from_lines() {
        let check = |line, expected: Option<(&str, Value)>| {
            let expected = expected.map(|(name, value)| (name.to_owned(), value));
            assert_eq!(figure(line), expected, "{line}");
        };
        check("figure: kills = 40", Some(("kills", 40.into())));
        check(
            "test a ... figure: share = 0.5",
            Some(("share", 0.5.into())),
        );
        check("figure: worst = django", Some(("worst", "django".into())));
        check("no figure here = 1", None);
    }

    #[test]
    fn passed_tests_are_summed_over_binaries() {
        let lines = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let two = [
            "test result: ok. 2 passed; 0 failed",
            "x",
            "test result: ok. 3 passed; 1",
        ];
        assert_eq!(passed_tests(&lines(&two)), Some(5));
        assert_eq!(
            passed_tests(&lines(&["test result: ok. 1 passed; 0"])),
            None
        );
        assert_eq!(passed_tests(&lines(&[])), None);
    }

    #[test]
    fn list_shows_the_day_of_the_last_result() {
        let root = tempfile::tempdir().unwrap();
        let sample = "                           sample: a.rs::b\n";
        assert_eq!(
            list(root.path(), &[SUITE]),
            format!("  count        never run   counts\n{sample}")
        );
        fs::create_dir_all(root.path().join("benchmarks/results")).unwrap();
        let file = result_file(root.path(), "count");
        fs::write(file, "{\"run\": {\"date\": \"2026-11-18\"}}").unwrap();
        assert_eq!(
            list(root.path(), &[SUITE]),
            format!("  count        2026-11-18  counts\n{sample}")
        );
    }

    #[test]
    fn unknown_name_lists_the_suites() {
        let error = command(Path::new("."), &["none".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no long suite `none`\n  agents"),
            "{error}"
        );
    }
}
