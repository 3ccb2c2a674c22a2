//! `cargo xtask bench`: runs one of the programs under `benchmarks/`, and records in its result
//! files how they were made. The programs define the measurements.

pub(crate) mod record;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::invocation::Invocation;
use record::Record;

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let available = available(&root.join("benchmarks"))?;
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", list(&available));
        return Ok(());
    };
    let Some(benchmark) = available.iter().find(|benchmark| benchmark.name == *name) else {
        bail!("no benchmark `{name}`\n{}", list(&available));
    };
    let record = Record::begin(root, name, rest)?;
    benchmark.invocation(rest).run(root)?;
    for file in record.end(root)? {
        println!("wrote benchmarks/results/{file}; `cargo xtask figures` writes the pages");
    }
    Ok(())
}

/// A directory under `benchmarks/` that can be run.
#[derive(Debug, PartialEq, Eq)]
struct Benchmark {
    name: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A separate package outside the workspace.
    Package,
    /// A `run.py`.
    Script,
}

impl Benchmark {
    fn invocation(&self, arguments: &[String]) -> Invocation {
        let folder = format!("benchmarks/{}", self.name);
        let start = match self.kind {
            Kind::Package => {
                let manifest = format!("{folder}/Cargo.toml");
                Invocation::cargo(&["run", "--release", "--manifest-path", &manifest, "--"])
            }
            Kind::Script => Invocation::new("python3", &[&format!("{folder}/run.py")]),
        };
        start.arguments(arguments)
    }
}

fn available(folder: &Path) -> Result<Vec<Benchmark>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        found.extend(kind(&entry.path()).map(|kind| Benchmark { name, kind }));
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

fn kind(folder: &Path) -> Option<Kind> {
    if folder.join("Cargo.toml").is_file() {
        Some(Kind::Package)
    } else if folder.join("run.py").is_file() {
        Some(Kind::Script)
    } else {
        None
    }
}

fn list(available: &[Benchmark]) -> String {
    if available.is_empty() {
        return "there are no benchmarks yet: add benchmarks/NAME/Cargo.toml or benchmarks/NAME/run.py".to_owned();
    }
    let names: Vec<&str> = available
        .iter()
        .map(|benchmark| benchmark.name.as_str())
        .collect();
    format!("benchmarks: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_and_a_script_are_found_and_run_their_way() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["speed/Cargo.toml", "recall/run.py", "notes/README.md"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = available(folder.path()).unwrap();
        assert_eq!(list(&found), "benchmarks: recall, speed");
        let shown: Vec<String> = found
            .iter()
            .map(|benchmark| benchmark.invocation(&["-n".to_owned()]).to_string())
            .collect();
        assert_eq!(
            shown,
            [
                "python3 benchmarks/recall/run.py -n",
                "cargo run --release --manifest-path benchmarks/speed/Cargo.toml -- -n",
            ]
        );
    }

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let folder = tempfile::tempdir().unwrap();
        let error = command(folder.path(), &["speed".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no benchmark `speed`\nthere are no benchmarks yet")
        );
    }
}
