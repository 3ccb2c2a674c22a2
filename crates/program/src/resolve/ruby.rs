//! Ruby: paths relative to the file, and below the directories on the load path.

use loom_syntax::Import;

use super::files::{Files, folder, joined};
use super::{ResolvedPaths, Unresolved, is_file_kind};

pub(super) fn resolve(files: &Files, from: &str, import: &Import) -> ResolvedPaths {
    let path = import.module.trim_end_matches(".rb");
    if is_file_kind(import) || path.starts_with('.') {
        let path = joined(folder(from), path).ok_or(Unresolved::Missing)?;
        let file = files.first([format!("{path}.rb"), path]);
        return file.map(|path| vec![path]).ok_or(Unresolved::Missing);
    }
    let target = format!("{path}.rb");
    let is_loaded = |found: &&String| {
        let base = found
            .strip_suffix(target.as_str())
            .unwrap_or_default()
            .trim_end_matches('/');
        let last = base.rsplit('/').next().unwrap_or_default();
        matches!(last, "lib" | "app" | "test" | "spec" | "ext" | "")
    };
    let found = files
        .ending_with(&target)
        .filter(is_loaded)
        .min_by_key(|path| path.len());
    found
        .map(|path| vec![path.clone()])
        .ok_or(Unresolved::Outside)
}
