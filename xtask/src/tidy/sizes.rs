//! Files past 500 lines and functions past 60 need a row in `long`, and a row
//! there needs such a file or function.

use super::checkout::TextFile;
use super::functions::functions;
use super::long::{Accepted, FILES, FUNCTIONS};
use super::problem::Problem;

/// A file of this length probably contains a second concept.
const FILE_LINES: usize = 500;
/// Nearly all functions have fewer than 40 lines; a longer one than this contains a second
/// function.
const FUNCTION_LINES: usize = 60;
const TABLE: &str = "xtask/src/tidy/long.rs";

pub(crate) fn check<'f>(files: impl Iterator<Item = &'f TextFile>) -> Vec<Problem> {
    check_against(
        &files.flat_map(measure).collect::<Vec<_>>(),
        FILES,
        FUNCTIONS,
    )
}

/// A file or function past its limit.
struct Long {
    path: String,
    /// Empty for a file.
    function: String,
    line: usize,
    lines: usize,
}

fn measure(file: &TextFile) -> Vec<Long> {
    let long = |function, line, lines| Long {
        path: file.path.clone(),
        function,
        line,
        lines,
    };
    let lines = file.text.lines().count();
    let whole = (lines > FILE_LINES).then(|| long(String::new(), 1, lines));
    let parts = functions(&file.text)
        .into_iter()
        .filter(|one| one.lines > FUNCTION_LINES);
    whole
        .into_iter()
        .chain(parts.map(|one| long(one.name, one.line, one.lines)))
        .collect()
}

fn check_against(long: &[Long], files: &[Accepted], functions: &[Accepted]) -> Vec<Problem> {
    let accepted = || files.iter().chain(functions);
    let unlisted = long
        .iter()
        .filter(|one| !accepted().any(|row| row.covers(one)));
    let stale = accepted().filter(|row| !long.iter().any(|one| row.covers(one)));
    let undated = accepted().filter(|row| !is_day(row.since) || row.reason.is_empty());
    let mut problems: Vec<Problem> = unlisted.map(Long::problem).collect();
    problems.extend(stale.map(|row| row.problem("is no longer long", "remove its row")));
    problems.extend(undated.map(|row| row.problem("has no day or no reason", "write both")));
    problems
}

impl Long {
    fn problem(&self) -> Problem {
        let (what, list) = if self.function.is_empty() {
            (
                format!("{} lines, more than {FILE_LINES}", self.lines),
                "FILES",
            )
        } else {
            let what = format!(
                "`{}` has {} lines, more than {FUNCTION_LINES}",
                self.function, self.lines
            );
            (what, "FUNCTIONS")
        };
        let remedy = format!("split it, or add it to {list} in {TABLE} with a day and a reason");
        Problem::new(&self.path, self.line, what, remedy)
    }
}

impl Accepted {
    fn covers(&self, long: &Long) -> bool {
        self.path == long.path && self.function == long.function
    }

    fn problem(&self, what: &str, remedy: &str) -> Problem {
        let name = [self.path, self.function].join(" ");
        Problem::new(TABLE, 1, format!("`{}` {what}", name.trim_end()), remedy)
    }
}

fn is_day(text: &str) -> bool {
    let pattern = "0000-00-00";
    let fits = |(found, expected): (char, char)| match expected {
        '0' => found.is_ascii_digit(),
        other => found == other,
    };
    text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    const FILE: Accepted = Accepted {
        path: "a.rs",
        function: "",
        since: "2026-11-15",
        reason: "one table",
    };
    const FUNCTION: Accepted = Accepted {
        function: "f",
        ..FILE
    };

    fn file(lines: usize) -> TextFile {
        TextFile::new("a.rs", &"// x\n".repeat(lines))
    }

    fn function(lines: usize) -> TextFile {
        TextFile::new(
            "a.rs",
            &format!("//! x\nfn f() {{{}}}\n", "\n".repeat(lines - 1)),
        )
    }

    #[track_caller]
    fn check_one(file: &TextFile, accepted: &[Accepted], expected: &[&str]) {
        assert_eq!(
            shown(check_against(&measure(file), accepted, &[])),
            expected
        );
    }

    #[test]
    fn short_files_and_functions_pass() {
        check_one(&file(500), &[], &[]);
        check_one(&function(60), &[], &[]);
    }

    #[test]
    fn long_ones_need_a_row() {
        check_one(
            &file(501),
            &[],
            &["a.rs:1: 501 lines, more than 500, \
               split it, or add it to FILES in xtask/src/tidy/long.rs with a day and a reason"],
        );
        check_one(
            &function(61),
            &[],
            &["a.rs:2: `f` has 61 lines, more than 60, \
               split it, or add it to FUNCTIONS in xtask/src/tidy/long.rs with a day and a reason"],
        );
        check_one(&file(501), &[FILE], &[]);
        check_one(&function(61), &[FUNCTION], &[]);
    }

    #[test]
    fn rows_must_be_needed() {
        check_one(
            &file(500),
            &[FILE],
            &["xtask/src/tidy/long.rs:1: `a.rs` is no longer long, remove its row"],
        );
        check_one(
            &function(60),
            &[FUNCTION],
            &["xtask/src/tidy/long.rs:1: `a.rs f` is no longer long, remove its row"],
        );
    }

    #[test]
    fn rows_carry_a_day_and_a_reason() {
        let problem = "xtask/src/tidy/long.rs:1: `a.rs` has no day or no reason, write both";
        check_one(
            &file(501),
            &[Accepted {
                since: "soon",
                ..FILE
            }],
            &[problem],
        );
        check_one(&file(501), &[Accepted { reason: "", ..FILE }], &[problem]);
    }
}
