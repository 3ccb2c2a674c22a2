//! The suites of the workspace as a table: the directory, the tools and the programs of each. A
//! suite is added with its first test.

use std::path::Path;

use crate::invocation::Invocation;
use crate::tools::{CHROMIUM, GIT, PIP, PYTHON, SSHD, Tool, on_path};

/// A set of tests in one language.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// Directory of the suite; if it is missing, there is nothing to run.
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
    Suite {
        name: "clients",
        lives_in: "tests/clients",
        needs: &[&PYTHON, &PIP],
        steps: clients,
    },
    Suite {
        name: "leaks",
        lives_in: "tests/leaks",
        needs: &[&GIT, &PYTHON],
        steps: leaks,
    },
    Suite {
        name: "services",
        lives_in: "tests/services",
        needs: &[&PYTHON, &PIP],
        steps: services,
    },
    Suite {
        name: "wasm",
        lives_in: "crates/base",
        needs: &[],
        steps: wasm,
    },
];

/// Returns the suites of this checkout.
pub(crate) fn present(root: &Path) -> impl Iterator<Item = &'static Suite> {
    SUITES
        .iter()
        .filter(|suite| root.join(suite.lives_in).is_dir())
}

/// Returns the tests of the benchmark programs; their figures are not tested.
fn benchmarks() -> Vec<Invocation> {
    vec![
        Invocation::new("python3", &["benchmarks/localisation/test_score.py"]),
        Invocation::new("python3", &["benchmarks/pack/test_run.py"]),
        Invocation::new("python3", &["benchmarks/secrets/test_planted.py"]),
        Invocation::new("python3", &["benchmarks/secrets/test_score.py"]),
        Invocation::new("python3", &["benchmarks/vocabularies/test_run.py"]),
    ]
}

fn rust() -> Vec<Invocation> {
    let unit = if on_path("cargo-nextest") {
        Invocation::cargo(&["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        println!(
            "note: cargo test runs the tests; `cargo install --locked cargo-nextest` is faster"
        );
        let targets = ["--lib", "--bins", "--tests", "--no-fail-fast"];
        Invocation::cargo(&["test", "--workspace"]).arguments(&targets.map(str::to_owned))
    };
    vec![
        unit,
        Invocation::cargo(&["test", "--workspace", "--doc", "--no-fail-fast"]),
        Invocation::cargo(&["build", "--workspace", "--examples"]),
    ]
}

/// Returns the tests of the MCP server with third-party clients.
fn clients() -> Vec<Invocation> {
    with_program("tests/clients/run.py")
}

/// Returns the searches for planted secrets in every output: a sample of the long suite `leaks`.
/// Its own tests come first: they prove that it fails for a program that prints nothing. A sample
/// of the long suite `planted` comes last.
fn leaks() -> Vec<Invocation> {
    let planted = [
        "benchmarks/secrets/planted.py",
        "--binary",
        &built_program(),
    ];
    let mut steps = vec![Invocation::new("python3", &["tests/leaks/test_run.py"])];
    steps.extend(with_program("tests/leaks/run.py"));
    steps.push(Invocation::new("python3", &planted));
    steps
}

/// Returns the tests of contexts with embeddings from a third-party service.
fn services() -> Vec<Invocation> {
    with_program("tests/services/run.py")
}

/// Returns the check of the packages without I/O for the web. The command installs its own
/// requirements.
fn wasm() -> Vec<Invocation> {
    vec![Invocation::cargo(&["xtask", "wasm"])]
}

/// Builds the program and passes its path to a script. With examples the build uses the development
/// features like the tests, so that nothing is compiled twice.
fn with_program(script: &str) -> Vec<Invocation> {
    vec![
        Invocation::cargo(&["build", "--workspace", "--bins", "--examples"]),
        Invocation::new("python3", &[script, &built_program()]),
    ]
}

/// Returns the path of the program that `cargo build` writes.
fn built_program() -> String {
    let folder = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    format!("{folder}/debug/infiniloom{}", std::env::consts::EXE_SUFFIX)
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
        std::fs::create_dir_all(root.path().join("tests/clients")).unwrap();
        assert_eq!(present(root.path()).count(), 3);
        std::fs::create_dir_all(root.path().join("tests/services")).unwrap();
        assert_eq!(present(root.path()).count(), 4);
    }
}
