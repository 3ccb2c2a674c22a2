//! Every measured figure of README and docs comes from a result file.

use std::path::Path;

use super::problem::Problem;
use crate::figures;

pub(crate) fn check(root: &Path) -> Vec<Problem> {
    if !figures::exist(root) {
        return Vec::new();
    }
    let found = match figures::look(root) {
        Ok(found) => found,
        Err(error) => {
            let what = format!("cannot be read: {error:#}");
            return vec![Problem::new("benchmarks", 1, what, "mend it")];
        }
    };
    let stale = found.stale.into_iter().map(|page| {
        let what = "a figure is not that of its result file";
        Problem::new(page.path, page.line, what, "run `cargo xtask figures`")
    });
    let faults = found.faults.into_iter().map(|fault| {
        Problem::new(
            fault.path,
            fault.line,
            fault.what,
            "see benchmarks/README.md",
        )
    });
    stale.chain(faults).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tidy::problem::shown;

    #[test]
    fn stale_table_and_unmeasured_figure_are_problems() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(check(root.path()), []);
        let run = r#"{"command": "c", "date": "d", "machine": "m", "build": {"commit": "b", "profile": "release"}}"#;
        write(
            "benchmarks/results/a.json",
            &format!(r#"{{"run": {run}, "s": 2}}"#),
        );
        write("benchmarks/figures.txt", "== t a.json\n{s:s}\n");
        write(
            "README.md",
            "<!-- figures: t -->\n1.00 s\n<!-- /figures -->\nand 3 s\n",
        );
        let found = shown(check(root.path()));
        assert_eq!(
            found,
            [
                "README.md:2: a figure is not that of its result file, run `cargo xtask figures`",
                "README.md:4: the figure `3 s` has no result file: take it from one, or give a reason in benchmarks/unmeasured.txt, see benchmarks/README.md",
            ]
        );
        write(
            "README.md",
            "<!-- figures: t -->\n2.00 s\n<!-- /figures -->\n",
        );
        assert_eq!(check(root.path()), []);
        write("benchmarks/results/a.json", "{");
        assert_eq!(check(root.path()).len(), 1);
    }
}
