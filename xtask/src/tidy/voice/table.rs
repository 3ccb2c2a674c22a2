//! The format of `voice.tsv`: one row per surface and pattern, with the limit between them.
//! Rows of both sides of a merge may be in one table.

use std::collections::HashMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use regex::{Regex, RegexBuilder};

use super::surfaces::{Surface, Texts};

/// Limits per surface and pattern, below a head of comments.
pub(super) struct Table {
    head: String,
    pub(super) rows: Vec<Row>,
}

/// The limit of one pattern in one surface.
pub(super) struct Row {
    /// Line of the row, from 1.
    pub(super) line: usize,
    pub(super) surface: Surface,
    pub(super) limit: usize,
    pub(super) pattern: String,
    pub(super) regex: Regex,
}

impl Table {
    /// Parses a table. Ignores conflict markers. If two rows differ only in their limit, as
    /// after a merge, the higher limit applies: the merged text can exceed the lower one.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut head = String::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut positions = HashMap::new();
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') {
                head.push_str(line);
                head.push('\n');
                continue;
            }
            if is_conflict_marker(line) {
                continue;
            }
            let row = Row::parse(line, index + 1)?;
            let key = (row.surface.name(), row.pattern.clone());
            let position = *positions.entry(key).or_insert(rows.len());
            match rows.get_mut(position) {
                Some(earlier) => earlier.limit = earlier.limit.max(row.limit),
                None => rows.push(row),
            }
        }
        Ok(Self { head, rows })
    }

    /// Writes the table with limits that are at most the current counts.
    pub(super) fn lowered(&self, texts: &Texts) -> String {
        let mut text = self.head.clone();
        for row in &self.rows {
            let limit = row.limit.min(row.count(texts));
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{}\t{limit}\t{}", row.surface.name(), row.pattern);
        }
        text
    }
}

impl Row {
    /// Counts the matches of the pattern in its surface.
    pub(super) fn count(&self, texts: &Texts) -> usize {
        texts.count(self.surface, &self.regex)
    }

    fn parse(text: &str, line: usize) -> Result<Self> {
        let expected =
            || format!("line {line}: expected SURFACE, COUNT and PATTERN, found {text:?}");
        let mut fields = text.splitn(3, '\t');
        let mut field = || fields.next().with_context(expected);
        let surface = Surface::from_name(field()?).with_context(expected)?;
        let limit = field()?.parse().with_context(expected)?;
        let pattern = field()?.to_owned();
        let regex = RegexBuilder::new(&pattern)
            .case_insensitive(!surface.is_by_line())
            .multi_line(surface.is_by_line())
            .unicode(false)
            .build()
            .with_context(|| format!("line {line}"))?;
        Ok(Self {
            line,
            surface,
            limit,
            pattern,
            regex,
        })
    }
}

fn is_conflict_marker(line: &str) -> bool {
    let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    markers.iter().any(|marker| line.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::checkout::{Checkout, TextFile};

    #[test]
    fn limits_are_lowered_and_never_raised() {
        let texts = texts("//! Told twice: told.\n");
        let lowered = |table: &str| Table::parse(table).unwrap().lowered(&texts);
        assert_eq!(
            lowered("# head\ncomments\t9\t\\btold\\b\ndocs\t3\tx\n"),
            "# head\ncomments\t2\t\\btold\\b\ndocs\t0\tx\n"
        );
        assert_eq!(
            lowered("comments\t1\t\\btold\\b\n"),
            "comments\t1\t\\btold\\b\n"
        );
    }

    #[test]
    fn both_sides_of_a_merge_are_one_row() {
        let table = "<<<<<<< HEAD\ncomments\t4\tx\n=======\ncomments\t7\tx\n>>>>>>> branch\n";
        let table = Table::parse(table).unwrap();
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0].limit, 7);
    }

    #[test]
    fn openers_match_at_the_start_of_each_line() {
        let table = Table::parse("openers\t0\t^\\s*/// What\\b\n").unwrap();
        let texts = texts("/// What is.\n/// Says what. What.\n    /// What else.\n");
        assert_eq!(table.rows[0].count(&texts), 2);
    }

    fn texts(source: &str) -> Texts {
        Texts::collect(&Checkout {
            root: ".".into(),
            files: vec![TextFile::new("crates/base/src/lib.rs", source)],
        })
    }
}
