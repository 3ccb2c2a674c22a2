//! `cargo xtask grammars`: fuzzes every grammar for a time, with limits of memory and time,
//! under AddressSanitizer. It starts from `crates/syntax/tests/corpus`, which has a directory
//! for each grammar; the tests of loom-syntax replay the same texts without a fuzzer.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};

use crate::invocation::{Echo, Invocation};
use crate::tools;

const CORPUS: &str = "crates/syntax/tests/corpus";
/// Directory of texts that a run found, which the next run starts from, and of failing inputs.
const FOUND: &str = "target/grammars";
const SECONDS: &str = "LOOM_FUZZ_SECONDS";
const DEFAULT_SECONDS: u64 = 120;

/// The budget of 4,096 bytes is 33 MB; AddressSanitizer needs the rest. Parsing a text of this size
/// takes milliseconds, so a scanner that takes 10 seconds does not terminate.
const LIMITS: [&str; 4] = [
    "-rss_limit_mb=2048",
    "-malloc_limit_mb=256",
    "-timeout=10",
    "-max_len=4096",
];

/// Instruments C code, too, to find its memory errors and to guide the fuzzer by its branches.
const CFLAGS: &str = "-fsanitize=address -fsanitize-coverage=trace-pc,trace-cmp -O1";

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let seconds = seconds(env::var(SECONDS).ok().as_deref())?;
    if !tools::on_path("rustup") || !tools::on_path("cargo-fuzz") {
        bail!(
            "cannot fuzz: cargo-fuzz and a nightly toolchain are needed\n\
             hint: run `rustup toolchain install nightly` and `cargo install --locked cargo-fuzz`"
        );
    }
    let all = grammars(root)?;
    let chosen = match arguments {
        [] => all,
        names => choose(&all, names)?,
    };
    fuzzer("build").run(root)?;
    let runs = fuzz_all(root, &chosen, seconds)?;
    report(&runs, seconds)
}

fn seconds(value: Option<&str>) -> Result<u64> {
    let Some(value) = value else {
        return Ok(DEFAULT_SECONDS);
    };
    let seconds = value.parse().ok().filter(|seconds| *seconds > 0);
    seconds.with_context(|| format!("{SECONDS}: expected seconds, found {value:?}"))
}

/// Lists the grammars by the names of their directories.
fn grammars(root: &Path) -> Result<Vec<String>> {
    let entries =
        fs::read_dir(root.join(CORPUS)).with_context(|| format!("cannot read {CORPUS}"))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    Ok(names)
}

fn choose(all: &[String], names: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        bail!("no grammar `{unknown}`: expected one of {}", all.join(", "));
    }
    Ok(names.to_vec())
}

/// Builds `cargo fuzz VERB` for the target. It does not use `cargo +nightly`, because cargo sets
/// the environment of this process.
fn fuzzer(verb: &str) -> Invocation {
    let arguments = [
        "run",
        "nightly",
        "cargo",
        "fuzz",
        verb,
        "--fuzz-dir",
        "crates/syntax/fuzz",
        "grammar",
    ];
    Invocation::new("rustup", &arguments).environment("CFLAGS", CFLAGS)
}

/// Result of fuzzing one grammar.
struct FuzzRun {
    grammar: String,
    texts: u64,
    peak_mib: u64,
    /// The end of the fuzzer's output, if it found something.
    failure: Option<String>,
}

/// Fuzzes as many grammars in parallel as there are cores.
fn fuzz_all(root: &Path, grammars: &[String], seconds: u64) -> Result<Vec<FuzzRun>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let queue = Mutex::new(grammars.iter());
    let next = || queue.lock().ok()?.next();
    let work = || {
        let fuzz = |grammar: &String| fuzz(root, grammar, seconds).inspect(FuzzRun::print);
        let failed = |grammar: &String, error: anyhow::Error| FuzzRun {
            grammar: grammar.clone(),
            texts: 0,
            peak_mib: 0,
            failure: Some(format!("{error:#}")),
        };
        std::iter::from_fn(next)
            .map(|grammar| fuzz(grammar).unwrap_or_else(|error| failed(grammar, error)))
            .collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let mut runs = Vec::new();
        for worker in workers {
            let Ok(done) = worker.join() else {
                bail!("a thread that fuzzes failed");
            };
            runs.extend(done);
        }
        Ok(runs)
    })
}

