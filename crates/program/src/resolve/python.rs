//! Python: packages, modules and relative imports.

use loom_syntax::Import;

use super::files::{Files, folder, upwards};
use super::{ResolvedPaths, Unresolved};

pub(super) fn resolve(files: &Files, from: &str, import: &Import) -> ResolvedPaths {
    let module = import.module.as_str();
    let dots = module.len() - module.trim_start_matches('.').len();
    let path = module[dots..].replace('.', "/");
    let bases: Vec<String> = if dots > 0 {
        let base = upwards(folder(from))
            .nth(dots - 1)
            .ok_or(Unresolved::Missing)?;
        vec![base.to_owned()]
    } else {
        // The directory of a script, its ancestors, and their `src` directories.
        let above: Vec<_> = upwards(folder(from)).map(str::to_owned).collect();
        let sources = above.iter().map(|folder| below(folder, "src"));
        let mut all: Vec<String> = above.iter().cloned().chain(sources).collect();
        // In a package, only the directories above it are on the path.
        all.retain(|folder| !files.has(&below(folder, "__init__.py")));
        all
    };
    for base in &bases {
        if let Some(found) = in_base(files, base, &path, &import.names) {
            return Ok(found);
        }
    }
    let first = path.split('/').next().unwrap_or_default();
    let is_ours = |base: &String| {
        let top = below(base, first);
        !first.is_empty() && module_file(files, &top).is_some()
    };
    Err(match dots > 0 || bases.iter().any(is_ours) {
        true => Unresolved::Missing,
        false => Unresolved::Outside,
    })
}

fn below(folder: &str, path: &str) -> String {
    match (folder.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{path}"),
    }
}

/// Returns the module below a directory: its file, and those of the imported names that are
/// modules, too.
fn in_base(files: &Files, base: &str, path: &str, names: &[String]) -> Option<Vec<String>> {
    let at = below(base, path);
    let own = module_file(files, &at);
    let submodules = names
        .iter()
        .map(|name| module_file(files, &below(&at, name)));
    let submodules: Vec<Option<String>> = submodules.collect();
    let mut found: Vec<String> = submodules.iter().flatten().cloned().collect();
    // A name that is not a module comes from the package.
    if names.is_empty() || submodules.iter().any(Option::is_none) {
        found.extend(own);
    }
    found.dedup();
    (!found.is_empty()).then_some(found)
}

fn module_file(files: &Files, at: &str) -> Option<String> {
    let endings = ["/__init__.py", ".py", "/__init__.pyi", ".pyi", ".pyx"];
    files.first(endings.map(|ending| {
        let path = format!("{at}{ending}");
        path.trim_start_matches('/').to_owned()
    }))
}
