//! Rust: modules of a crate, and the crates of a workspace.

use std::collections::HashMap;

use super::files::{Files, folder, joined, name, upwards};
use super::{Found, Unresolved};
use crate::{Import, ImportKind};

/// The crates of a repository.
#[derive(Debug, Default)]
pub(super) struct Crates {
    by_folder: HashMap<String, Crate>,
    by_name: HashMap<String, String>,
}

#[derive(Debug, Default)]
struct Crate {
    library: Option<String>,
    /// Where programs and tests start that a manifest names.
    targets: Vec<String>,
}

impl Crates {
    /// The few keys of a manifest that matter, line by line.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let (mut section, mut package, mut own) = (String::new(), None, Crate::default());
        let mut library_name = None;
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']).to_owned();
            } else if let Some((key, value)) = line.split_once('=') {
                let value = value.split('#').next().unwrap_or_default().trim();
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
            self.by_name.insert(name, folder(path).to_owned());
            self.by_folder.insert(folder(path).to_owned(), own);
        }
    }

    fn of<'a>(&self, from: &'a str) -> Option<&'a str> {
        upwards(folder(from)).find(|above| self.by_folder.contains_key(*above))
    }

    /// The file that a crate starts with for those who use it.
    fn library(&self, files: &Files, at: &str) -> Option<String> {
        let named = self.by_folder.get(at)?.library.clone();
        let usual = ["src/lib.rs", "src/main.rs", "lib.rs"];
        let usual = usual.iter().filter_map(|path| joined(at, path));
        files.first(named.into_iter().chain(usual))
    }
}

pub(super) fn resolve(files: &Files, crates: &Crates, from: &str, import: &Import) -> Found {
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
        let path = one(files, crates, from, &full)?;
        if !found.contains(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

fn one(files: &Files, crates: &Crates, from: &str, path: &str) -> Result<String, Unresolved> {
    let mut parts: Vec<&str> = path
        .split("::")
        .map(|part| part.trim_start_matches("r#"))
        .collect();
    let first = parts.remove(0);
    match first {
        "std" | "core" | "alloc" | "proc_macro" | "test" => Err(Unresolved::System),
        "crate" | "$crate" => {
            let root = root(files, crates, from).ok_or(Unresolved::Missing)?;
            Ok(deepest(files, &root, &parts))
        }
        "self" => Ok(deepest(files, from, &parts)),
        "super" => {
            let mut at = parent(files, from).unwrap_or_else(|| from.to_owned());
            while parts.first() == Some(&"super") {
                parts.remove(0);
                at = parent(files, &at).unwrap_or(at);
            }
            Ok(deepest(files, &at, &parts))
        }
        first => {
            // A module of this one hides a crate of the same name.
            if child(files, &children_folder(from), &[first]).is_some() {
                parts.insert(0, first);
                return Ok(deepest(files, from, &parts));
            }
            if let Some(at) = crates.by_name.get(first) {
                let library = crates.library(files, at).ok_or(Unresolved::Missing)?;
                return Ok(deepest(files, &library, &parts));
            }
            // `use Kind::*` names something of the same file.
            match first.starts_with(char::is_uppercase) {
                true => Ok(from.to_owned()),
                false => Err(Unresolved::Outside),
            }
        }
    }
}

/// The file of the last part that is a module with a file of its own.
fn deepest(files: &Files, start: &str, parts: &[&str]) -> String {
    let mut at = start.to_owned();
    for part in parts {
        match child(files, &children_folder(&at), &[part]) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

fn child(files: &Files, folder: &str, path: &[&str]) -> Option<String> {
    let below = joined(folder, &path.join("/"))?;
    files.first([format!("{below}.rs"), format!("{below}/mod.rs")])
}

/// Where the modules of a file lie.
fn children_folder(file: &str) -> String {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let is_root = matches!(name(file), "mod.rs" | "lib.rs" | "main.rs" | "build.rs");
    if is_root || is_own_root(file) {
        folder(file).to_owned()
    } else {
        stem.to_owned()
    }
}

/// Whether a file is a crate of its own: a test, an example, a program.
fn is_own_root(file: &str) -> bool {
    let above = name(folder(file));
    matches!(above, "tests" | "examples" | "benches") || file.contains("src/bin/") && above == "bin"
}

/// The file of the module around a file.
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

/// The file in which the crate of a file starts.
fn root(files: &Files, crates: &Crates, from: &str) -> Option<String> {
    let at = crates.of(from)?;
    let inside = from
        .strip_prefix(at)
        .unwrap_or(from)
        .trim_start_matches('/');
    if is_own_root(from) || inside == "build.rs" {
        return Some(from.to_owned());
    }
    // A target that the manifest names, in a folder above: the nearest.
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
