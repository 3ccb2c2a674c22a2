//! The size of an output: tokens, or bytes where a unit of bytes says so.

use std::fmt;

use serde_json::json;

use super::{ByteSize, Shape, TokenCount, Unfit, Value};
use crate::quote::quoted;

/// A number of tokens, `100k`, or of bytes, `10mb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// So many tokens.
    Tokens(TokenCount),
    /// So many bytes.
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
                // Without a unit it would be tokens.
                plain if !plain.ends_with('b') => write!(f, "{plain}b"),
                size => f.write_str(&size),
            },
        }
    }
}

impl Value for Extent {
    const SHAPE: Shape = Shape::Extent;

    fn from_text(text: &str) -> Result<Self, Unfit> {
        Self::parse(text).ok_or_else(|| Unfit::new(EXPECTED, quoted(text)))
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit> {
        let extent = match value {
            toml_edit::Value::String(text) => Self::parse(text.value()),
            other => TokenCount::from_toml(other).ok().map(Self::Tokens),
        };
        extent.ok_or_else(|| Unfit::toml(EXPECTED, value))
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
    fn tokens_or_bytes() {
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
