//! Recognises paths of tests by the conventions of languages, and the subject in the name of a test
//! file.

use loom_base::TEST_FOLDERS;

use super::words::subject_words;

/// Directories with test support.
const NEEDED: &[&str] = &["__mocks__", "testdata", "testutil", "fixtures"];

/// Returns whether a file is a test, or only for tests, according to its path.
pub(crate) fn is_test(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let Some((name, folders)) = parts.split_last() else {
        return false;
    };
    let is_folder = folders.iter().enumerate().any(|(at, folder)| {
        let is_known = TEST_FOLDERS.contains(folder) || NEEDED.contains(folder);
        is_known || is_source_set(&folders[..at], folder)
    });
    is_folder || is_test_name(name)
}

/// Returns whether a directory contains tests: `test` at the root or below `src`; elsewhere it may
/// be a library for tests. The source sets of Gradle follow the same rule: `jvmTest`,
/// `androidTest`.
fn is_source_set(before: &[&str], folder: &str) -> bool {
    let is_outer = before.is_empty() || before.last() == Some(&"src");
    is_outer && (folder == "test" || folder.ends_with("Test") || folder.ends_with("Tests"))
        || folder.ends_with(".Tests")
}

fn is_test_name(name: &str) -> bool {
    let stem = stem(name);
    let first = stem.split('.').next().unwrap_or(stem);
    let has_mark = |mark: &str| stem.split('.').skip(1).any(|part| part == mark);
    let ends = [
        "_test",
        "_tests",
        "-test",
        "_spec",
        "_unittest",
        "Test",
        "Tests",
        "TestCase",
    ];
    matches!(
        first,
        "test" | "tests" | "conftest" | "testutil" | "testutils"
    ) || first.starts_with("test_")
        || first.starts_with("test-")
        || ends.iter().any(|end| first.ends_with(end))
        || (first.ends_with("Spec") && first.len() > 4)
        || has_mark("test")
        || has_mark("spec")
}

/// Returns the name of a file without its last extension.
pub(super) fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Returns the words of a test file's subject: from its name, or from its directory if the name
/// only says that it contains tests.
pub(super) fn subject(path: &str) -> Vec<String> {
    let mut parts = path.rsplit('/');
    let own = subject_words(stem(parts.next().unwrap_or_default()));
    match own.is_empty() {
        false => own,
        true => parts.next().map(subject_words).unwrap_or_default(),
    }
}

/// Returns the number of directories that two paths share, in any order: `src/main/a/B` and
/// `src/test/a/BTest` share two.
pub(super) fn shared(one: &str, other: &str) -> usize {
    let folders: Vec<&str> = one.rsplit('/').skip(1).collect();
    let count = |part: &&str| folders.contains(part);
    other.rsplit('/').skip(1).filter(count).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_tests_are_recognised() {
        let check = |path: &str, expected: bool| assert_eq!(is_test(path), expected, "{path}");
        check("pkg/a/b_test.go", true);
        check("a/test_b.py", true);
        check("tests/basic/models.py", true);
        check("django/test/client.py", false);
        check("src/test/java/a/B.java", true);
        check("okhttp/src/jvmTest/kotlin/A.kt", true);
        check("a/B.Tests/C.cs", true);
        check("a/BTest.java", true);
        check("a/b.spec.ts", true);
        check("a/b.test.tsx", true);
        check("a/__tests__/b.ts", true);
        check("src/latest.rs", false);
        check("a/contest.py", false);
        check("Spec.swift", false);
        check("src/a/tests.rs", true);
    }

    #[test]
    fn test_file_names_its_subject() {
        let check = |path: &str, expected: &str| assert_eq!(subject(path).join(" "), expected);
        check("a/url_parser_test.go", "url parser");
        check("a/GsonBuilderTest.java", "gson builder");
        check("a/b.spec.ts", "b");
        check("a/pages/tests.py", "pages");
    }
}
