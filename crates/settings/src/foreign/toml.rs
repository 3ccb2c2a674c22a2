//! Sets and removes an entry of a TOML text. The parser provides positions; the edits change the
//! text itself, because serialising a document changes its line endings.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, Item, Key, Table, TableLike};

use super::{Edit, ForeignError, apply, newline};

pub(super) fn set(
    text: &str,
    path: &[&str],
    fields: &[(&str, Value)],
) -> Result<String, ForeignError> {
    let document = read(text)?;
    let new = match find(text, document.as_table(), path)? {
        Some(entry) => apply(text, &updated(text, entry, path, fields)?),
        None => {
            let newline = newline(text);
            let gap = match text {
                "" => "",
                text if text.ends_with('\n') => newline,
                _ => &newline.repeat(2),
            };
            let lines: Vec<String> = fields.iter().map(|(key, value)| line(key, value)).collect();
            let lines = lines.join(newline);
            let header = header(path);
            format!("{text}{gap}{header}{newline}{lines}{newline}")
        }
    };
    // An inline table that cannot grow, or an array of tables, is in the place of the table.
    match read(&new) {
        Ok(_) => Ok(new),
        Err(_) => {
            let place = document.as_table().get(path[0]).and_then(Item::span);
            let place = place.map_or(0, |span| span.start);
            let problem = format!("expected tables of the form {}", header(path));
            Err(ForeignError::at(text, place, problem))
        }
    }
}

pub(super) fn get(text: &str, path: &[&str]) -> Result<Option<Value>, ForeignError> {
    let document = read(text)?;
    let entry = find(text, document.as_table(), path)?;
    Ok(entry.map(value_of))
}

pub(super) fn take(
    text: &str,
    path: &[&str],
    before: Option<&str>,
) -> Result<String, ForeignError> {
    let document = read(text)?;
    let Some(entry) = find(text, document.as_table(), path)? else {
        return Ok(text.to_owned());
    };
    let mut parts = Vec::new();
    regions(text, entry, &mut parts);
    if parts.is_empty() {
        let place = entry.span().map_or(0, |span| span.start);
        let problem = format!(
            "expected {}, the only form that can be removed",
            header(path)
        );
        return Err(ForeignError::at(text, place, problem));
    }
    let old = before.and_then(|before| Some((before, read(before).ok()?)));
    if let Some((old_text, old)) = &old
        && let Ok(Some(old_entry)) = find(old_text, old.as_table(), path)
    {
        // Only the lines of the table itself were changed.
        let mut old_parts = Vec::new();
        regions(old_text, old_entry, &mut old_parts);
        let with = old_parts.first().map_or("", |part| &old_text[part.clone()]);
        let range = parts[0].clone();
        let with = with.to_owned();
        return Ok(apply(text, &[Edit { range, with }]));
    }
    parts.sort_by_key(|part| part.start);
    // The empty line that was inserted before it.
    let start = parts[0].start;
    let above = text[..start].strip_suffix(newline(text));
    if let Some(above) = above
        && (above.is_empty() || above.ends_with('\n'))
    {
        parts[0].start = above.len();
    }
    let reaches_end = parts.last().is_some_and(|part| part.end == text.len());
    let edits: Vec<Edit> = parts.into_iter().map(Edit::remove).collect();
    let mut new = apply(text, &edits);
    let had_no_end = before.is_some_and(|before| !before.is_empty() && !before.ends_with('\n'));
    if reaches_end && had_no_end {
        let kept = new.strip_suffix(newline(text)).map(str::len);
        new.truncate(kept.unwrap_or(new.len()));
    }
    Ok(new)
}

fn read(text: &str) -> Result<Document<&str>, ForeignError> {
    Document::parse(text).map_err(|error| {
        let place = error.span().map_or(0, |span| span.start);
        // Messages of the parser may have several lines.
        let problem = error.message().lines().collect::<Vec<_>>().join(", ");
        ForeignError::at(text, place, problem)
    })
}

