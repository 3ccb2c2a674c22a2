//! The result files of the benchmarks, and the required metadata of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Fault;

/// From the root of the checkout.
pub(crate) const FOLDER: &str = "benchmarks/results";

/// Required keys below `run`.
const NAMED: [&str; 4] = ["command", "date", "machine", "build"];

/// Required keys below `run.build`.
const BUILD: [&str; 2] = ["commit", "profile"];

/// Result files older than the build metadata, one name per line. A file leaves the list when its
/// benchmark runs again; none is added.
const UNNAMED: &str = "benchmarks/unnamed_builds.txt";

/// All result files by name.
#[derive(Debug, Default)]
pub(crate) struct Results {
    files: BTreeMap<String, Value>,
    /// Files without the required build metadata.
    unnamed: Vec<String>,
}

impl Results {
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        let folder = root.join(FOLDER);
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path)?;
            let value = serde_json::from_str(&text)
                .with_context(|| format!("{FOLDER}/{name} is no JSON"))?;
            files.insert(name.into_owned(), value);
        }
        let unnamed = fs::read_to_string(root.join(UNNAMED)).unwrap_or_default();
        let unnamed = unnamed
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .map(str::to_owned)
            .collect();
        Ok(Self { files, unnamed })
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, Value)]) -> Self {
        let files = files
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        Self {
            files: files.collect(),
            unnamed: Vec::new(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Result<&Value> {
        let file = self.files.get(name);
        file.with_context(|| format!("no result file {FOLDER}/{name}"))
    }

    /// Returns one metadata value of a file, for the list of all figures.
    pub(crate) fn run(&self, name: &str, fact: &str) -> String {
        let run = self.files.get(name).and_then(|file| file.get("run"));
        let fact = run.and_then(|run| run.get(fact)).and_then(Value::as_str);
        fact.unwrap_or("?").to_owned()
    }

    /// Returns the files without metadata, or with a path of a machine.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, file) in &self.files {
            let fault = |what: String| Fault {
                path: format!("{FOLDER}/{name}"),
                line: 1,
                what,
            };
            let run = file.get("run");
            let has = |fact: &str| run.is_some_and(|run| run.get(fact).is_some());
            for fact in NAMED.into_iter().filter(|fact| !has(fact)) {
                faults.push(fault(format!(
                    "`run` has no `{fact}`: run the benchmark again"
                )));
            }
            let build = run.and_then(|run| run.get("build"));
            let is_named = |fact: &&str| {
                let fact = build.and_then(|build| build.get(*fact));
                fact.is_some_and(Value::is_string)
            };
            if build.is_some() && !self.unnamed.contains(name) {
                for fact in BUILD.iter().filter(|fact| !is_named(fact)) {
                    faults.push(fault(format!(
                        "`run.build` has no `{fact}`: run the benchmark again"
                    )));
                }
            }
            let text = run.map(Value::to_string).unwrap_or_default();
            for folder in ["/home/", "/root/", "/tmp/", "/Users/"] {
                if text.contains(folder) {
                    faults.push(fault(format!("`run` names a path below {folder}")));
                }
            }
        }
        faults.extend(self.stale_exceptions());
        faults
    }

    /// Returns the exceptions whose file is gone or has build metadata.
    fn stale_exceptions(&self) -> impl Iterator<Item = Fault> {
        let names_build = |name: &String| {
            let Some(file) = self.files.get(name) else {
                return true;
            };
            BUILD
                .iter()
                .all(|fact| file["run"]["build"][*fact].is_string())
        };
        let stale = self.unnamed.iter().filter(move |name| names_build(name));
        stale.map(|name| Fault {
            path: UNNAMED.to_owned(),
            line: 1,
            what: format!("{name} needs no exception: remove the line"),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_say_how_they_were_made() {
        let build = json!({"commit": "c", "profile": "release"});
        let run = json!({"command": "c", "date": "d", "machine": {}, "build": build});
        let results = Results::of(&[
            ("good.json", json!({"run": run})),
            (
                "poor.json",
                json!({"run": {"command": "/home/me/c", "date": "d", "machine": ""}}),
            ),
        ]);
        let shown: Vec<String> = results.faults().iter().map(Fault::to_string).collect();
        assert_eq!(
            shown,
            [
                "benchmarks/results/poor.json:1: `run` has no `build`: run the benchmark again",
                "benchmarks/results/poor.json:1: `run` names a path below /home/",
            ]
        );
        assert_eq!(results.run("good.json", "date"), "d");
        assert!(results.get("none.json").is_err());
    }

    #[test]
    fn build_is_named_or_listed() {
        let file = |build: Value| {
            let run = json!({"command": "c", "date": "d", "machine": {}, "build": build});
            json!({"run": run})
        };
        let named = json!({"commit": "c", "profile": "release"});
        let mut results = Results::of(&[
            ("good.json", file(named)),
            ("new.json", file(json!({"commit": null, "profile": null}))),
            (
                "old.json",
                file(json!({"commit": null, "profile": "release"})),
            ),
        ]);
        results.unnamed = ["old.json", "good.json", "gone.json"]
            .map(str::to_owned)
            .to_vec();
        let shown: Vec<String> = results.faults().iter().map(Fault::to_string).collect();
        assert_eq!(
            shown,
            [
                "benchmarks/results/new.json:1: `run.build` has no `commit`: run the benchmark again",
                "benchmarks/results/new.json:1: `run.build` has no `profile`: run the benchmark again",
                "benchmarks/unnamed_builds.txt:1: good.json needs no exception: remove the line",
                "benchmarks/unnamed_builds.txt:1: gone.json needs no exception: remove the line",
            ]
        );
    }
}
