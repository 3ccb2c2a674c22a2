//! A weight from 0 to 1.

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// Number from 0 to 1, with three decimal places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight(u16);

const EXPECTED: &str = "a number from 0 to 1";

impl Weight {
    /// Returns the number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    fn new(value: f64) -> Option<Self> {
        let is_fit = (0.0..=1.0).contains(&value);
        is_fit.then_some(Self((value * 1000.0).round() as u16))
    }
}

impl Value for Weight {
    const SHAPE: Shape = Shape::Weight;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        let value = text.trim().parse().ok().and_then(Self::new);
        value.ok_or_else(|| InvalidValue::new(EXPECTED, quoted(text)))
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        let number = match value {
            toml_edit::Value::Integer(whole) => Some(*whole.value() as f64),
            toml_edit::Value::Float(number) => Some(*number.value()),
            _ => None,
        };
        let weight = number.and_then(Self::new);
        weight.ok_or_else(|| InvalidValue::toml(EXPECTED, value))
    }

    fn show(&self) -> String {
        self.value().to_string()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.value().into()
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}
