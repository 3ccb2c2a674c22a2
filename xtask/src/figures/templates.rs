//! Templates of tables: `benchmarks/figures.txt` defines the result file and the rows of each.
//!
//! ```text
//! == pack.cold pack.json corpora
//! | tree | time |
//! |---|---|
//! * | {name} | {wall_s:s} |
//! ```
//!
//! A line that starts with `* ` is repeated for each element of the list that the header names;
//! other lines are written once. `{path:format}` is a value, `{path / path:format}` a ratio; `?`
//! after the path writes – if the value is missing. A row or a column without any value is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::results::Results;
use super::{format, path};

pub(crate) const FILE: &str = "benchmarks/figures.txt";

/// Written for an optional value that is missing.
const MISSING: &str = "–";

/// All templates by name.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    named: BTreeMap<String, Template>,
}

#[derive(Debug, Default)]
pub(crate) struct Template {
    /// The result file.
    pub(crate) file: String,
    /// Path of its rows.
    rows: String,
    lines: Vec<String>,
}

impl Templates {
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let path = root.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text),
            Err(_) if !path.exists() => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {FILE}")),
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut named: BTreeMap<String, Template> = BTreeMap::new();
        let mut last: Option<String> = None;
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("== ") {
                let mut words = head.split(' ');
                let (Some(name), Some(file)) = (words.next(), words.next()) else {
                    bail!("{FILE}: `{line}` names no table and result file");
                };
                let template = Template {
                    file: file.to_owned(),
                    rows: words.collect::<Vec<_>>().join(" "),
                    lines: Vec::new(),
                };
                if named.insert(name.to_owned(), template).is_some() {
                    bail!("{FILE}: two tables are called {name}");
                }
                last = Some(name.to_owned());
            } else if let Some(template) = last.as_ref().and_then(|name| named.get_mut(name))
                && !line.trim().is_empty()
            {
                template.lines.push(line.to_owned());
            }
        }
        Ok(Self { named })
    }

    pub(crate) fn get(&self, name: &str) -> Result<&Template> {
        let found = self.named.get(name);
        found.with_context(|| format!("{FILE} has no table `{name}`"))
    }
}

impl Template {
    /// Writes the table, with a newline after each line.
    pub(crate) fn write(&self, results: &Results) -> Result<String> {
        let file = results.get(&self.file)?;
        let rows = match self.rows.is_empty() {
            true => &[][..],
            false => {
                let rows = path::find(&self.rows, file, file)?;
                let rows = rows.and_then(Value::as_array);
                rows.with_context(|| format!("{} has no list `{}`", self.file, self.rows))?
            }
        };
        let mut out = String::new();
        for line in &self.lines {
            match line.strip_prefix("* ") {
                Some(line) => {
                    for row in rows {
                        out.push_str(&filled(line, row, file)?);
                        out.push('\n');
                    }
                }
                None => {
                    out.push_str(&filled(line, file, file)?);
                    out.push('\n');
                }
            }
        }
        check_values(&out)?;
        Ok(out)
    }
}

/// Fails if a heading lacks its value, or a row or a column has none: it tells the reader nothing.
fn check_values(table: &str) -> Result<()> {
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let [header, _, body @ ..] = rows.as_slice() else {
        return Ok(());
    };
    if let Some(cell) = header.iter().find(|cell| cell.contains(MISSING)) {
        bail!("the heading `{cell}` has no value");
    }
    for row in body {
        if row.len() > 1 && row[1..].iter().all(|cell| is_missing(cell)) {
            bail!("the row `{}` has no value", row[0]);
        }
    }
    for (at, heading) in header.iter().enumerate().skip(1) {
        let mut cells = body.iter().filter_map(|row| row.get(at)).peekable();
        if cells.peek().is_some() && cells.all(|cell| is_missing(cell)) {
            bail!("the column `{heading}` has no value");
        }
    }
    Ok(())
}

