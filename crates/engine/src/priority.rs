//! The order of files under a budget: by role, importance, path and size. It reads no files; the
//! map supplies the importance.

use std::cmp::Reverse;

use loom_base::{EXAMPLE_FOLDERS, RepoPath, TEST_FOLDERS};

use crate::FileMeta;

/// Role of a file, in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// An introduction to the repository: a README or manifest at the top.
    Introduction,
    /// Source code.
    Source,
    /// Documents, settings and build scripts.
    Support,
    /// Tests, examples and benchmarks.
    Test,
    /// Data, licences, change logs, and generated or vendored files.
    Ballast,
}

/// Rank of a file in the order of choice; smaller comes first.
///
/// The role decides, then the importance, then the depth of the path. A file that needs more than a
/// quarter of the budget comes after the others of its role. Finally, small files come before large
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Priority {
    kind: FileRole,
    is_huge: bool,
    importance: Reverse<u32>,
    depth: usize,
    tokens: usize,
}

/// A file that needs more than one part in this many of the budget is huge.
const HUGE: usize = 4;

/// Computes the priority of a file for a budget of `room` tokens. `importance` comes from the map,
/// from 0 to 1; it counts only for code.
pub fn priority(file: &FileMeta, room: usize, importance: f64) -> Priority {
    let kind = FileRole::of(file);
    let is_code = matches!(kind, FileRole::Source | FileRole::Test);
    let importance = if is_code { importance } else { 0.0 };
    let importance = (importance.clamp(0.0, 1.0) * 1e6) as u32;
    Priority {
        kind,
        is_huge: file.tokens > room / HUGE,
        importance: Reverse(importance),
        depth: file.path.components().count(),
        tokens: file.tokens,
    }
}

impl FileRole {
    /// Returns the role of a file, by its path and language.
    pub fn of(file: &FileMeta) -> Self {
        Self::of_path(&file.path, file.language_id())
    }

    /// Returns the role of a path with this language.
    pub fn of_path(path: &RepoPath, language: Option<&str>) -> Self {
        let path = path.display().to_ascii_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if is_ballast(folders, name, language) {
            Self::Ballast
        } else if is_test(folders, name) {
            Self::Test
        } else if folders.is_empty() && is_introduction(name) {
            Self::Introduction
        } else if is_support(folders, name, language) {
            Self::Support
        } else {
            Self::Source
        }
    }
}

const MANIFESTS: &[&str] = &[
    "cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "composer.json",
    "gemfile",
    "mix.exs",
    "package.swift",
    "cmakelists.txt",
    "makefile",
    "deno.json",
    "pubspec.yaml",
    "build.sbt",
    "dune-project",
];

fn is_introduction(name: &str) -> bool {
    name.starts_with("readme") || name.starts_with("architecture") || MANIFESTS.contains(&name)
}

const BALLAST_FOLDERS: &[&str] = &[
    "vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "external",
    "extern",
    "3rdparty",
    "vendored",
    "_vendor",
    "node_modules",
    "fixtures",
    "testdata",
    "__snapshots__",
    "snapshots",
    "generated",
    "locale",
    "locales",
    "translations",
    "licenses",
    "changelog",
    "changelogs",
];

/// Directories of third-party code at the top of a repository; deeper, the names may have other
/// meanings.
const BALLAST_AT_TOP: &[&str] = &["deps", "subprojects", "submodules"];

/// Suffixes of names of generated files.
const GENERATED: &[&str] = &[
    ".pb.go", "_pb2.py", ".g.dart", ".snap", ".min.js", ".min.css", ".map",
];

/// Prefixes of legal and similar files that every repository has.
const LEGAL: &[&str] = &[
    "license",
    "licence",
    "copying",
    "notice",
    "authors",
    "contributors",
    "changelog",
    "changes",
    "history.",
];

const DATA: &[&str] = &["json", "csv", "tsv", "xml", "svg", "text", "po", "jsonl"];

fn is_ballast(folders: &str, name: &str, language: Option<&str>) -> bool {
    let is_data = language.is_none_or(|language| DATA.contains(&language));
    let is_document = is_data || language.is_some_and(|language| SUPPORT.contains(&language));
    let top = folders.split('/').next().unwrap_or_default();
    has_folder(folders, BALLAST_FOLDERS)
        || BALLAST_AT_TOP.contains(&top)
        || is_document && LEGAL.iter().any(|start| name.starts_with(start))
        || GENERATED.iter().any(|end| name.ends_with(end))
        || name.contains("generated")
        || is_data && !is_introduction(name) && !name.starts_with("tsconfig")
}

