//! Parent modules of imported modules. `from shop import sell` names the module `shop/sell.py`, but
//! the package `shop` may give the name another meaning.

use loom_base::RepoPath;
use loom_syntax::Import;

/// Returns the files that may be the parent module of `file`, if the import names this file as a
/// module and not a definition in it.
pub(super) fn paths(family: &str, file: &RepoPath, import: &Import) -> Vec<RepoPath> {
    let Some(path) = file.as_str() else {
        return Vec::new();
    };
    let paths = match family {
        "python" => python(path, import),
        "rust" => rust(path, import),
        _ => Vec::new(),
    };
    let paths = paths.into_iter();
    paths.filter_map(|path| RepoPath::new(path).ok()).collect()
}

fn python(path: &str, import: &Import) -> Vec<String> {
    let Some(stem) = path.strip_suffix(".py") else {
        return Vec::new();
    };
    let (folder, name) = split(stem.strip_suffix("/__init__").unwrap_or(stem));
    let package = import.module.rsplit('.').next().unwrap_or_default();
    let is_module = package.is_empty() || split(folder).1 == package;
    match is_module && has_name(import, name) {
        true => vec![joined(folder, "__init__.py")],
        false => Vec::new(),
    }
}

fn rust(path: &str, import: &Import) -> Vec<String> {
    let Some(stem) = path.strip_suffix(".rs") else {
        return Vec::new();
    };
    let (folder, name) = split(stem.strip_suffix("/mod").unwrap_or(stem));
    if import.module.rsplit("::").next() == Some(name) || !has_name(import, name) {
        return Vec::new();
    }
    let inside = ["mod.rs", "lib.rs", "main.rs"].map(|file| joined(folder, file));
    let outside = (!folder.is_empty()).then(|| format!("{folder}.rs"));
    inside.into_iter().chain(outside).collect()
}

fn has_name(import: &Import, name: &str) -> bool {
    import.names.iter().any(|one| one == name)
}

/// Splits a path into its directory, which may be empty, and its last component.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn joined(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}
