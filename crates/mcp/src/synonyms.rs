//! Arguments as models write them. Other names, values and forms become the canonical arguments of
//! a tool. The answer names each other name once, so that a model learns the right one. An unknown
//! argument is ignored and named.

mod forms;
mod table;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::one_line::one_line;
use table::Names;

/// An equal name without a notice: most servers use it.
const SILENT: &str = "max_tokens";

/// Ignored arguments that an answer names.
const NAMED: usize = 5;

/// Characters of an ignored name.
const LONGEST: usize = 40;

/// The arguments of a call under their canonical names.
#[derive(Debug, Default)]
pub(crate) struct Canonical {
    pub(crate) arguments: Arguments,
    /// Remarks for the model about other names and ignored arguments.
    pub(crate) notices: Vec<String>,
    /// Names that the tool does not know.
    pub(crate) unknown: Vec<String>,
}

impl Canonical {
    /// Reads the arguments of a call of a tool.
    pub(crate) fn new(tool: &str, given: &Arguments) -> Self {
        let mut reading = Reading {
            given: given.0.clone(),
            ..Reading::default()
        };
        reading.given.retain(|_, value| !value.is_null());
        let Some(table) = Names::for_tool(tool) else {
            return Self {
                arguments: Arguments(reading.given),
                ..Self::default()
            };
        };
        reading.take_forms(tool);
        for (name, others) in table.names() {
            reading.take(name, others);
        }
        for (name, words) in table.values() {
            reading.translate(name, words);
        }
        reading.finish()
    }
}

/// Arguments on their way from given to canonical ones.
#[derive(Debug, Default)]
struct Reading {
    given: Map<String, Value>,
    found: Map<String, Value>,
    renamed: Vec<Renamed>,
    ignored: Vec<String>,
}

/// Other names of an argument.
#[derive(Debug)]
struct Renamed {
    given: Vec<String>,
    name: String,
}

impl Reading {
    /// Takes an argument by its canonical name, or else by the first other name.
    fn take(&mut self, name: &str, others: &[&str]) {
        if let Some(value) = self.given.remove(name) {
            self.found.insert(name.to_owned(), value);
        }
        for other in others {
            if self.found.contains_key(name) {
                return;
            }
            if let Some(value) = self.given.remove(*other) {
                self.insert(name, value, &[other]);
            }
        }
    }

    /// Inserts a value that was given under other names, unless the canonical name has one.
    fn insert(&mut self, name: &str, value: Value, given: &[&str]) {
        if self.given.contains_key(name) && !given.contains(&name) {
            let given = given.iter().map(|given| (*given).to_owned());
            return self.ignored.extend(given);
        }
        self.found.insert(name.to_owned(), value);
        let given = given.iter().filter(|given| ![SILENT, name].contains(given));
        let given: Vec<String> = given.map(|given| (*given).to_owned()).collect();
        if !given.is_empty() {
            let name = name.to_owned();
            self.renamed.push(Renamed { given, name });
        }
    }

    /// Replaces another word for a value. Ignores an unknown word under another name: it may mean
    /// something else, such as `type: "py"`.
    fn translate(&mut self, name: &str, words: &[(&str, &[&str])]) {
        let Some(value) = self.found.get_mut(name) else {
            return;
        };
        let typed = plain(value).trim().to_lowercase();
        let found = words
            .iter()
            .find(|(word, others)| *word == typed || others.contains(&typed.as_str()));
        if let Some((word, _)) = found {
            *value = json!(word);
            return;
        }
        let other = self.renamed.iter().position(|one| one.name == name);
        if let Some(at) = other {
            self.found.remove(name);
            self.ignored.extend(self.renamed.remove(at).given);
        } else if name == "format" {
            self.found.remove(name);
            self.ignored.push(name.to_owned());
        }
    }

    fn finish(self) -> Canonical {
        let unknown: Vec<String> = self.given.keys().map(|name| named(name)).collect();
        let ignored = self.ignored.iter().map(|name| named(name));
        let ignored: Vec<String> = ignored.chain(unknown.iter().cloned()).collect();
        let mut notices: Vec<String> = self.renamed.iter().map(Renamed::notice).collect();
        if !ignored.is_empty() {
            let more = if ignored.len() > NAMED { ", …" } else { "" };
            let first = &ignored[..ignored.len().min(NAMED)];
            notices.push(format!("ignored: {}{more}", first.join(", ")));
        }
        Canonical {
            arguments: Arguments(self.found),
            notices,
            unknown,
        }
    }
}

impl Renamed {
    fn notice(&self) -> String {
        let given = self.given.iter().map(|name| format!("`{name}`"));
        let given = given.collect::<Vec<_>>().join(" and ");
        let verb = if self.given.len() > 1 { "are" } else { "is" };
        format!("{given} {verb} called `{}` here", self.name)
    }
}

/// Quotes the first characters of a name.
fn named(name: &str) -> String {
    let short: String = one_line(name).chars().take(LONGEST).collect();
    format!("`{short}`")
}

fn is_flag(value: &Value) -> bool {
    value.is_boolean() || matches!(value.as_str(), Some("true" | "false"))
}

fn is_true(value: &Value) -> bool {
    *value == true || value.as_str() == Some("true")
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_i64().or_else(|| {
            let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
            (number.abs() < 1e9).then_some(number as i64)
        }),
    }
}

/// The text of a value without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.len() == 1 => plain(&items[0]),
        value => value.to_string(),
    }
}
