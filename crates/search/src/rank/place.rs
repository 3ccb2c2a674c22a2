//! Words of a path, and whether the file is secondary, such as a test.

use loom_base::{EXAMPLE_FOLDERS, TEST_FOLDERS};

use crate::words;

/// Terms of a path, from the file name and from its directories.
pub(super) struct PathTerms {
    pub(super) stem: Vec<String>,
    pub(super) folders: Vec<String>,
}

impl PathTerms {
    pub(super) fn of(path: &str) -> Self {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        Self {
            stem: terms(if stem.is_empty() { name } else { stem }),
            folders: terms(folders),
        }
    }
}

/// Returns the words in the name of a file, without the whole name.
pub(super) fn stem_words(path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut found = Vec::new();
    for identifier in words::identifiers(if stem.is_empty() { name } else { stem }) {
        words::term_parts_in(identifier, |term| found.push(term.to_owned()));
    }
    found
}

fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for identifier in words::identifiers(text) {
        words::terms(identifier, |term| found.push(term.to_owned()));
    }
    found
}

/// Secondary directories, in addition to those of tests and examples.
const ASIDE_FOLDERS: &[&str] = &[
    "test",
    "testing",
    "testdata",
    "fixtures",
    "fixture",
    "mocks",
    "__mocks__",
    "vendor",
    "third_party",
    "legacy",
    "deprecated",
    "compat",
    "docs",
    "doc",
    "changelog",
    "changelogs",
];

/// Returns true for a test, an example, a copy of third-party code or the like.
pub fn is_aside(path: &str) -> bool {
    let lower = path.to_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let known = [ASIDE_FOLDERS, TEST_FOLDERS, EXAMPLE_FOLDERS];
    let in_folder = folders
        .split('/')
        .any(|folder| known.iter().any(|known| known.contains(&folder)));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let is_test = stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem == "tests"
        || stem == "conftest"
        || name.contains(".test.")
        || name.contains(".spec.");
    let original = path.rsplit('/').next().unwrap_or(path);
    let original = original.split_once('.').map_or(original, |(stem, _)| stem);
    let is_class = original.ends_with("Test") || original.ends_with("Tests");
    in_folder || is_test || is_class
}

/// Returns true for a file that re-exports or describes other files: a package's index file, a list
/// of exports, declarations, data.
pub(super) fn is_thin(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "__init__.py" | "index.js" | "index.ts" | "mod.rs" | "lib.rs"
    ) || name.ends_with(".d.ts")
}

/// Returns true for documents and data, which rank after the code that they describe.
pub(super) fn is_no_code(path: &str) -> bool {
    const ENDINGS: &[&str] = &[
        ".md", ".rst", ".txt", ".json", ".yaml", ".yml", ".toml", ".lock", ".svg", ".html", ".css",
        ".csv", ".xml", ".cfg", ".ini", ".po", ".adoc",
    ];
    let lower = path.to_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secondary_files_are_recognised_by_path() {
        for path in [
            "tests/a.py",
            "src/a_test.go",
            "x/FooTest.java",
            "a/b.spec.ts",
            "examples/x.rs",
        ] {
            assert!(is_aside(path), "{path}");
        }
        for path in ["src/latest.py", "contest.go", "src/protest/a.rs"] {
            assert!(!is_aside(path), "{path}");
        }
        let terms = PathTerms::of("src/http_client/retryPolicy.rs");
        assert_eq!(terms.stem, ["retri", "polici", "retrypolicy"]);
        assert_eq!(terms.folders, ["src", "http", "client", "httpclient"]);
    }
}