/// Returns true if no value of a cell exists: `–`, `–; –`, `– (–)`, `– of –`.
fn is_missing(cell: &str) -> bool {
    cell.contains(MISSING) && !cell.contains(|letter: char| letter.is_ascii_digit())
}

/// Writes a line with its values.
fn filled(line: &str, row: &Value, file: &Value) -> Result<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, behind) = behind.split_once('}').context("a brace is not closed")?;
        out.push_str(before);
        out.push_str(&expression(inside, row, file)?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// Writes a value or a ratio: `path:format`, `path / path:format`.
pub(crate) fn expression(text: &str, row: &Value, file: &Value) -> Result<String> {
    let (what, format) = text.rsplit_once(':').unwrap_or((text, ""));
    let optional = what.ends_with('?');
    let what = what.trim_end_matches('?');
    let mut values = Vec::new();
    for path in what.split(" / ") {
        match path::find(path, row, file)? {
            Some(Value::Null) | None if optional => return Ok(MISSING.to_owned()),
            Some(value) => values.push(value),
            None => bail!("nothing is at `{path}`"),
        }
    }
    let written = match values.as_slice() {
        [value] => format::value(value, format),
        [part, whole] => {
            let part = part
                .as_f64()
                .with_context(|| format!("`{what}` is no ratio"))?;
            let whole = whole
                .as_f64()
                .with_context(|| format!("`{what}` is no ratio"))?;
            format::number(part / whole, format)
        }
        _ => bail!("`{what}` divides more than once"),
    };
    written.with_context(|| format!("`{text}` cannot be written"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn table_has_a_line_for_each_row() {
        let results = Results::of(&[(
            "pack.json",
            json!({"floor": 2.0, "trees": [{"name": "a", "s": 1.5}, {"name": "b", "s": 3, "n": 4}]}),
        )]);
        let templates = Templates::parse(
            "About it.\n\n== pack pack.json trees\n| tree | s | times | n |\n|---|---|---|---|\n\
             * | {name} | {s:s} | {s / $.floor:x} | {n?:,} |\n\n== one pack.json\n{floor:s}\n",
        )
        .unwrap();
        let written = templates.get("pack").unwrap().write(&results).unwrap();
        assert_eq!(
            written,
            "| tree | s | times | n |\n|---|---|---|---|\n\
             | a | 1.50 s | 0.8 | – |\n| b | 3.00 s | 1.5 | 4 |\n"
        );
        assert_eq!(
            templates.get("one").unwrap().write(&results).unwrap(),
            "2.00 s\n"
        );
        assert!(templates.get("none").is_err());
        assert!(Templates::parse("== a b\n== a c\n").is_err());
    }

    #[test]
    fn rows_columns_and_headings_without_a_value_are_errors() {
        let results = Results::of(&[(
            "a.json",
            json!({"rows": [{"name": "x", "s": 1}, {"name": "y", "n": 2}]}),
        )]);
        let written = |text: &str| {
            let text = format!("== t a.json rows\n{text}\n");
            let templates = Templates::parse(&text).unwrap();
            let written = templates.get("t").unwrap().write(&results);
            written.map_err(|error| error.to_string())
        };
        let rows = "| a | s | n |\n|---|---|---|\n* | {name} | {s?} | {n?} |";
        assert!(written(rows).unwrap().ends_with("| y | – | 2 |\n"));
        for (text, expected) in [
            (
                "| a | {t?:s} |\n|---|---|\n* | {name} | 1 |",
                "the heading `–` has no value",
            ),
            (
                "| a | s | t |\n|---|---|---|\n* | {name} | {s?} | {t?} of {u?} |",
                "the row `y` has no value",
            ),
            (
                "| a | n | t |\n|---|---|---|\n| b | 1 | {t?:s}; {u?:s} |\n| c | 2 | {t?} |",
                "the column `t` has no value",
            ),
        ] {
            assert_eq!(written(text).unwrap_err(), expected);
        }
    }
}
