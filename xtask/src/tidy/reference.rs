//! The generated pages of `docs/reference` are up to date.

use std::path::Path;

use super::problem::Problem;
use crate::docs;

pub(crate) fn check(root: &Path) -> Vec<Problem> {
    if !docs::exist(root) {
        return Vec::new();
    }
    match docs::stale(root) {
        Ok(pages) => pages.into_iter().map(problem).collect(),
        Err(error) => vec![not_generated(&error)],
    }
}

fn problem(page: docs::StalePage) -> Problem {
    Problem::new(page.path, 1, page.what, page.remedy)
}

fn not_generated(error: &anyhow::Error) -> Problem {
    let what = format!("cannot be generated: {error:#}");
    Problem::new(docs::FOLDER, 1, what, "mend `cargo xtask docs`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    #[test]
    fn without_a_command_there_is_nothing_to_check() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(check(root.path()), []);
    }

    #[test]
    fn a_command_that_does_not_run_is_a_problem() {
        let root = tempfile::tempdir().unwrap();
        let package = root.path().join("crates/cli");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("Cargo.toml"), "not a manifest").unwrap();
        let found = shown(check(root.path()));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("docs/reference:1: cannot be generated"),
            "{found:?}"
        );
    }
}
