//! Go: packages of the modules of a repository, and what is vendored.

use super::files::{Files, folder, joined};
use super::{Found, Unresolved};
use crate::Import;

/// The modules of a repository: their paths and folders, the longest path first.
#[derive(Clone, Debug, Default)]
pub(super) struct Modules(Vec<(String, String)>);

impl Modules {
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("module "));
        let Some(module) = line else { return };
        let module = module
            .split("//")
            .next()
            .unwrap_or_default()
            .trim()
            .trim_matches('"');
        self.0.push((module.to_owned(), folder(path).to_owned()));
        self.0
            .sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    }
}

/// A package is all files of its folder but its tests.
pub(super) fn resolve(files: &Files, modules: &Modules, import: &Import) -> Found {
    let path = import.module.as_str();
    if path == "C" {
        return Err(Unresolved::System);
    }
    for (module, folder) in &modules.0 {
        let Some(rest) = path.strip_prefix(module.as_str()) else {
            continue;
        };
        if rest.is_empty() || rest.starts_with('/') {
            let found = joined(folder, rest).map(|folder| package(files, &folder));
            match found {
                Some(found) if !found.is_empty() => return Ok(found),
                _ => {}
            }
        }
    }
    let vendored = package(files, &format!("vendor/{path}"));
    if !vendored.is_empty() {
        return Ok(vendored);
    }
    let is_ours = |(module, _): &(String, String)| {
        path.strip_prefix(module.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let first = path.split('/').next().unwrap_or_default();
    Err(match first.contains('.') {
        _ if modules.0.iter().any(is_ours) => Unresolved::Missing,
        true => Unresolved::Outside,
        false => Unresolved::System,
    })
}

fn package(files: &Files, folder: &str) -> Vec<String> {
    let is_source = |path: &&String| path.ends_with(".go") && !path.ends_with("_test.go");
    files
        .in_folder(folder)
        .iter()
        .filter(is_source)
        .cloned()
        .collect()
}
