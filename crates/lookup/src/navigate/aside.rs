//! Files that are beside the matter: tests, examples, and code of somebody else.

/// Whether a path says that a file is a test, an example, or somebody else's.
pub(super) fn is_aside(path: &str) -> bool {
    is_foreign(path) || loom_search::is_aside(path)
}

/// Whether a path says that somebody else wrote the file, or that it shows how to.
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
