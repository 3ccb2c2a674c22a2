//! The suites of the workspace as a table: what makes a suite exist, what it
//! needs, and which programs run it. A suite arrives with its first test.

use std::path::Path;

use crate::invocation::Invocation;
use crate::tools::{CHROMIUM, GIT, PYTHON, SSHD, Tool, on_path};

/// A set of tests in one language.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// The folder without which there is nothing to run.
    pub(crate) lives_in: &'static str,
    pub(crate) needs: &'static [&'static Tool],
    /// Run in this order; a failure stops the suite.
    pub(crate) steps: fn() -> Vec<Invocation>,
}

pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "benchmarks",
        lives_in: "benchmarks",
        needs: &[&GIT, &PYTHON],
        steps: benchmarks,
    },
    Suite {
        name: "rust",
        lives_in: "crates",
        needs: &[&GIT, &SSHD, &CHROMIUM],
        steps: rust,
    },
];

/// The suites that this checkout has.
pub(crate) fn present(root: &Path) -> impl Iterator<Item = &'static Suite> {
    SUITES
        .iter()
        .filter(|suite| root.join(suite.lives_in).is_dir())
}

/// The programs that measure are programs too; their figures are not tested.
fn benchmarks() -> Vec<Invocation> {
    vec![
        Invocation::new("python3", &["benchmarks/pack/test_run.py"]),
        Invocation::new("python3", &["benchmarks/secrets/test_score.py"]),
        Invocation::new("python3", &["benchmarks/vocabularies/test_run.py"]),
    ]
}

fn rust() -> Vec<Invocation> {
    let unit = if on_path("cargo-nextest") {
        Invocation::cargo(&["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        let targets = ["--lib", "--bins", "--tests", "--no-fail-fast"];
        Invocation::cargo(&["test", "--workspace"]).arguments(&targets.map(str::to_owned))
    };
    vec![
        unit,
        Invocation::cargo(&["test", "--workspace", "--doc", "--no-fail-fast"]),
        Invocation::cargo(&["build", "--workspace", "--examples"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_exists_with_its_folder() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(present(root.path()).count(), 0);
        std::fs::create_dir(root.path().join("crates")).unwrap();
        let names: Vec<&str> = present(root.path()).map(|suite| suite.name).collect();
        assert_eq!(names, ["rust"]);
        std::fs::create_dir(root.path().join("benchmarks")).unwrap();
        assert_eq!(present(root.path()).count(), 2);
    }
}
