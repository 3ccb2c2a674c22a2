//! Ruby: paths beside the file, and below the folders that are on the load path.

use loom_syntax::Import;

use super::files::{Files, folder, joined};
use super::{Found, Unresolved, is_file_kind};

pub(super) fn resolve(files: &Files, from: &str, import: &Import) -> Found {
    let path = import.module.trim_end_matches(".rb");
    if is_file_kind(import) || path.starts_with('.') {
        let path = joined(folder(from), path).ok_or(Unresolved::Missing)?;
        let file = files.first([format!("{path}.rb"), path]);
        return file.map(|path| vec![path]).ok_or(Unresolved::Missing);
    }
    let wanted = format!("{path}.rb");
    let is_loaded = |found: &&String| {
        let base = found
            .strip_suffix(wanted.as_str())
            .unwrap_or_default()
            .trim_end_matches('/');
        let last = base.rsplit('/').next().unwrap_or_default();
        matches!(last, "lib" | "app" | "test" | "spec" | "ext" | "")
    };
    let found = files
        .ending_with(&wanted)
        .filter(is_loaded)
        .min_by_key(|path| path.len());
    found
        .map(|path| vec![path.clone()])
        .ok_or(Unresolved::Outside)
}
