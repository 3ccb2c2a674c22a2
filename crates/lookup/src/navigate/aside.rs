//! Recognizes files that rank last: tests, examples and third-party code.

/// Returns true if a path names a test, an example, or third-party code.
pub(super) fn is_aside(path: &str) -> bool {
    is_foreign(path) || loom_search::is_aside(path)
}

/// Returns true if a path names third-party code or an example.
fn is_foreign(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "deps",
        "extern",
        "external",
        "node_modules",
        "thirdparty",
        "vendored",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_example = stem
        .split(['_', '-'])
        .any(|word| matches!(word, "example" | "sample"));
    is_example || folders.split('/').any(|folder| FOLDERS.contains(&folder))
}
