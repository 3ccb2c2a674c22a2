//! Metadata in a result file about the run that wrote it: the command, the day, the machine and the
//! build. Contains neither paths nor machine names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::ser::PrettyFormatter;
use serde_json::{Serializer, Value, json};

/// From the root of the checkout.
const RESULTS: &str = "benchmarks/results";

/// Options that name our own program.
const PROGRAMS: [&str; 2] = ["--ours", "--binary"];

/// Collects the metadata of a run of `command` that starts now.
pub(crate) fn facts(root: &Path, command: &str) -> Value {
    json!({
        "command": command,
        "date": day(SystemTime::now()),
        "machine": machine(),
        "build": build(root, &[]),
    })
}

/// A running benchmark.
pub(crate) struct Record {
    run: Value,
    /// The result files before the run.
    before: BTreeMap<String, String>,
}

impl Record {
    pub(crate) fn begin(root: &Path, name: &str, arguments: &[String]) -> Result<Self> {
        Ok(Self {
            run: json!({
                "command": command(name, arguments),
                "date": day(SystemTime::now()),
                "machine": machine(),
                "build": build(root, arguments),
            }),
            before: files(root)?,
        })
    }

    /// Adds the metadata to the result files that the benchmark wrote.
    pub(crate) fn end(mut self, root: &Path) -> Result<Vec<String>> {
        self.run["machine"]["load_after"] = json!(load());
        let mut written = Vec::new();
        for (name, text) in files(root)? {
            if self.before.get(&name) == Some(&text) {
                continue;
            }
            let Ok(Value::Object(mut value)) = serde_json::from_str(&text) else {
                continue;
            };
            value.insert("run".to_owned(), self.run.clone());
            let path = root.join(RESULTS).join(&name);
            fs::write(&path, pretty(&Value::Object(value))?)
                .with_context(|| format!("cannot write {name}"))?;
            written.push(name);
        }
        Ok(written)
    }
}

fn pretty(value: &Value) -> Result<String> {
    let mut out = Vec::new();
    let mut writer = Serializer::with_formatter(&mut out, PrettyFormatter::with_indent(b" "));
    value.serialize(&mut writer)?;
    out.push(b'\n');
    Ok(String::from_utf8(out)?)
}

fn files(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let Ok(entries) = fs::read_dir(root.join(RESULTS)) else {
        return Ok(files);
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.insert(name.into_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

/// Returns the command as others would type it: paths shortened to their last components.
fn command(name: &str, arguments: &[String]) -> String {
    let bare = |argument: &String| {
        let last = argument.trim_end_matches('/').rsplit('/').next();
        match argument.contains("benchmarks/results/") {
            true => argument.clone(),
            false => last.unwrap_or_default().to_owned(),
        }
    };
    let words: Vec<String> = arguments.iter().map(bare).collect();
    format!("cargo xtask bench {name} {}", words.join(" "))
        .trim_end()
        .to_owned()
}

fn machine() -> Value {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    json!({
        "cores": cores,
        "cpu": line_of("/proc/cpuinfo", "model name"),
        "memory_gib": memory_gib(),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "load_before": load(),
    })
}

/// Returns the value after a name in a system file.
fn line_of(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory_gib() -> Option<u64> {
    let told = line_of("/proc/meminfo", "MemTotal")?;
    let kib: u64 = told.split(' ').next()?.parse().ok()?;
    Some((kib + (1 << 19)) >> 20)
}

/// Returns the load of the last minute.
fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Describes the measured program, or the checkout if the benchmark builds its own.
fn build(root: &Path, arguments: &[String]) -> Value {
    let mut options = arguments.iter();
    let program = options
        .find(|one| PROGRAMS.contains(&one.as_str()))
        .and_then(|_| options.next());
    let head = trimmed_output(
        Command::new("git").args(["rev-parse", "--short=10", "HEAD"]),
        root,
    );
    let version =
        program.and_then(|program| trimmed_output(Command::new(program).arg("--version"), root));
    let commit = match &version {
        // `infiniloom 0.1.0 (2d322b7017 2026-11-16)`
        Some(version) => version.split_once('(').map(|(_, behind)| {
            let end = behind.find([' ', ')']).unwrap_or(behind.len());
            behind[..end].to_owned()
        }),
        None => head,
    };
    json!({
        "version": version,
        "commit": commit,
        "profile": program.map_or(Some("release"), |program| profile(program)),
    })
}

/// Returns `release` for `target/release/infiniloom`.
fn profile(program: &str) -> Option<&str> {
    let mut parts = program.split('/').skip_while(|part| *part != "target");
    parts.nth(1)
}

fn trimmed_output(command: &mut Command, root: &Path) -> Option<String> {
    let output = command.current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Formats the day of a time as `2026-11-18`.
fn day(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    // The Gregorian calendar, with years that start in March.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) = (
        of_year - (153 * shifted + 2) / 5 + 1,
        (shifted + 2) % 12 + 1,
    );
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = |days: u64| day(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 5));
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(20_775), "2026-11-18");
    }

    #[test]
    fn written_files_name_their_run_and_no_path() {
        let root = tempfile::tempdir().unwrap();
        let results = root.path().join(RESULTS);
        fs::create_dir_all(&results).unwrap();
        fs::write(results.join("old.json"), "{\"a\": 1}").unwrap();
        let arguments = ["--corpus", "/home/me/django/", "--runs", "3"].map(str::to_owned);
        let record = Record::begin(root.path(), "pack", &arguments).unwrap();
        fs::write(results.join("pack.json"), "{\"b\": [2]}").unwrap();
        assert_eq!(record.end(root.path()).unwrap(), ["pack.json"]);
        let text = fs::read_to_string(results.join("pack.json")).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["b"], json!([2]));
        let run = &value["run"];
        assert_eq!(
            run["command"],
            "cargo xtask bench pack --corpus django --runs 3"
        );
        assert!(
            run["machine"]["cores"].as_u64().unwrap() > 0 && run["build"]["profile"] == "release"
        );
        assert!(!text.contains("/home"));
        assert_eq!(
            fs::read_to_string(results.join("old.json")).unwrap(),
            "{\"a\": 1}"
        );
    }

    #[test]
    fn profile_is_the_folder_of_the_program() {
        assert_eq!(profile("/x/target/dist/infiniloom"), Some("dist"));
        assert_eq!(profile("infiniloom"), None);
    }
}
