//! A number of bytes with an optional unit.

use std::fmt;

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// Size in bytes, written `500000`, `500k`, `10mb` or `1gib`.
///
/// `k`, `m`, `g`, `t` and `kb`, `mb`, `gb`, `tb` are powers of 1000; `kib`, `mib`, `gib`, `tib` are
/// powers of 1024. Case does not matter, and `_` may group digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(u64);

/// Units for display: the first one that divides a size is used.
const UNITS: [(&str, u64); 8] = [
    ("tb", 1000 * 1000 * 1000 * 1000),
    ("gb", 1000 * 1000 * 1000),
    ("mb", 1000 * 1000),
    ("kb", 1000),
    ("tib", 1 << 40),
    ("gib", 1 << 30),
    ("mib", 1 << 20),
    ("kib", 1 << 10),
];

/// Maximum: TOML and many JSON parsers have no larger whole numbers.
const MOST: u64 = i64::MAX as u64;

const EXPECTED: &str = "a size such as 500000, 500k, 10mb or 1gib";

impl ByteSize {
    /// Creates a size of `bytes`.
    pub const fn new(bytes: u64) -> Self {
        Self(if bytes > MOST { MOST } else { bytes })
    }

    /// Creates a size of `count` million bytes.
    pub const fn megabytes(count: u32) -> Self {
        Self(count as u64 * 1_000_000)
    }

    /// Returns the number of bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Parses a number with an optional unit.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '_');
        let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
        let number: u64 = digits.replace('_', "").parse().ok()?;
        let bytes = number.checked_mul(scale(unit.trim_start())?)?;
        (bytes <= MOST).then_some(Self(bytes))
    }
}

fn scale(unit: &str) -> Option<u64> {
    if matches!(unit, "" | "b") {
        return Some(1);
    }
    let unit = match unit.len() {
        1 => format!("{unit}b"),
        _ => unit.to_owned(),
    };
    let named = UNITS.iter().find(|(name, _)| *name == unit);
    named.map(|&(_, scale)| scale)
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divides = |&&(_, scale): &&(&str, u64)| self.0 > 0 && self.0.is_multiple_of(scale);
        match UNITS.iter().find(divides) {
            Some((unit, scale)) => write!(f, "{}{unit}", self.0 / scale),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Value for ByteSize {
    const SHAPE: Shape = Shape::Size;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::parse(text).ok_or_else(|| InvalidValue::new(EXPECTED, quoted(text)))
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        let size = match value {
            toml_edit::Value::Integer(bytes) => (*bytes.value()).try_into().ok().map(Self),
            toml_edit::Value::String(text) => Self::parse(text.value()),
            _ => None,
        };
        size.ok_or_else(|| InvalidValue::toml(EXPECTED, value))
    }

    fn exceeds(&self, limit: &Self) -> bool {
        self > limit
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.to_string().into()
    }

    fn schema() -> serde_json::Value {
        let pattern = "^[0-9][0-9_]*\\s*([kKmMgGtT]([iI]?[bB])?|[bB])?$";
        json!({
            "anyOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": pattern },
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_scale_the_number() {
        let check = |text: &str, bytes| {
            let parsed = ByteSize::parse(text).map(ByteSize::bytes);
            assert_eq!(parsed, bytes, "{text}");
        };
        check("500000", Some(500_000));
        check("500_000", Some(500_000));
        check("500k", Some(500_000));
        check("500kb", Some(500_000));
        check("10MB", Some(10_000_000));
        check("10 m", Some(10_000_000));
        check("1gib", Some(1 << 30));
        check("2KiB", Some(2048));
        check("3b", Some(3));
        check("0", Some(0));
        for wrong in [
            "",
            "k",
            "-1",
            "1.5mb",
            "1kk",
            "1ki",
            "1mbb",
            "9tb9",
            "1e3",
            "9223372036854775808",
            "99999999999999999999",
            "9999999999tb",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn size_displays_in_the_largest_whole_unit() {
        for (bytes, shown) in [
            (0, "0"),
            (999, "999"),
            (1000, "1kb"),
            (1024, "1kib"),
            (16_000_000, "16mb"),
            (1 << 30, "1gib"),
            (1_500, "1500"),
        ] {
            assert_eq!(ByteSize::new(bytes).to_string(), shown);
        }
    }
}
