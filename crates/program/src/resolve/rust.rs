//! Rust: modules of a crate, and the crates of a workspace.

use std::collections::HashMap;

use loom_syntax::{Import, ImportKind, Structure};

use super::files::{Files, folder, joined, name, nearest, upwards};
use super::{ResolvedPaths, Unresolved};

/// Crates of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Crates {
    by_folder: HashMap<String, Crate>,
    /// Directories by crate name: examples and fixtures may share a name.
    by_name: HashMap<String, Vec<String>>,
    /// Directories of path dependencies: by the directory of the manifest, and by the name in the
    /// code.
    paths: HashMap<String, HashMap<String, String>>,
    /// Re-exports under another name: from file and name to the path.
    aliases: HashMap<(String, String), String>,
}

#[derive(Clone, Debug, Default)]
struct Crate {
    library: Option<String>,
    /// Entry points of programs and tests in the manifest.
    targets: Vec<String>,
}

/// Maximum number of renamed crates that are followed: `grep::regex` is `grep_regex`.
const MOST_ALIASES: usize = 4;

impl Crates {
    /// Parses the relevant keys of a manifest, line by line.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let (mut section, mut package, mut own) = (String::new(), None, Crate::default());
        let mut library_name = None;
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']).to_owned();
            } else if let Some((key, value)) = line.split_once('=') {
                let value = value.split('#').next().unwrap_or_default().trim();
                self.add_dependency(folder(path), &section, key.trim(), value);
                let value = value.trim_matches(['"', '\'']).to_owned();
                match (section.as_str(), key.trim()) {
                    ("package", "name") => package = Some(value),
                    ("lib", "name") => library_name = Some(value),
                    ("lib", "path") => own.library = joined(folder(path), &value),
                    ("bin" | "test" | "example" | "bench", "path") => {
                        own.targets.extend(joined(folder(path), &value));
                    }
                    _ => {}
                }
            }
        }
        if let Some(package) = package {
            let name = library_name.unwrap_or(package).replace('-', "_");
            let folders = self.by_name.entry(name).or_default();
            folders.push(folder(path).to_owned());
            self.by_folder.insert(folder(path).to_owned(), own);
        }
    }

    /// Parses a dependency with a path: `name = { path = "…" }`, or `path = "…"` in its own
    /// section.
    fn add_dependency(&mut self, at: &str, section: &str, key: &str, value: &str) {
        let (before, name) = match section.rsplit_once("dependencies") {
            Some((before, "")) => (before, key),
            Some((before, own)) => (before, own.trim_start_matches('.')),
            None => return,
        };
        let is_table = before.is_empty() || before.ends_with(['.', '-']);
        let found = match (section.ends_with("dependencies"), key) {
            (true, _) => value.split(['{', ',']).find_map(|part| {
                let (key, value) = part.split_once('=')?;
                (key.trim() == "path").then_some(value)
            }),
            (false, "path") => Some(value),
            (false, _) => None,
        };
        let found = found.map(|path| path.trim().trim_matches(['"', '\'', '}', ' ']));
        if let Some(found) = found.filter(|_| is_table).and_then(|path| joined(at, path)) {
            let paths = self.paths.entry(at.to_owned()).or_default();
            paths.insert(name.trim_matches('"').replace('-', "_"), found);
        }
    }

    /// Returns the directory of a crate by its name in a file: from the nearest manifest that names
    /// it, else the nearest crate with that name.
    fn named<'a>(&'a self, from: &str, name: &str) -> Option<&'a str> {
        let mut manifests = upwards(folder(from)).filter_map(|above| self.paths.get(above));
        let declared = manifests.find_map(|paths| paths.get(name));
        let declared = declared.filter(|at| self.by_folder.contains_key(*at));
        let folders = || self.by_name.get(name).into_iter().flatten();
        let nearest = || nearest(from, folders(), String::as_str);
        declared.or_else(nearest).map(String::as_str)
    }

    /// Adds the re-exports of a file under another name: `pub use a_b as b`.
    pub(super) fn add_file(&mut self, path: &str, structure: &Structure) {
        for import in &structure.imports {
            for (name, local) in &import.locals {
                let target = match import.module.as_str() {
                    module if module.rsplit("::").next() == Some(name) => module.to_owned(),
                    // The statement may contain names of other modules.
                    _ if !import.names.contains(name) => continue,
                    "" => name.clone(),
                    module => format!("{module}::{name}"),
                };
                self.aliases
                    .insert((path.to_owned(), local.clone()), target);
            }
        }
    }

    fn crate_of<'a>(&self, from: &'a str) -> Option<&'a str> {
        upwards(folder(from)).find(|above| self.by_folder.contains_key(*above))
    }

    /// Returns the root file of a crate's library.
    fn library(&self, files: &Files, at: &str) -> Option<String> {
        let named = self.by_folder.get(at)?.library.clone();
        let usual = ["src/lib.rs", "src/main.rs", "lib.rs"];
        let usual = usual.iter().filter_map(|path| joined(at, path));
        files.first(named.into_iter().chain(usual))
    }
}

