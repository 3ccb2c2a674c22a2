//! The size of an output, in tokens, or in bytes with a unit of bytes.

use std::fmt;

use serde_json::json;

use super::{ByteSize, InvalidValue, Shape, TokenCount, Value};
use crate::quote::quoted;

/// Number of tokens, `100k`, or of bytes, `10mb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Number of tokens.
    Tokens(TokenCount),
    /// Number of bytes.
    Bytes(ByteSize),
}

const EXPECTED: &str = "a number of tokens such as 100k, or a size such as 10mb";

impl Extent {
    fn parse(text: &str) -> Option<Self> {
        if let Some(tokens) = TokenCount::parse(text) {
            return Some(Self::Tokens(tokens));
        }
        let is_size = text.trim_end().ends_with(['b', 'B']);
        let size = ByteSize::parse(text).filter(|size| is_size && size.bytes() > 0);
        size.map(Self::Bytes)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens(tokens) => tokens.fmt(f),
            Self::Bytes(size) => match size.to_string() {
                // Without a unit the number would mean tokens.
                plain if !plain.ends_with('b') => write!(f, "{plain}b"),
                size => f.write_str(&size),
            },
        }
    }
}

impl Value for Extent {
    const SHAPE: Shape = Shape::Extent;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::parse(text).ok_or_else(|| InvalidValue::new(EXPECTED, quoted(text)))
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        let extent = match value {
            toml_edit::Value::String(text) => Self::parse(text.value()),
            other => TokenCount::from_toml(other).ok().map(Self::Tokens),
        };
        extent.ok_or_else(|| InvalidValue::toml(EXPECTED, value))
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.to_string().into()
    }

    fn schema() -> serde_json::Value {
        json!({
            "anyOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "string", "pattern": "^[0-9][0-9_,.]*\\s*([kKmMgGtT]?([iI]?[bB])?)?$" },
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_decides_between_tokens_and_bytes() {
        for (text, shown) in [
            ("100k", "100k"),
            ("10mb", "10mb"),
            ("1 MiB", "1mib"),
            ("500b", "500b"),
            ("2m", "2m"),
        ] {
            let parsed = Extent::parse(text).unwrap();
            assert_eq!(parsed.to_string(), shown);
            assert_eq!(Extent::parse(shown), Some(parsed));
        }
        assert!(matches!(Extent::parse("100k"), Some(Extent::Tokens(_))));
        assert!(matches!(Extent::parse("100kb"), Some(Extent::Bytes(_))));
        for wrong in ["", "0", "0b", "10g", "x", "-1kb"] {
            assert_eq!(Extent::parse(wrong), None, "{wrong}");
        }
    }
}
