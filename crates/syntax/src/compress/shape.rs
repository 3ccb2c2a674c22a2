//! The shape of a data file without its values: the keys and kinds of JSON, the columns of a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// Maximum number of keys of an object that is a record; larger ones are maps, and one of their
/// values shows the form.
const MOST_KEYS: usize = 40;

/// Keys of objects, with the number of objects that have each, and the shape of their values.
type Keys = BTreeMap<String, (usize, Shape)>;

/// Shape of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shape {
    /// Kinds of plain values: `string`, `number`, `true or false`, `null`.
    plain: Vec<&'static str>,
    /// Elements of lists, with the maximum length of a list.
    list: Option<(usize, Box<Shape>)>,
    /// Number of objects, and their keys.
    object: Option<(usize, Keys)>,
}

/// Returns the shape of a data file in that language; `None` if it is unknown.
pub(super) fn data_shape(id: Option<&str>, text: &str) -> Option<String> {
    match id? {
        "json" => {
            let value: Value = serde_json::from_str(text).ok()?;
            Some(describe(&Shape::new(&value)))
        }
        "jsonl" => lines_of_json(text),
        "csv" => table(text, ','),
        "tsv" => table(text, '\t'),
        _ => None,
    }
}

fn describe(shape: &Shape) -> String {
    let mut out = String::new();
    shape.write(0, &mut out);
    out.push('\n');
    out
}

fn lines_of_json(text: &str) -> Option<String> {
    let (mut shape, mut count) = (Shape::default(), 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).ok()?;
        shape = shape.joined(Shape::new(&value));
        count += 1;
    }
    (count > 0).then(|| format!("{count} lines, each {}", describe(&shape)))
}

impl Shape {
    fn new(value: &Value) -> Self {
        let mut shape = Self::default();
        match value {
            Value::Null => shape.plain.push("null"),
            Value::Bool(_) => shape.plain.push("true or false"),
            Value::Number(_) => shape.plain.push("number"),
            Value::String(_) => shape.plain.push("string"),
            Value::Array(items) => {
                let inner = items.iter().map(Self::new);
                let inner = inner.fold(Self::default(), Self::joined);
                shape.list = Some((items.len(), Box::new(inner)));
            }
            Value::Object(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| (key.clone(), (1, Self::new(value))));
                shape.object = Some((1, pairs.collect()));
            }
        }
        shape
    }

    /// Combines two shapes.
    fn joined(mut self, other: Self) -> Self {
        for kind in other.plain {
            if !self.plain.contains(&kind) {
                self.plain.push(kind);
            }
        }
        self.list = match (self.list, other.list) {
            (Some((most, one)), Some((more, two))) => {
                Some((most.max(more), Box::new(one.joined(*two))))
            }
            (one, two) => one.or(two),
        };
        self.object = match (self.object, other.object) {
            (Some((count, mut keys)), Some((more, others))) => {
                for (key, (times, shape)) in others {
                    let known = keys.remove(&key).unwrap_or_default();
                    keys.insert(key, (known.0 + times, known.1.joined(shape)));
                }
                Some((count + more, keys))
            }
            (one, two) => one.or(two),
        };
        self
    }

    fn write(&self, depth: usize, out: &mut String) {
        let mut separator = "";
        for kind in &self.plain {
            out.extend([separator, kind]);
            separator = " or ";
        }
        if let Some((most, inner)) = &self.list {
            let _ = write!(out, "{separator}[");
            inner.write(depth, out);
            let _ = write!(out, "] of {most}");
            separator = " or ";
        }
        if let Some((count, keys)) = &self.object {
            out.push_str(separator);
            write_object(*count, keys, depth, out);
            separator = " ";
        }
        if separator.is_empty() {
            out.push_str("nothing");
        }
    }
}

fn write_object(count: usize, keys: &Keys, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth + 1);
    if keys.len() > MOST_KEYS {
        let shapes = keys.values().map(|(_, shape)| shape.clone());
        let shape = shapes.fold(Shape::default(), Shape::joined);
        let _ = write!(out, "{{{} keys, each ", keys.len());
        shape.write(depth, out);
        out.push('}');
        return;
    }
    out.push('{');
    for (key, (times, shape)) in keys {
        let optional = if *times < count { "?" } else { "" };
        let key = Value::String(key.clone());
        let _ = write!(out, "\n{indent}{key}{optional}: ");
        shape.write(depth + 1, out);
    }
    if !keys.is_empty() {
        let _ = write!(out, "\n{}", "  ".repeat(depth));
    }
    out.push('}');
}

