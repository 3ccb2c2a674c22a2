//! A number of tokens.

use std::fmt;

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// Number of tokens, written `100000`, `100_000`, `100k`, `1.5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenCount(u64);

const EXPECTED: &str = "a number of tokens such as 8000, 100k or 1.5m";

/// Maximum: more than any output has.
const MOST: u64 = 1_000_000_000_000;

impl TokenCount {
    /// Creates a number of tokens.
    pub const fn new(tokens: u64) -> Option<Self> {
        if tokens == 0 || tokens > MOST {
            return None;
        }
        Some(Self(tokens))
    }

    /// Creates a number of `count` thousand tokens, for defaults.
    pub(crate) const fn thousands(count: u32) -> Self {
        Self(count as u64 * 1_000)
    }

    /// Returns the number.
    pub const fn tokens(self) -> u64 {
        self.0
    }

    /// Parses a number such as `8000`, `100k` or `1.5m`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['_', ','], "");
        let (digits, scale) = match text.strip_suffix(['k', 'm']) {
            Some(digits) if text.ends_with('k') => (digits, 1_000),
            Some(digits) => (digits, 1_000_000),
            None => (&*text, 1),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() || part.len() > 6 || digits.ends_with('.') {
            return None;
        }
        let part: u64 = format!("{part:0<6}").parse().ok()?;
        let whole = whole.parse::<u64>().ok()?.checked_mul(scale)?;
        let part = part.checked_mul(scale)?;
        let is_whole = part.is_multiple_of(1_000_000);
        is_whole
            .then(|| Self::new(whole + part / 1_000_000))
            .flatten()
    }
}

impl fmt::Display for TokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            tokens if tokens.is_multiple_of(1_000_000) => write!(f, "{}m", tokens / 1_000_000),
            tokens if tokens.is_multiple_of(1_000) => write!(f, "{}k", tokens / 1_000),
            tokens => write!(f, "{tokens}"),
        }
    }
}

impl Value for TokenCount {
    const SHAPE: Shape = Shape::Tokens;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::parse(text).ok_or_else(|| InvalidValue::new(EXPECTED, quoted(text)))
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        let tokens = match value {
            toml_edit::Value::Integer(tokens) => {
                (*tokens.value()).try_into().ok().and_then(Self::new)
            }
            toml_edit::Value::String(text) => Self::parse(text.value()),
            _ => None,
        };
        tokens.ok_or_else(|| InvalidValue::toml(EXPECTED, value))
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
                { "type": "string", "pattern": "^[0-9][0-9_,]*(\\.[0-9]+)?[kKmM]?$" },
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_parse_to_the_same_number() {
        for (text, tokens, shown) in [
            ("8000", 8_000, "8k"),
            ("128_000", 128_000, "128k"),
            ("128,000", 128_000, "128k"),
            ("100K", 100_000, "100k"),
            ("1.5m", 1_500_000, "1500k"),
            ("2m", 2_000_000, "2m"),
            ("0.5k", 500, "500"),
            ("1234", 1234, "1234"),
        ] {
            let parsed = TokenCount::parse(text).unwrap();
            assert_eq!(
                (parsed.tokens(), &*parsed.to_string()),
                (tokens, shown),
                "{text}"
            );
        }
        for wrong in [
            "",
            "0",
            "-1",
            "k",
            "1.5",
            ".5k",
            "1.k",
            "10mb",
            "1e5",
            "9999999999999",
            "1.0000001m",
        ] {
            assert_eq!(TokenCount::parse(wrong), None, "{wrong}");
        }
    }
}
