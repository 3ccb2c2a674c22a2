//! The packages of the workspace from cargo's metadata, reduced to the fields that the rules need.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::invocation::Invocation;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// From the root, with `/` between components.
    pub(crate) manifest: String,
    pub(crate) manifest_text: String,
    pub(crate) description: String,
    pub(crate) license: String,
    /// Only dependencies on packages of this workspace.
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Normal and build dependencies.
    Built,
    /// For tests, examples and benches.
    Development,
}

pub(crate) fn load(root: &Path) -> Result<Vec<Package>> {
    let arguments = [
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ];
    let output = Invocation::cargo(&arguments).output(root)?;
    let metadata: Value = serde_json::from_slice(&output).context("cargo metadata is not JSON")?;
    let mut packages: Vec<Package> = list(&metadata, "packages").iter().map(read).collect();
    for package in &mut packages {
        let manifest = Path::new(&package.manifest);
        package.manifest_text = fs::read_to_string(manifest)
            .with_context(|| format!("cannot read {}", manifest.display()))?;
        package.manifest = relative(root, manifest);
    }
    Ok(packages)
}

impl Package {
    /// Returns the directory of the package, from the root.
    pub(crate) fn folder(&self) -> &str {
        self.manifest.strip_suffix("/Cargo.toml").unwrap_or("")
    }

    /// Returns the line of the manifest that starts with `word`, or 1.
    pub(crate) fn line_of(&self, word: &str) -> usize {
        let mut lines = self.manifest_text.lines();
        lines
            .position(|line| line.starts_with(word))
            .map_or(1, |index| index + 1)
    }
}

fn read(package: &Value) -> Package {
    let dependencies = list(package, "dependencies");
    Package {
        name: text(package, "name"),
        manifest: text(package, "manifest_path"),
        manifest_text: String::new(),
        description: text(package, "description"),
        license: text(package, "license"),
        dependencies: dependencies
            .iter()
            .filter(|one| one["path"].is_string())
            .map(edge)
            .collect(),
    }
}

fn edge(dependency: &Value) -> Dependency {
    let kind = match dependency["kind"].as_str() {
        Some("dev") => Kind::Development,
        _ => Kind::Built,
    };
    Dependency {
        name: text(dependency, "name"),
        kind,
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn relative(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap_or(path);
    inner.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn external_dependencies_are_skipped() {
        let package = serde_json::json!({
            "name": "loom-a",
            "description": "A",
            "license": null,
            "dependencies": [
                {"name": "serde", "kind": null},
                {"name": "loom-b", "kind": null, "path": "/p/b"},
                {"name": "loom-c", "kind": "dev", "path": "/p/c"},
                {"name": "loom-d", "kind": "build", "path": "/p/d"},
            ],
        });
        let read = read(&package);
        assert_eq!(
            (read.description.as_str(), read.license.as_str()),
            ("A", "")
        );
        let edges: Vec<_> = read
            .dependencies
            .iter()
            .map(|one| (one.name.as_str(), one.kind))
            .collect();
        assert_eq!(
            edges,
            [
                ("loom-b", Kind::Built),
                ("loom-c", Kind::Development),
                ("loom-d", Kind::Built)
            ]
        );
    }
}
