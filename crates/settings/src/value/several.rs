//! A list of words of one choice.

use serde_json::json;

use super::{InvalidValue, Shape, Value};

/// Words of one choice, in their order. Commas separate them in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several<T>(Vec<T>);

impl<T> Several<T> {
    /// Returns the words.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Value + PartialEq> Value for Several<T> {
    const SHAPE: Shape = match T::SHAPE {
        Shape::Choice(choices) => Shape::Words(choices),
        shape => shape,
    };

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        let words = text.split(',').map(str::trim);
        let words = words.filter(|word| !word.is_empty());
        words.map(T::from_text).collect::<Result<_, _>>().map(Self)
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value {
            toml_edit::Value::String(text) => Self::from_text(text.value()),
            toml_edit::Value::Array(words) => {
                let words = words.iter().map(T::from_toml);
                words.collect::<Result<_, _>>().map(Self)
            }
            _ => Err(InvalidValue::toml("a list of words", value)),
        }
    }

    fn show(&self) -> String {
        let words: Vec<String> = self.0.iter().map(Value::show).collect();
        words.join(",")
    }

    fn to_toml(&self) -> toml_edit::Value {
        toml_edit::Value::Array(self.0.iter().map(Value::to_toml).collect())
    }

    fn schema() -> serde_json::Value {
        json!({ "anyOf": [{ "type": "array", "items": T::schema() }, { "type": "string" }] })
    }
}
