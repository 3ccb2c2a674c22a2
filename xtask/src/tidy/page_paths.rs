//! The paths that the pages at the root name. A renamed file changes its page, too.

use std::path::Path;

use super::checkout::{Checkout, TextFile};
use super::problem::Problem;

/// The pages that lead readers to files.
const PAGES: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];
/// The directories whose paths are written from the root.
const DIRECTORIES: &[&str] = &["crates/", "xtask/", "benchmarks/", "docs/"];
/// A path with a word in capitals is a pattern: `crates/NAME`. So is a result that a run writes.
const PLACEHOLDERS: &[&str] = &["NAME", "GRAMMAR", "benchmarks/results/kills.json"];

pub(crate) fn check(checkout: &Checkout) -> Vec<Problem> {
    let pages = checkout.files.iter();
    let pages = pages.filter(|file| PAGES.contains(&file.path.as_str()));
    pages
        .flat_map(|page| missing(page, |path| checkout.root.join(Path::new(path)).exists()))
        .collect()
}

fn missing(page: &TextFile, exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in page.text.lines().enumerate() {
        // Every second part is between backticks.
        for quoted in line.split('`').skip(1).step_by(2) {
            for path in paths(quoted).into_iter().filter(|path| !exists(path)) {
                let what = format!("names `{path}`, which does not exist");
                problems.push(Problem::new(&page.path, index + 1, what, "correct it"));
            }
        }
    }
    problems
}

/// Returns the paths that a quoted text names; with `{a,b}` several.
fn paths(quoted: &str) -> Vec<String> {
    let is_path = DIRECTORIES.iter().any(|start| quoted.starts_with(start));
    let is_pattern = PLACEHOLDERS.iter().any(|word| quoted.contains(word));
    if !is_path || is_pattern || quoted.contains([' ', '*', '<']) {
        return Vec::new();
    }
    match quoted.split_once('{') {
        None => vec![quoted.to_owned()],
        Some((before, rest)) => {
            let (names, after) = rest.split_once('}').unwrap_or((rest, ""));
            let names = names.split(',');
            names.map(|name| format!("{before}{name}{after}")).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    #[test]
    fn path_that_does_not_exist_is_a_problem() {
        let page = TextFile {
            path: "ARCHITECTURE.md".to_owned(),
            text: "`crates/a/{b,c}.rs`\n`a.rs`, `crates/NAME`, `crates/d`\n".to_owned(),
        };
        let found = missing(&page, |path| path == "crates/a/b.rs");
        assert_eq!(
            shown(found),
            [
                "ARCHITECTURE.md:1: names `crates/a/c.rs`, which does not exist, correct it",
                "ARCHITECTURE.md:2: names `crates/d`, which does not exist, correct it",
            ]
        );
    }
}