/// Returns the names of columns; numbers if the first row is a data row, so that no value is shown.
fn headings(first: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let mut is_value = vec![false; first.len()];
    for (cell, is_value) in first.iter().zip(&mut is_value) {
        let cell = cell.trim();
        *is_value = cell.is_empty() || cell.parse::<f64>().is_ok_and(f64::is_finite);
    }
    for row in rows {
        for ((cell, name), is_value) in row.iter().zip(first).zip(&mut is_value) {
            *is_value |= cell.trim() == name.trim();
        }
    }
    let name = |name: &String| name.split_whitespace().collect::<Vec<_>>().join(" ");
    match is_value.contains(&true) {
        true => (1..=first.len()).map(|at| format!("column {at}")).collect(),
        false => first.iter().map(name).collect(),
    }
}

/// Returns the header and the kinds of the columns; `None` if a quote is not closed.
fn table(text: &str, separator: char) -> Option<String> {
    // Quotes are plain characters in many tables with tabs.
    let is_plain = separator == '\t';
    let rows = rows(text, separator, Quotes::Hold);
    let rows = rows.or_else(|| self::rows(text, separator, Quotes::Plain).filter(|_| is_plain))?;
    let (first, rows) = rows.split_first()?;
    let names = headings(first, rows);
    let mut kinds = vec![(true, false); names.len()];
    for row in rows {
        for (cell, kind) in row.iter().zip(&mut kinds) {
            let cell = cell.trim();
            kind.0 &= cell.is_empty() || cell.parse::<f64>().is_ok();
            kind.1 |= cell.is_empty();
        }
    }
    let mut out = format!("{} rows of {} columns\n", rows.len(), names.len());
    for (name, (is_number, has_empty)) in names.iter().zip(kinds) {
        let kind = if is_number && !rows.is_empty() {
            "number"
        } else {
            "text"
        };
        let empty = if has_empty { ", may be empty" } else { "" };
        let _ = writeln!(out, "{name}: {kind}{empty}");
    }
    Some(out)
}

/// Meaning of quotes in a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// A quote at the start of a cell encloses separators and newlines; two are one.
    Hold,
    /// Quotes are plain characters.
    Plain,
}

/// Returns the cells of all rows that are not blank; `None` if a quote is not closed.
fn rows(text: &str, separator: char, quotes: Quotes) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let (mut row, mut cell) = (Vec::new(), String::new());
    let (mut is_quoted, mut was_quoted) = (false, false);
    let mut letters = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted => is_quoted = false,
            letter if is_quoted => cell.push(letter),
            '"' if quotes == Quotes::Hold && cell.trim().is_empty() && !was_quoted => {
                (is_quoted, was_quoted) = (true, true);
                cell.clear();
            }
            '\n' => {
                row.push(std::mem::take(&mut cell));
                was_quoted = false;
                rows.push(std::mem::take(&mut row));
            }
            letter if letter == separator => {
                row.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            letter => cell.push(letter),
        }
    }
    if is_quoted {
        return None;
    }
    row.push(cell);
    rows.push(row);
    let is_blank = |row: &Vec<String>| matches!(row.as_slice(), [one] if one.trim().is_empty());
    rows.retain(|row| !is_blank(row));
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_data_contain_no_values() {
        let check = |id, text, expected| {
            assert_eq!(data_shape(Some(id), text).as_deref(), Some(expected));
        };
        check(
            "json",
            r#"{"a": [{"b": 1, "c": "x"}, {"b": null}], "d": {}}"#,
            "{\n  \"a\": [{\n    \"b\": number or null\n    \"c\"?: string\n  }] of 2\n  \"d\": {}\n}\n",
        );
        check(
            "jsonl",
            "{\"a\":1}\n{\"a\":2}\n",
            "2 lines, each {\n  \"a\": number\n}\n",
        );
        check(
            "csv",
            "id,name\n1,\"a,b\"\n2,\n",
            "2 rows of 2 columns\nid: number\nname: text, may be empty\n",
        );
        // A newline in quotes is part of the cell.
        check(
            "csv",
            "id,\"the\nname\"\r\n1,\"a\nb, \"\"c\"\"\"\r\n2,\"d\n\"\r\n",
            "2 rows of 2 columns\nid: number\nthe name: text\n",
        );
        check(
            "csv",
            "a,b 3\" c\n1,2\n",
            "1 rows of 2 columns\na: number\nb 3\" c: number\n",
        );
        assert_eq!(data_shape(Some("csv"), "a,b\n1,\"open\n2,3\n"), None);
        check(
            "tsv",
            "a\tb\n1\t\"open\n",
            "1 rows of 2 columns\na: number\nb: text\n",
        );
        assert_eq!(data_shape(Some("json"), "{"), None);
        assert_eq!(data_shape(Some("python"), "x"), None);
    }
}
