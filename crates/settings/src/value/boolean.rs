//! True or false.

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

impl Value for bool {
    const SHAPE: Shape = Shape::Switch;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        match text.trim().to_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err(InvalidValue::new("true or false", quoted(text))),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        value
            .as_bool()
            .ok_or_else(|| InvalidValue::toml("true or false", value))
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn to_toml(&self) -> toml_edit::Value {
        (*self).into()
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "boolean" })
    }
}
