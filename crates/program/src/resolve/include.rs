//! Files named by their paths: `#include` of C and C++, and everything else that
//! names a file beside the one that names it.

use loom_syntax::{Import, ImportKind};

use super::files::{Files, folder, joined, shared};
use super::{Found, Unresolved};

/// An include: beside the file, else the path that ends like it and is nearest.
pub(super) fn resolve(files: &Files, from: &str, import: &Import) -> Found {
    let path = import.module.as_str();
    if import.kind == ImportKind::File
        && let Some(beside) = joined(folder(from), path).filter(|path| files.has(path))
    {
        return Ok(vec![beside]);
    }
    let wanted = joined("", path.trim_start_matches("../")).unwrap_or_default();
    let is_close =
        |found: &&String| import.kind == ImportKind::File || has_include_folder(found, &wanted);
    let candidates = files.ending_with(&wanted).filter(is_close);
    // The nearest: it shares most of its path, and is the shortest of those.
    let nearest = candidates.max_by_key(|path| (shared(path, from), usize::MAX - path.len()));
    match nearest {
        Some(path) => Ok(vec![path.clone()]),
        None if import.kind == ImportKind::System => Err(Unresolved::System),
        None => Err(Unresolved::Missing),
    }
}

/// Whether a file lies below a folder that a compiler would be told to search.
fn has_include_folder(path: &str, wanted: &str) -> bool {
    let base = path.strip_suffix(wanted).unwrap_or_default();
    let mut parts = base.split('/').filter(|part| !part.is_empty());
    base.is_empty()
        || parts.any(|part| matches!(part, "include" | "inc" | "src" | "uapi" | "generated"))
}

/// A path beside the file, else below the root.
/// A file beside this one; a name without an ending is a module of the build.
pub(super) fn zig(files: &Files, from: &str, import: &Import) -> Found {
    match import.module.as_str() {
        "std" | "builtin" => Err(Unresolved::System),
        path if path.ends_with(".zig") || path.ends_with(".zon") => relative(files, from, import),
        _ => Err(Unresolved::Outside),
    }
}

pub(super) fn relative(files: &Files, from: &str, import: &Import) -> Found {
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
