//! Counts the patterns of `voice.tsv`: phrases, openers and names that make our texts hard to read.
//! A count may fall, but must not exceed its limit in the table. It does not judge single
//! sentences.

mod surfaces;
mod table;

use std::fs;

use anyhow::{Context, Result};

use super::checkout::Checkout;
use super::problem::Problem;
use surfaces::{Surface, Texts};
use table::{Row, Table};

const TABLE: &str = "xtask/src/tidy/voice.tsv";
const REMEDY: &str = "reword it (CONTRIBUTING.md, Write plainly)";

/// Returns a problem for each pattern that occurs more often than its row allows.
pub(crate) fn check(checkout: &Checkout) -> Vec<Problem> {
    let Some(file) = checkout.files.iter().find(|file| file.path == TABLE) else {
        return Vec::new();
    };
    match Table::parse(&file.text) {
        Ok(table) => rises(&table, &Texts::collect(checkout)),
        Err(error) => vec![Problem::new(
            TABLE,
            1,
            format!("cannot parse the table: {error:#}"),
            "repair the row",
        )],
    }
}

/// Returns the sums of all counts as one line, or `None` if the checkout has no table.
pub(crate) fn summary(checkout: &Checkout) -> Option<String> {
    let file = checkout.files.iter().find(|file| file.path == TABLE)?;
    let table = Table::parse(&file.text).ok()?;
    let texts = Texts::collect(checkout);
    let sums = Surface::ALL.map(|surface| {
        let rows = table.rows.iter().filter(|row| row.surface == surface);
        let sum: usize = rows.map(|row| row.count(&texts)).sum();
        format!("{} {sum}", surface.name())
    });
    let lowered = table.lowered(&texts) != file.text;
    let advice = if lowered {
        "; `cargo xtask tidy --fix` lowers the limits"
    } else {
        ""
    };
    Some(format!(
        "warning: phrases to reword: {}{advice}",
        sums.join(", ")
    ))
}

/// Lowers each limit of the table to the current count. Raises none.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    let Some(file) = checkout.files.iter().find(|file| file.path == TABLE) else {
        return Ok(());
    };
    let lowered = Table::parse(&file.text)?.lowered(&Texts::collect(checkout));
    if lowered != file.text {
        let path = checkout.root.join(TABLE);
        fs::write(path, lowered).with_context(|| format!("cannot write {TABLE}"))?;
    }
    Ok(())
}

fn rises(table: &Table, texts: &Texts) -> Vec<Problem> {
    let mut problems = Vec::new();
    for row in &table.rows {
        let count = row.count(texts);
        if count > row.limit {
            problems.push(rise(row, count));
        }
    }
    problems
}

fn rise(row: &Row, count: usize) -> Problem {
    let message = format!(
        "`{}` occurs {count} times in {}, the limit is {}",
        row.pattern,
        row.surface.name(),
        row.limit
    );
    Problem::new(TABLE, row.line, message, REMEDY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::checkout::TextFile;
    use crate::tidy::problem::shown;

    fn checkout(table: &str, source: &str) -> Checkout {
        Checkout {
            root: ".".into(),
            files: vec![
                TextFile::new(TABLE, table),
                TextFile::new("crates/base/src/lib.rs", source),
            ],
        }
    }

    #[test]
    fn count_above_the_limit_is_a_problem() {
        let source = "//! Says what is\n//! told, and what\n//! follows.\n";
        let below = checkout("comments\t2\t\\bwhat [a-z]+\n", source);
        assert_eq!(check(&below), []);
        let above = checkout("# head\ncomments\t1\t\\bwhat [a-z]+\n", source);
        assert_eq!(
            shown(check(&above)),
            [
                "xtask/src/tidy/voice.tsv:2: `\\bwhat [a-z]+` occurs 2 times in comments, \
              the limit is 1, reword it (CONTRIBUTING.md, Write plainly)"
            ]
        );
    }

    #[test]
    fn summary_has_one_sum_per_surface() {
        let checkout = checkout("comments\t4\t\\btold\\b\n", "//! Told.\n");
        assert_eq!(
            summary(&checkout).unwrap(),
            "warning: phrases to reword: docs 0, comments 1, help 0, openers 0, names 0; \
             `cargo xtask tidy --fix` lowers the limits"
        );
    }

    #[test]
    fn checkout_without_a_table_passes() {
        let checkout = Checkout {
            root: ".".into(),
            files: Vec::new(),
        };
        assert_eq!(check(&checkout), []);
        assert_eq!(summary(&checkout), None);
    }

    #[test]
    fn damaged_table_is_a_problem() {
        let found = shown(check(&checkout("comments\tmany\tx\n", "")));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("cannot parse the table"), "{}", found[0]);
    }
}
