//! `[[models]]`: models that a user describes, or whose facts a user corrects. `loom-models`
//! interprets the descriptions.

use loom_models::OwnModel;
use toml_edit::{Item, TableLike, Value};

use super::reader::Reader;
use crate::quote::found_in;
use crate::{FileTrust, Origin, Problem};

/// Name of the table.
pub(super) const TABLE: &str = "models";

/// Documentation of the table.
pub(crate) const DOC: &str = "Models of your own, and facts that you know better: a \
    description of a known name replaces what is known. There may be several such tables. \
    Where `output` is as large as the window, a quarter of the window is kept for the answer.";

/// Keys of a description, each with its documentation and an example in TOML.
pub(crate) const KEYS: &[(&str, &str, &str)] = &[
    ("name", "Its name; it has to be there.", "\"house-model\""),
    (
        "like",
        "A known model whose facts hold where nothing else is said.",
        "\"llama-3.1\"",
    ),
    (
        "window",
        "The tokens that its context window holds.",
        "32000",
    ),
    (
        "input",
        "The tokens that a prompt may have, if fewer.",
        "28000",
    ),
    (
        "output",
        "The tokens that an answer may have, at most the window.",
        "4000",
    ),
    (
        "tokenizer",
        "How it counts: a first word of the last column of `infiniloom models`.",
        "\"llama3\"",
    ),
    (
        "input_price",
        "Dollars for a million tokens of prompt.",
        "0.5",
    ),
    (
        "output_price",
        "Dollars for a million tokens of answer.",
        "1.5",
    ),
];

/// Parses the table. Only the user's own file may contain it: with a larger window or another
/// tokenizer, a repository could overfill the model that reads it.
pub(super) fn own_models(reader: &mut Reader<'_>, item: &Item, origin: Origin) -> Vec<OwnModel> {
    if reader.file.trust == FileTrust::Repository {
        reader.problems.push(Problem::UserOnly {
            origin,
            key: TABLE,
            elsewhere: "another --model".to_owned(),
        });
        return Vec::new();
    }
    let Some(tables) = item.as_array_of_tables() else {
        let found = item.as_value().map_or("a table".to_owned(), found_in);
        let problem = wrong(origin, "tables, [[models]]", found);
        reader.problems.push(problem);
        return Vec::new();
    };
    tables
        .iter()
        .map(|table| own_model(reader, table))
        .collect()
}

fn own_model(reader: &mut Reader<'_>, table: &dyn TableLike) -> OwnModel {
    let mut model = OwnModel::default();
    for (key, item) in table.iter() {
        if reader.is_full() {
            break;
        }
        let origin = reader.key_origin(table.key(key));
        let Some(value) = item.as_value() else {
            let problem = wrong(origin, "a value", "a table".to_owned());
            reader.problems.push(problem);
            continue;
        };
        if !KEYS.iter().any(|(known, ..)| *known == key) {
            reader.unknown_key(&format!("{TABLE}.{key}"), origin);
        } else if let Err(expected) = assign(&mut model, key, value) {
            let problem = wrong(origin, expected, found_in(value));
            reader.problems.push(problem);
        }
    }
    model
}

fn wrong(origin: Origin, expected: &str, found: String) -> Problem {
    Problem::WrongValue {
        origin,
        key: TABLE,
        expected: expected.to_owned(),
        found,
        nearest: None,
    }
}

/// Sets a field, or returns the expected kind of value.
fn assign(model: &mut OwnModel, key: &str, value: &Value) -> Result<(), &'static str> {
    match key {
        "name" => model.name = text(value)?,
        "like" => model.like = Some(text(value)?),
        "window" => model.window = Some(tokens(value)?),
        "input" => model.input = Some(tokens(value)?),
        "output" => model.output = Some(tokens(value)?),
        "tokenizer" => model.tokenizer = Some(text(value)?),
        "input_price" => model.input_price = Some(price(value)?),
        _ => model.output_price = Some(price(value)?),
    }
    Ok(())
}

fn text(value: &Value) -> Result<String, &'static str> {
    value.as_str().map(ToOwned::to_owned).ok_or("a text")
}

fn tokens(value: &Value) -> Result<usize, &'static str> {
    let number = value
        .as_integer()
        .and_then(|number| usize::try_from(number).ok());
    number.ok_or("a number of tokens")
}

/// Parses a price, as a number or as text, because `0.1` is not exact as a number.
fn price(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::String(text) => Ok(text.value().clone()),
        Value::Integer(number) => Ok(number.value().to_string()),
        Value::Float(number) => Ok(number.value().to_string()),
        _ => Err("dollars for a million tokens"),
    }
}
