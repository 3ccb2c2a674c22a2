//! Text that other crates validate, such as the name of a model.

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

const EXPECTED: &str = "text that is not empty";

impl Value for String {
    const SHAPE: Shape = Shape::Text;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "" => Err(InvalidValue::new(EXPECTED, quoted(text))),
            text => Ok(text.to_owned()),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(InvalidValue::toml(EXPECTED, value)),
        }
    }

    fn show(&self) -> String {
        self.clone()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.as_str().into()
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "string", "minLength": 1 })
    }
}
