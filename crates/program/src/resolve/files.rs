//! Lookup of a repository's paths, and of the declarations of its files.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use loom_base::RepoPath;
use loom_syntax::Structure;

use super::limits::LimitsMet;

/// All paths, by file name and by directory.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    all: HashSet<String>,
    by_name: HashMap<String, Vec<String>>,
    by_folder: HashMap<String, Vec<String>>,
}

impl Files {
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a RepoPath>) -> Self {
        let mut files = Self::default();
        for path in paths {
            if let Ok(path) = std::str::from_utf8(path.as_bytes()) {
                files.add(path);
            }
        }
        files
    }

    fn add(&mut self, path: &str) {
        self.all.insert(path.to_owned());
        let named = self.by_name.entry(name(path).to_owned()).or_default();
        named.push(path.to_owned());
        let inside = self.by_folder.entry(folder(path).to_owned()).or_default();
        inside.push(path.to_owned());
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.all.contains(path)
    }

    /// Returns the first of these paths that exists.
    pub(super) fn first(&self, paths: impl IntoIterator<Item = String>) -> Option<String> {
        paths.into_iter().find(|path| self.has(path))
    }

    pub(super) fn in_folder(&self, folder: &str) -> &[String] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Returns the directories with their paths.
    pub(super) fn folders(&self) -> impl Iterator<Item = (&str, &[String])> {
        let folders = self.by_folder.iter();
        folders.map(|(folder, paths)| (folder.as_str(), paths.as_slice()))
    }

    /// Returns the paths that end with these components.
    pub(super) fn ending_with<'a>(&'a self, suffix: &'a str) -> impl Iterator<Item = &'a String> {
        let named = self
            .by_name
            .get(name(suffix))
            .map_or(&[][..], Vec::as_slice);
        named.iter().filter(move |path| ends_with(path, suffix))
    }
}

/// Declarations of files: packages, and names in packages.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    packages: HashMap<String, BTreeSet<String>>,
    /// Packages and their ancestors: `a` and `a.b` for `a.b`.
    around: HashSet<String>,
    names: HashMap<String, BTreeSet<String>>,
}

/// Maximum number of files that an import of a package refers to. Every import refers to all of
/// them, so without a limit the cost of a package would be the square of its files.
pub(super) const MOST_FILES: usize = 2_000;

/// Effect of that limit, for a warning.
pub(super) const FEWER_FILES: &str = "following imports to 2,000 files of a package";

/// Maximum number of ancestors of a package that are stored: real packages are not deeper, and each
/// ancestor is a separate name.
const DEEPEST_PACKAGE: usize = 32;

impl Declared {
    pub(super) fn add(&mut self, path: &str, structure: &Structure) {
        for package in &structure.packages {
            let files = self.packages.entry(package.clone()).or_default();
            files.insert(path.to_owned());
            if !self.around.contains(package) {
                let ends = package.match_indices(['.', '\\']).map(|(end, _)| end);
                let ends = ends.take(DEEPEST_PACKAGE).chain([package.len()]);
                self.around
                    .extend(ends.map(|end| package[..end].to_owned()));
            }
            let own = structure.symbols.iter().filter(|symbol| {
                let parent = symbol.parent.map(|at| &structure.symbols[at]);
                parent.is_none_or(|parent| parent.name == *package)
            });
            for symbol in own {
                let key = format!("{package}\0{}", symbol.name);
                self.names.entry(key).or_default().insert(path.to_owned());
            }
        }
    }

    /// Records the packages with more files than the limit.
    pub(super) fn note_limits(&self, reached: &mut LimitsMet) {
        for (package, files) in &self.packages {
            if files.len() > MOST_FILES {
                reached.note(FEWER_FILES, package);
            }
        }
    }

    /// Returns the files of a package; the first [`MOST_FILES`] of a larger one.
    pub(super) fn package(&self, package: &str) -> Option<Vec<String>> {
        let files = self.packages.get(package)?;
        Some(files.iter().take(MOST_FILES).cloned().collect())
    }

    /// Returns the files that declare a name in a package.
    pub(super) fn name(&self, package: &str, name: &str) -> Option<Vec<String>> {
        let files = self.names.get(&format!("{package}\0{name}"))?;
        Some(files.iter().cloned().collect())
    }

    /// Returns whether this package, or one below it, is declared here.
    pub(super) fn knows(&self, package: &str) -> bool {
        self.around.contains(package)
    }
}

pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn ends_with(path: &str, suffix: &str) -> bool {
    let start = path.strip_suffix(suffix);
    start.is_some_and(|start| start.is_empty() || start.ends_with('/'))
}

/// Returns a directory and its ancestors, the root as an empty path.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let here = next?;
        next = match here.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None if here.is_empty() => None,
            None => Some(""),
        };
        Some(here)
    })
}

/// Joins a path to a directory and resolves its dots; returns `None` if it leaves the root.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the number of leading components that two paths share.
pub(super) fn shared(one: &str, other: &str) -> usize {
    let pairs = one.split('/').zip(other.split('/'));
    pairs.take_while(|(one, other)| one == other).count()
}

/// Returns, among several with one name, the one around a file, else the one in the nearest
/// directory; among equally near ones, the one nearest to the root.
pub(super) fn nearest<'a, T>(
    from: &str,
    named: impl IntoIterator<Item = &'a T>,
    folder: impl Fn(&T) -> &str,
) -> Option<&'a T> {
    let parts = |one: &str| one.split('/').filter(|part| !part.is_empty()).count();
    named.into_iter().min_by_key(|one| {
        let at = folder(one);
        let near = shared(at, from);
        let is_around = at.is_empty() || near == parts(at);
        (!is_around, Reverse(near), parts(at), at.to_owned())
    })
}