fn fuzz(root: &Path, grammar: &str, seconds: u64) -> Result<FuzzRun> {
    let found = directory(root, "found", grammar)?;
    let failed = directory(root, "failed", grammar)?;
    let mut options = vec![
        found.display().to_string(),
        root.join(CORPUS).join(grammar).display().to_string(),
        "--".to_owned(),
        format!("-artifact_prefix={}/", failed.display()),
        format!("-max_total_time={seconds}"),
        "-print_final_stats=1".to_owned(),
        "-verbosity=0".to_owned(),
    ];
    options.extend(LIMITS.map(str::to_owned));
    let echo = fuzzer("run")
        .arguments(&options)
        .environment("LOOM_GRAMMAR", grammar)
        .capture(root)?;
    Ok(FuzzRun {
        grammar: grammar.to_owned(),
        texts: statistic(&echo, "number_of_executed_units"),
        peak_mib: statistic(&echo, "peak_rss_mb"),
        failure: (!echo.success).then(|| last_lines(&echo, 60)),
    })
}

fn directory(root: &Path, kind: &str, grammar: &str) -> Result<PathBuf> {
    let path = root.join(FOUND).join(kind).join(grammar);
    fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

/// Parses a line of libFuzzer: `stat::NAME:   VALUE`.
fn statistic(echo: &Echo, name: &str) -> u64 {
    let value = |line: &String| {
        let (found, value) = line.strip_prefix("stat::")?.split_once(':')?;
        (found == name).then(|| value.trim().parse().ok())?
    };
    echo.lines.iter().find_map(value).unwrap_or(0)
}

fn last_lines(echo: &Echo, count: usize) -> String {
    let start = echo.lines.len().saturating_sub(count);
    echo.lines[start..].join("\n")
}

impl FuzzRun {
    fn print(&self) {
        let outcome = self.failure.as_ref().map_or("passed", |_| "failed");
        println!(
            "{:<12} {outcome}: {} texts, at most {} MiB",
            self.grammar, self.texts, self.peak_mib
        );
    }
}

fn report(runs: &[FuzzRun], seconds: u64) -> Result<()> {
    let failed: Vec<&FuzzRun> = runs.iter().filter(|run| run.failure.is_some()).collect();
    for run in &failed {
        let failure = run.failure.as_deref().unwrap_or_default();
        println!("== {}\n{failure}", run.grammar);
    }
    if !failed.is_empty() {
        let names: Vec<&str> = failed.iter().map(|run| run.grammar.as_str()).collect();
        bail!(
            "fuzzing failed in {}\nhint: keep each input of {FOUND}/failed in {CORPUS}, as a test",
            names.join(", ")
        );
    }
    let idle: Vec<&FuzzRun> = runs.iter().filter(|run| run.texts == 0).collect();
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().map(|run| run.grammar.as_str()).collect();
        bail!("the fuzzer ran no text in {}", names.join(", "));
    }
    println!("figure: grammars = {}", runs.len());
    println!("figure: seconds_per_grammar = {seconds}");
    println!(
        "figure: texts = {}",
        runs.iter().map(|run| run.texts).sum::<u64>()
    );
    let fewest = runs.iter().map(|run| run.texts).min().unwrap_or(0);
    println!("figure: fewest_texts_of_a_grammar = {fewest}");
    let peak = runs.iter().map(|run| run.peak_mib).max().unwrap_or(0);
    println!("figure: peak_mib = {peak}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(failure: Option<&str>) -> FuzzRun {
        FuzzRun {
            grammar: "c".to_owned(),
            texts: 7,
            peak_mib: 90,
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn seconds_are_two_minutes_unless_given() {
        assert_eq!(seconds(None).unwrap(), 120);
        assert_eq!(seconds(Some("15")).unwrap(), 15);
        assert!(seconds(Some("0")).is_err() && seconds(Some("long")).is_err());
    }

    #[test]
    fn failed_grammar_fails_the_suite_and_is_named() {
        assert!(report(&[run(None)], 1).is_ok());
        let error = report(&[run(None), run(Some("crash"))], 1).unwrap_err();
        assert!(
            error.to_string().starts_with("fuzzing failed in c\n"),
            "{error}"
        );
    }

    #[test]
    fn grammar_without_texts_fails_the_suite() {
        let idle = FuzzRun {
            texts: 0,
            ..run(None)
        };
        let error = report(&[run(None), idle], 1).unwrap_err();
        assert_eq!(error.to_string(), "the fuzzer ran no text in c");
    }

    #[test]
    fn statistics_are_read_from_the_last_lines() {
        let lines = [
            "x",
            "stat::number_of_executed_units: 4623",
            "stat::peak_rss_mb:    131",
        ];
        let echo = Echo {
            lines: lines.map(str::to_owned).to_vec(),
            success: true,
        };
        assert_eq!(statistic(&echo, "number_of_executed_units"), 4623);
        assert_eq!(statistic(&echo, "peak_rss_mb"), 131);
        assert_eq!(statistic(&echo, "other"), 0);
    }

    #[test]
    fn unknown_grammar_lists_the_grammars() {
        let all = grammars(&crate::root::find().unwrap()).unwrap();
        let error = choose(&all, &["none".to_owned()]).unwrap_err();
        assert!(
            error.to_string().contains("expected one of bash, c, "),
            "{error}"
        );
    }
}
