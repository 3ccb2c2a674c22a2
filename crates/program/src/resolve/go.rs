//! Go: packages of the modules of a repository, and vendored packages.

use std::collections::HashMap;

use loom_syntax::Import;

use super::files::{FEWER_FILES, Files, MOST_FILES, folder, joined};
use super::limits::LimitsMet;
use super::{ResolvedPaths, Unresolved};

/// Directories of the modules of a repository, by the path of the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Modules {
    folders: HashMap<String, Vec<String>>,
    pub(super) limits: LimitsMet,
}

/// Maximum number of directories with modules of one name, because every import checks them all.
const MOST_NAMESAKES: usize = 1_000;

/// Maximum length of an import path, because each of its prefixes is looked up; longer ones do not
/// name a module.
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

    /// Returns the directories of the modules that a path begins with, longest first, each with the
    /// rest of the path.
    fn containing<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a String, &'a str)> {
        let path = if path.len() <= LONGEST_PATH { path } else { "" };
        let ends = path.rmatch_indices('/').map(|(end, _)| end);
        let ends = std::iter::once(path.len()).chain(ends);
        ends.flat_map(move |end| {
            let folders = self.folders.get(&path[..end]).into_iter().flatten();
            folders.map(move |folder| (folder, &path[end..]))
        })
    }
}

/// Resolves a package: all files of its directory except its tests.
pub(super) fn resolve(files: &Files, modules: &Modules, import: &Import) -> ResolvedPaths {
    let path = import.module.as_str();
    if path == "C" {
        return Err(Unresolved::System);
    }
    for (folder, rest) in modules.containing(path) {
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
    let is_ours = modules.containing(path).next().is_some();
    let first = path.split('/').next().unwrap_or_default();
    Err(match first.contains('.') {
        _ if is_ours => Unresolved::Missing,
        true => Unresolved::Outside,
        false => Unresolved::System,
    })
}

/// Records the packages with more files than the limit.
pub(super) fn note_limits(files: &Files, reached: &mut LimitsMet) {
    for (folder, paths) in files.folders() {
        if paths.len() > MOST_FILES && sources(paths).nth(MOST_FILES).is_some() {
            reached.note(FEWER_FILES, folder);
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