/// Test directories in addition to [`TEST_FOLDERS`].
const TESTING_FOLDERS: &[&str] = &["test", "testing", "fuzz"];

fn is_test(folders: &str, name: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let known = [TEST_FOLDERS, EXAMPLE_FOLDERS, TESTING_FOLDERS];
    known.iter().any(|known| has_folder(folders, known))
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem == "conftest"
        || name.contains(".test.")
        || name.contains(".spec.")
}

const SUPPORT_FOLDERS: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "scripts",
    "ci",
    "hack",
    "tools",
    "build",
    "cmake",
];

const SUPPORT: &[&str] = &[
    "markdown",
    "rst",
    "asciidoc",
    "yaml",
    "toml",
    "ini",
    "bash",
    "makefile",
    "dockerfile",
    "cmake",
    "html",
    "css",
];

fn is_support(folders: &str, name: &str, language: Option<&str>) -> bool {
    name.starts_with('.')
        || folders.split('/').any(|folder| folder.starts_with('.'))
        || has_folder(folders, SUPPORT_FOLDERS)
        || language.is_some_and(|language| SUPPORT.contains(&language))
        || is_introduction(name)
}

fn has_folder(folders: &str, known: &[&str]) -> bool {
    folders.split('/').any(|folder| known.contains(&folder))
}

#[cfg(test)]
mod tests {
    use loom_base::{ContentHash, RepoPath};
    use loom_models::Vocabulary;

    use super::*;

    fn file(path: &str, tokens: usize) -> FileMeta {
        let hash = ContentHash::from_bytes([0; 32]);
        let path = RepoPath::new(path).unwrap();
        let file = crate::describe(path, "", hash, Vocabulary::O200kBase);
        FileMeta { tokens, ..file }
    }

    #[test]
    fn kinds() {
        for (kind, paths) in [
            (
                FileRole::Introduction,
                &["README.md", "Cargo.toml", "package.json", "Makefile"][..],
            ),
            (
                FileRole::Source,
                &[
                    "src/lib.rs",
                    "a/b/views.py",
                    "main.go",
                    "pkg/latest.go",
                    "app/contest.py",
                ],
            ),
            (
                FileRole::Support,
                &[
                    "docs/guide.md",
                    "crates/x/Cargo.toml",
                    ".github/workflows/ci.yml",
                    "hack/run.sh",
                ],
            ),
            (
                FileRole::Test,
                &[
                    "tests/it.rs",
                    "a/x_test.go",
                    "src/a.test.ts",
                    "test_views.py",
                    "examples/a.py",
                ],
            ),
            (
                FileRole::Ballast,
                &[
                    "LICENSE",
                    "CHANGELOG.md",
                    "vendor/a/b.go",
                    "data/x.csv",
                    "a/x.pb.go",
                    "tests/fixtures/a.py",
                ],
            ),
        ] {
            for path in paths {
                assert_eq!(FileRole::of(&file(path, 1)), kind, "{path}");
            }
        }
    }

    #[test]
    fn kind_then_size_then_depth() {
        let mut files = [
            file("tests/a.rs", 1),
            file("src/deep/down/a.rs", 1),
            file("src/huge.rs", 900),
            file("src/b.rs", 20),
            file("src/a.rs", 10),
            file("README.md", 30),
        ];
        files.sort_by_key(|file| priority(file, 1000, 0.0));
        let paths: Vec<_> = files.iter().map(|file| file.path.to_string()).collect();
        let expected = [
            "README.md",
            "src/a.rs",
            "src/b.rs",
            "src/deep/down/a.rs",
            "src/huge.rs",
            "tests/a.rs",
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn importance_comes_before_depth_and_counts_for_code_alone() {
        let important = |path: &str, importance| priority(&file(path, 1), 1000, importance);
        assert!(important("src/deep/down/a.rs", 0.5) < important("src/a.rs", 0.1));
        assert!(important("docs/a.md", 0.1) < important("docs/deep/a.md", 0.9));
        assert!(important("src/a.rs", 0.0) < important("tests/a.rs", 1.0));
    }
}