pub(super) fn resolve(
    files: &Files,
    crates: &Crates,
    from: &str,
    import: &Import,
) -> ResolvedPaths {
    if import.kind == ImportKind::File {
        let found = joined(folder(from), &import.module).filter(|path| files.has(path));
        return found.map(|path| vec![path]).ok_or(Unresolved::Missing);
    }
    if import.kind == ImportKind::Module {
        let path: Vec<&str> = import.module.split("::").collect();
        let found = child(files, &children_folder(from), &path);
        return found.map(|path| vec![path]).ok_or(Unresolved::Missing);
    }
    let module = import.module.trim_start_matches("::");
    let mut found = Vec::new();
    let names: Vec<&str> = match import.names.as_slice() {
        [] => vec![""],
        names => names.iter().map(String::as_str).collect(),
    };
    for name in names {
        let full = match (module, name) {
            (_, "" | "*" | "self") => module.to_owned(),
            ("", name) => name.to_owned(),
            _ => format!("{module}::{name}"),
        };
        let place = PathContext {
            files,
            crates,
            from,
            modules: import.modules,
        };
        let path = place.one(&full, MOST_ALIASES)?;
        if !found.contains(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Position of a path.
struct PathContext<'a> {
    files: &'a Files,
    crates: &'a Crates,
    from: &'a str,
    /// Number of modules around it in the same file.
    modules: usize,
}

impl PathContext<'_> {
    fn one(&self, path: &str, aliases: usize) -> Result<String, Unresolved> {
        let (files, crates, from) = (self.files, self.crates, self.from);
        let mut parts: Vec<&str> = path
            .split("::")
            .map(|part| part.trim_start_matches("r#"))
            .collect();
        let first = parts.remove(0);
        match first {
            "std" | "core" | "alloc" | "proc_macro" | "test" => Err(Unresolved::System),
            "crate" | "$crate" => {
                let root = root(files, crates, from).ok_or(Unresolved::Missing)?;
                self.deepest(&root, &parts, aliases)
            }
            "self" if self.modules > 0 => Ok(from.to_owned()),
            "self" => self.deepest(from, &parts, aliases),
            "super" => self.above(parts, aliases),
            first => {
                // A submodule hides a crate with the same name.
                if child(files, &children_folder(from), &[first]).is_some() {
                    parts.insert(0, first);
                    return self.deepest(from, &parts, aliases);
                }
                if let Some(at) = crates.named(from, first) {
                    let library = crates.library(files, at).ok_or(Unresolved::Missing)?;
                    return self.deepest(&library, &parts, aliases);
                }
                // `use Kind::*` names something in the same file.
                match first.starts_with(char::is_uppercase) {
                    true => Ok(from.to_owned()),
                    false => Err(Unresolved::Outside),
                }
            }
        }
    }

    /// Resolves a path after one `super`. In a module inside the file, that is the file itself.
    fn above(&self, mut parts: Vec<&str>, aliases: usize) -> Result<String, Unresolved> {
        let more = parts.iter().take_while(|part| **part == "super").count();
        parts.drain(..more);
        let steps = (more + 1).saturating_sub(self.modules);
        let mut at = self.from.to_owned();
        for _ in 0..steps {
            at = parent(self.files, &at).unwrap_or(at);
        }
        // The path is still in a module of the file.
        if more + 1 < self.modules {
            return Ok(at);
        }
        self.deepest(&at, &parts, aliases)
    }

    /// Returns the file of the last part that is a module with its own file.
    fn deepest(&self, start: &str, parts: &[&str], aliases: usize) -> Result<String, Unresolved> {
        let mut at = start.to_owned();
        for (done, part) in parts.iter().enumerate() {
            if let Some(next) = child(self.files, &children_folder(&at), &[part]) {
                at = next;
                continue;
            }
            let key = (at.clone(), (*part).to_owned());
            if let Some(target) = self.crates.aliases.get(&key).filter(|_| aliases > 0) {
                let rest = parts[done + 1..].iter().copied();
                let path: Vec<&str> = std::iter::once(target.as_str()).chain(rest).collect();
                let there = PathContext {
                    from: &at,
                    modules: 0,
                    ..*self
                };
                if let Ok(found) = there.one(&path.join("::"), aliases - 1) {
                    return Ok(found);
                }
            }
            break;
        }
        Ok(at)
    }
}

fn child(files: &Files, folder: &str, path: &[&str]) -> Option<String> {
    let below = joined(folder, &path.join("/"))?;
    files.first([format!("{below}.rs"), format!("{below}/mod.rs")])
}

/// Returns the directory of a file's submodules.
fn children_folder(file: &str) -> String {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let is_root = matches!(name(file), "mod.rs" | "lib.rs" | "main.rs" | "build.rs");
    if is_root || is_own_root(file) {
        folder(file).to_owned()
    } else {
        stem.to_owned()
    }
}

/// Returns whether a file is the root of a crate: a test, an example, a program.
fn is_own_root(file: &str) -> bool {
    let above = name(folder(file));
    matches!(above, "tests" | "examples" | "benches") || file.contains("src/bin/") && above == "bin"
}

/// Returns the file of the enclosing module.
fn parent(files: &Files, file: &str) -> Option<String> {
    let here = match name(file) {
        "mod.rs" => folder(folder(file)),
        "lib.rs" | "main.rs" => return None,
        _ => folder(file),
    };
    let siblings = ["mod.rs", "lib.rs", "main.rs"];
    let outside = (!here.is_empty()).then(|| format!("{here}.rs"));
    let inside = siblings.iter().filter_map(|one| joined(here, one));
    files.first(
        outside
            .into_iter()
            .chain(inside)
            .filter(|path| path != file),
    )
}

/// Returns the root file of a file's crate.
fn root(files: &Files, crates: &Crates, from: &str) -> Option<String> {
    let at = crates.crate_of(from)?;
    let inside = from
        .strip_prefix(at)
        .unwrap_or(from)
        .trim_start_matches('/');
    if is_own_root(from) || inside == "build.rs" {
        return Some(from.to_owned());
    }
    // A target of the manifest in an ancestor directory: the nearest one.
    let named = crates
        .by_folder
        .get(at)
        .into_iter()
        .flat_map(|own| &own.targets);
    let above = named.filter(|target| from.starts_with(&format!("{}/", folder(target))));
    let nearest = above.max_by_key(|target| folder(target).len());
    if let Some(target) = nearest.filter(|target| files.has(target)) {
        return Some(target.clone());
    }
    // A program of several files, in `src/bin/name` or `tests/name`.
    let main = upwards(folder(from))
        .take_while(|above| *above != at && name(above) != "src")
        .filter_map(|above| joined(above, "main.rs"))
        .find(|path| files.has(path));
    main.or_else(|| crates.library(files, at))
}
