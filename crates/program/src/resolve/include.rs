//! Files that are named by their paths: `#include` of C and C++, and other languages that name
//! files relative to the importing one.

use loom_syntax::{Import, ImportKind};

use super::files::{Files, folder, joined, shared};
use super::{ResolvedPaths, Unresolved};

/// Resolves an include: relative to the file, else the nearest path that ends like it.
pub(super) fn resolve(files: &Files, from: &str, import: &Import) -> ResolvedPaths {
    let path = import.module.as_str();
    if import.kind == ImportKind::File
        && let Some(beside) = joined(folder(from), path).filter(|path| files.has(path))
    {
        return Ok(vec![beside]);
    }
    let target = joined("", path.trim_start_matches("../")).unwrap_or_default();
    let is_close =
        |found: &&String| import.kind == ImportKind::File || has_include_folder(found, &target);
    let candidates = files.ending_with(&target).filter(is_close);
    // The nearest shares most of its path, and is the shortest of those.
    let nearest = candidates.max_by_key(|path| (shared(path, from), usize::MAX - path.len()));
    match nearest {
        Some(path) => Ok(vec![path.clone()]),
        None if import.kind == ImportKind::System => Err(Unresolved::System),
        None => Err(Unresolved::Missing),
    }
}

/// Returns whether a file is below a directory that is usually on a compiler's include path.
fn has_include_folder(path: &str, target: &str) -> bool {
    let base = path.strip_suffix(target).unwrap_or_default();
    let mut parts = base.split('/').filter(|part| !part.is_empty());
    base.is_empty()
        || parts.any(|part| matches!(part, "include" | "inc" | "src" | "uapi" | "generated"))
}

/// Resolves a path relative to the file; a name without an extension is a module of the build.
pub(super) fn zig(files: &Files, from: &str, import: &Import) -> ResolvedPaths {
    match import.module.as_str() {
        "std" | "builtin" => Err(Unresolved::System),
        path if path.ends_with(".zig") || path.ends_with(".zon") => relative(files, from, import),
        _ => Err(Unresolved::Outside),
    }
}

pub(super) fn relative(files: &Files, from: &str, import: &Import) -> ResolvedPaths {
    let path = import.module.split(['?', '#']).next().unwrap_or_default();
    if path.contains("://") || path.starts_with("//") {
        return Err(Unresolved::Outside);
    }
    if path.contains(['$', '{', '`']) {
        return Err(Unresolved::Computed);
    }
    let beside = joined(folder(from), path);
    let candidates = beside.into_iter().chain(joined("", path));
    let found = files.first(candidates);
    found.map(|path| vec![path]).ok_or(Unresolved::Missing)
}
