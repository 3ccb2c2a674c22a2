//! Text that is checked elsewhere, such as the name of a model.

use serde_json::json;

use super::{Shape, Unfit, Value};
use crate::quote::quoted;

const EXPECTED: &str = "text that is not empty";

impl Value for String {
    const SHAPE: Shape = Shape::Text;

    fn from_text(text: &str) -> Result<Self, Unfit> {
        match text {
            "" => Err(Unfit::new(EXPECTED, quoted(text))),
            text => Ok(text.to_owned()),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(Unfit::toml(EXPECTED, value)),
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
