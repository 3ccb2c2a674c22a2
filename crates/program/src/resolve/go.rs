//! Go: packages of the modules of a repository, and what is vendored.

use std::collections::HashMap;

use loom_syntax::Import;

use super::files::{FEWER_FILES, Files, MOST_FILES, folder, joined};
use super::limits::LimitsMet;
use super::{Found, Unresolved};

/// The folders of the modules of a repository, by the path of the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Modules {
    folders: HashMap<String, Vec<String>>,
    pub(super) limits: LimitsMet,
}

/// Folders with modules of one name that are looked at: every import asks them all.
const MOST_NAMESAKES: usize = 1_000;

/// Longer paths of imports name no module: each of their parts is looked up.
const LONGEST_PATH: usize = 1_024;

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
        let folders = self.folders.entry(module.to_owned()).or_default();
        if folders.len() < MOST_NAMESAKES {
            let folder = folder(path).to_owned();
            let at = folders.partition_point(|one| *one < folder);
            folders.insert(at, folder);
        } else {
            let fewer = "following imports to 1,000 Go modules of one name";
            self.limits.note_once(fewer, module);
        }
    }

    /// The folders of the modules that a path begins with, each with the rest of the
    /// path; the longest first.
    fn around<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a String, &'a str)> {
        let path = if path.len() <= LONGEST_PATH { path } else { "" };
        let ends = path.rmatch_indices('/').map(|(end, _)| end);
        let ends = std::iter::once(path.len()).chain(ends);
        ends.flat_map(move |end| {
            let folders = self.folders.get(&path[..end]).into_iter().flatten();
            folders.map(move |folder| (folder, &path[end..]))
        })
    }
}

/// A package is all files of its folder but its tests.
pub(super) fn resolve(files: &Files, modules: &Modules, import: &Import) -> Found {
    let path = import.module.as_str();
    if path == "C" {
        return Err(Unresolved::System);
    }
    for (folder, rest) in modules.around(path) {
        let found = joined(folder, rest).map(|folder| package(files, &folder));
        match found {
            Some(found) if !found.is_empty() => return Ok(found),
            _ => {}
        }
    }
    let vendored = package(files, &format!("vendor/{path}"));
    if !vendored.is_empty() {
        return Ok(vendored);
    }
    let is_ours = modules.around(path).next().is_some();
    let first = path.split('/').next().unwrap_or_default();
    Err(match first.contains('.') {
        _ if is_ours => Unresolved::Missing,
        true => Unresolved::Outside,
        false => Unresolved::System,
    })
}

/// Notes the packages with more files than an import of them means.
pub(super) fn note_limits(files: &Files, met: &mut LimitsMet) {
    for (folder, paths) in files.folders() {
        if paths.len() > MOST_FILES && sources(paths).nth(MOST_FILES).is_some() {
            met.note(FEWER_FILES, folder);
        }
    }
}

fn package(files: &Files, folder: &str) -> Vec<String> {
    let found = sources(files.in_folder(folder));
    found.take(MOST_FILES).cloned().collect()
}

fn sources(paths: &[String]) -> impl Iterator<Item = &String> {
    let is_source = |path: &&String| path.ends_with(".go") && !path.ends_with("_test.go");
    paths.iter().filter(is_source)
}