/// Finds the entry, if it exists; returns an error if another value is in its place.
fn find<'d>(text: &str, root: &'d Table, path: &[&str]) -> Result<Option<&'d Item>, ForeignError> {
    let (mut found, mut holder): (Option<&Item>, &dyn TableLike) = (None, root);
    for key in path {
        let Some(item) = holder.get(key) else {
            return Ok(None);
        };
        let Some(table) = item.as_table_like() else {
            let place = item.span().map_or(0, |span| span.start);
            let problem = format!("expected a table for `{key}`, as in {}", header(path));
            return Err(ForeignError::at(text, place, problem));
        };
        (found, holder) = (Some(item), table);
    }
    Ok(found)
}

fn updated(
    text: &str,
    entry: &Item,
    path: &[&str],
    fields: &[(&str, Value)],
) -> Result<Vec<Edit>, ForeignError> {
    let place = |item: &Item| item.span().unwrap_or(0..0);
    let has_header = header_of(text, entry).is_some();
    let mut edits = Vec::new();
    let Some(table) = entry.as_table_like() else {
        return Ok(edits);
    };
    for (key, value) in fields {
        match table.get(key) {
            Some(item) if value_of(item) == *value => {}
            Some(item) if item.is_value() && item.span().is_some() => edits.push(Edit {
                range: place(item),
                with: rendered(value),
            }),
            None if has_header => {
                let end = line_end(text, place(entry).end);
                let gap = newline(text);
                edits.push(Edit::insert(end, format!("{gap}{}", line(key, value))));
            }
            item => {
                let place = item.map_or(place(entry).start, |item| place(item).start);
                let problem = format!("expected `{key}` to be settable in {}", header(path));
                return Err(ForeignError::at(text, place, problem));
            }
        }
    }
    edits.sort_by_key(|edit| edit.range.start);
    Ok(edits)
}

/// Collects the lines of a table and of the tables below it, if they have headers.
fn regions(text: &str, item: &Item, into: &mut Vec<Range<usize>>) {
    let Some(table) = item.as_table() else {
        return;
    };
    if let Some(header) = header_of(text, item) {
        let mut end = header.end;
        ends(table, &mut end);
        let start = text[..header.start].rfind('\n').map_or(0, |at| at + 1);
        into.push(start..past_line(text, end));
    }
    for (_, below) in table.iter() {
        regions(text, below, into);
    }
}

/// Returns the position of a table's own header.
fn header_of(text: &str, item: &Item) -> Option<Range<usize>> {
    let table = item.as_table()?;
    let span = item
        .span()
        .filter(|span| text[span.clone()].starts_with('['));
    span.filter(|_| !table.is_implicit() && !table.is_dotted())
}

/// Finds the end of the last value of a table itself, including dotted keys.
fn ends(table: &Table, end: &mut usize) {
    for (_, item) in table.iter() {
        match item {
            Item::Value(value) => *end = (*end).max(value.span().map_or(0, |span| span.end)),
            Item::Table(below) if below.is_dotted() => ends(below, end),
            _ => {}
        }
    }
}

/// Returns the end of the line, without its line ending.
fn line_end(text: &str, at: usize) -> usize {
    let end = past_line(text, at);
    text[..end].trim_end_matches(['\n', '\r']).len().max(at)
}

fn past_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

fn header(path: &[&str]) -> String {
    let keys: Vec<String> = path.iter().map(|key| Key::new(*key).to_string()).collect();
    format!("[{}]", keys.join("."))
}

fn line(key: &str, value: &Value) -> String {
    format!("{key} = {}", rendered(value))
}

fn rendered(value: &Value) -> String {
    match value {
        Value::String(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(rendered).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let pairs: Vec<String> = members
                .iter()
                .map(|(key, value)| line(key, value))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// Converts a value to JSON; dates become text.
fn value_of(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        let pair = |(key, item): (&str, &Item)| (key.to_owned(), value_of(item));
        return Value::Object(table.iter().map(pair).collect());
    }
    match item {
        Item::Value(toml_edit::Value::String(text)) => Value::from(text.value().as_str()),
        Item::Value(toml_edit::Value::Integer(number)) => Value::from(*number.value()),
        Item::Value(toml_edit::Value::Boolean(is)) => Value::from(*is.value()),
        Item::Value(toml_edit::Value::Array(items)) => items
            .iter()
            .map(|value| value_of(&Item::Value(value.clone())))
            .collect(),
        other => Value::from(other.to_string().trim()),
    }
}
