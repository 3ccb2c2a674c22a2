//! True or false.

use serde_json::json;

use super::{Shape, Unfit, Value};
use crate::quote::quoted;

impl Value for bool {
    const SHAPE: Shape = Shape::Switch;

    fn from_text(text: &str) -> Result<Self, Unfit> {
        match text.trim().to_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err(Unfit::new("true or false", quoted(text))),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit> {
        value
            .as_bool()
            .ok_or_else(|| Unfit::toml("true or false", value))
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
