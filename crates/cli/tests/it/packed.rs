//! Runs the command and reports the outcome of each path. Expectations stay in the tests.

use std::collections::BTreeMap;
use std::path::Path;

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::readers;

/// The command.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_infiniloom");

/// Returns the name of every format.
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    let choices = match loom_settings::setting("pack.format").unwrap().shape {
        loom_settings::Shape::Choice(all) => Some(all),
        _ => None,
    };
    choices.unwrap().iter().map(|choice| choice.name)
}

/// Runs the command in the working directory of `sandbox`.
pub(crate) fn loom(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(BINARY, args)
}

/// Result of a `pack` run: the files by path, and the report.
pub(crate) struct Packed {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) report: Value,
    pub(crate) stderr: String,
}

/// Packs as JSON with a report, in the working directory.
#[track_caller]
pub(crate) fn pack(sandbox: &Sandbox, args: &[&str]) -> Packed {
    pack_in(sandbox, "", args)
}

/// Packs as JSON with a report, in a subdirectory of the working directory.
#[track_caller]
pub(crate) fn pack_in(sandbox: &Sandbox, folder: &str, args: &[&str]) -> Packed {
    let report = sandbox.path("../report.json");
    let mut command = sandbox.command(BINARY);
    command
        .current_dir(sandbox.path(folder))
        .args(["pack", "--format", "json", "--report"])
        .arg(&report)
        .args(args);
    let run = Run::from(command.output().unwrap());
    Packed {
        files: readers::json(&run.ok()).into_iter().collect(),
        report: json_file(&report),
        stderr: run.stderr,
    }
}

/// Reads a JSON file.
#[track_caller]
pub(crate) fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

impl Packed {
    /// Returns the packed paths in order.
    pub(crate) fn paths(&self) -> Vec<&str> {
        let files = self.report["files"].as_array().unwrap();
        files
            .iter()
            .map(|file| file["path"].as_str().unwrap())
            .collect()
    }

    /// Returns the outcome of a path: `packed`, `not mentioned`, or the reason why the path or a
    /// directory above it was skipped.
    pub(crate) fn outcome(&self, path: &str) -> &str {
        if self.files.contains_key(path) {
            return "packed";
        }
        let left_out = self.report["left_out"].as_array().unwrap();
        let covers = |left: &&Value| {
            let left = left["path"].as_str().unwrap();
            path == left || path.starts_with(&format!("{left}/"))
        };
        let hit = left_out.iter().find(covers);
        hit.map_or("not mentioned", |left| left["reason"].as_str().unwrap())
    }

    /// Returns the note about a packed file.
    pub(crate) fn note(&self, path: &str) -> Option<&str> {
        let files = self.report["files"].as_array().unwrap();
        let file = files.iter().find(|file| file["path"] == path).unwrap();
        file["note"].as_str()
    }

    /// Checks lines of `path: outcome`.
    #[track_caller]
    pub(crate) fn check(&self, expected: &str) {
        let lines = expected.lines().map(str::trim);
        let mut wrong = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (path, outcome) = line.rsplit_once(": ").unwrap();
            if self.outcome(path) != outcome {
                wrong.push(format!("{line}, found {}", self.outcome(path)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
