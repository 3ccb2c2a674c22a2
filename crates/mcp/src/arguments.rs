//! What a model said when it called a tool. Models send numbers as text and lists as one
//! word: what is meant is clear, so it is taken.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value};

use crate::root::Root;
use crate::tool_error::ToolError;

/// The arguments of a call.
#[derive(Debug, Default)]
pub(crate) struct Arguments(pub(crate) Map<String, Value>);

/// The arguments that may be paths.
const PATHS: &[&str] = &["paths", "symbol", "focus", "hot", "pin", "exclude"];

impl Arguments {
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, ToolError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Array(items)) if items.len() == 1 && items[0].is_string() => {
                Ok(items[0].as_str())
            }
            Some(_) => Err(ToolError(format!("`{name}` must be text"))),
        }
    }

    /// Returns true if an argument has a value that is not blank.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self.0.get(name) {
            None | Some(Value::Null) => false,
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        }
    }

    /// A text, or a number that stands for one: `5` for `"5"`.
    pub(crate) fn text_or_number(&self, name: &str) -> Result<Option<Cow<'_, str>>, ToolError> {
        match self.0.get(name) {
            Some(Value::Number(_)) => {
                let number = self.number(name)?;
                Ok(number.map(|number| number.to_string().into()))
            }
            _ => Ok(self.text(name)?.map(Cow::Borrowed)),
        }
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, ToolError> {
        let text = self.text(name)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| ToolError(format!("`{name}` is missing")))
    }

    /// With full paths that lead to a root through links as they are without them.
    pub(crate) fn without_links(&self, root: &Root) -> Self {
        let mut given = self.0.clone();
        let Some(also) = root.also() else {
            return Self(given);
        };
        let lead = |value: &mut Value| {
            let below = value.as_str().map(Path::new);
            let below = below.and_then(|path| path.strip_prefix(also).ok());
            if let Some(below) = below {
                *value = Value::from(root.path().join(below).to_string_lossy());
            }
        };
        for value in PATHS.iter().copied() {
            match given.get_mut(value) {
                Some(Value::Array(items)) => items.iter_mut().for_each(lead),
                Some(value) => lead(value),
                None => {}
            }
        }
        Self(given)
    }

    /// The full paths among what was said: they tell which folder is meant.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        fn said(value: &Value) -> Vec<&str> {
            match value {
                Value::String(text) => vec![text],
                Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            }
        }
        let values = PATHS.iter().filter_map(|name| self.0.get(*name));
        let paths = values.flat_map(said).map(Path::new);
        paths.filter(|path| path.is_absolute()).collect()
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<usize>, ToolError> {
        let number = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.as_u64().or_else(|| whole(number.as_f64()?)),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        let number = number.and_then(|number| usize::try_from(number).ok());
        let wrong = || ToolError(format!("`{name}` must be a whole number"));
        number.map(Some).ok_or_else(wrong)
    }

    pub(crate) fn list(&self, name: &str) -> Result<Vec<String>, ToolError> {
        let wrong = || ToolError(format!("`{name}` must be a list of texts"));
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(listed(text)),
            Some(Value::Array(items)) => {
                let text = |item: &Value| item.as_str().map(str::to_owned).ok_or_else(wrong);
                items.iter().map(text).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    /// One of several words; the first unless something is said.
    pub(crate) fn choice<'c>(&self, name: &str, choices: &[&'c str]) -> Result<&'c str, ToolError> {
        let Some(text) = self.text(name)? else {
            return Ok(choices[0]);
        };
        let found = choices.iter().find(|choice| **choice == text.trim());
        let wrong = || ToolError(format!("`{name}` must be one of {}", choices.join(", ")));
        found.copied().ok_or_else(wrong)
    }
}

/// The items of a list that was written as JSON text, else the text as the only item.
fn listed(text: &str) -> Vec<String> {
    let items = text.trim_start().starts_with('[');
    let items = items.then(|| serde_json::from_str(text).ok()).flatten();
    items.unwrap_or_else(|| vec![text.to_owned()])
}

/// The largest number up to which every whole one is exact as a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number that is whole although it is written with a point: `100.0`.
fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=EXACT).contains(&number);
    is_whole.then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: &Value) -> Arguments {
        Arguments(value.as_object().unwrap().clone())
    }

    #[test]
    fn what_is_meant_is_taken_and_what_is_wrong_is_told() {
        let given = arguments(&json!({"n": "12", "list": "a", "lists": ["a", "b"], "kind": "b"}));
        assert_eq!(given.number("n"), Ok(Some(12)));
        assert_eq!(given.list("list"), Ok(vec!["a".to_owned()]));
        assert_eq!(given.list("lists").unwrap().len(), 2);
        assert_eq!(given.choice("kind", &["a", "b"]), Ok("b"));
        assert_eq!(given.choice("none", &["a", "b"]), Ok("a"));
        // As languages write numbers that know no other kind.
        assert_eq!(arguments(&json!({"n": 100.0})).number("n"), Ok(Some(100)));
        for (lines, text) in [(json!(5), "5"), (json!(5.0), "5"), (json!("5-9"), "5-9")] {
            let given = arguments(&json!({ "lines": lines }));
            assert_eq!(given.text_or_number("lines"), Ok(Some(text.into())));
        }
        for wrong in [json!(-5), json!(0.5), json!([5]), json!(true)] {
            let given = arguments(&json!({ "lines": wrong }));
            assert!(given.text_or_number("lines").is_err());
        }
        for wrong in [json!(-1), json!(1.5), json!(1e300), json!("x"), json!([1])] {
            assert!(arguments(&json!({ "n": wrong })).number("n").is_err());
        }
        assert!(given.required("missing").is_err());
        let written =
            arguments(&json!({"list": "[\"a\", \"b\"]", "one": ["x"], "two": ["x", "y"]}));
        assert_eq!(written.list("list").unwrap().len(), 2);
        assert_eq!(written.text("one"), Ok(Some("x")));
        assert!(written.text("two").is_err());
        assert!(arguments(&json!({"q": "  "})).required("q").is_err());
    }
}
