//! Whole numbers: plain numbers, counters of a repeated flag, and threads.

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// Implements `Value` for a type of whole numbers with one shape.
macro_rules! whole {
    ($type:ty, $shape:ident) => {
        impl Value for $type {
            const SHAPE: Shape = Shape::$shape;

            fn from_text(text: &str) -> Result<Self, InvalidValue> {
                whole_text(text, Self::MAX)
            }

            fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
                whole_toml(value, Self::MAX)
            }

            fn show(&self) -> String {
                self.to_string()
            }

            fn to_toml(&self) -> toml_edit::Value {
                i64::from(*self).into()
            }

            fn schema() -> serde_json::Value {
                whole_schema(Self::MAX)
            }
        }
    };
}

whole!(u32, Integer);
// Number of times that a flag is given, as in `-vv`.
whole!(u8, Counter);

/// Number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threads(u16);

impl Threads {
    /// One thread per core.
    pub const ALL_CORES: Self = Self(0);

    /// Maximum number of threads, because a repository's file may set it: more than any machine has
    /// cores, fewer than a process may start.
    const MOST: u16 = 1024;

    /// Returns the number of threads; `cores` for one per core.
    pub fn count(self, cores: std::num::NonZeroUsize) -> std::num::NonZeroUsize {
        std::num::NonZeroUsize::new(self.0.into()).unwrap_or(cores)
    }

    /// Creates a number of threads; 0 means one per core.
    pub fn new(count: u16) -> Option<Self> {
        (count <= Self::MOST).then_some(Self(count))
    }
}

impl Value for Threads {
    const SHAPE: Shape = Shape::Integer;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        whole_text(text, Self::MOST).map(Self)
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        whole_toml(value, Self::MOST).map(Self)
    }

    fn show(&self) -> String {
        self.0.to_string()
    }

    fn to_toml(&self) -> toml_edit::Value {
        i64::from(self.0).into()
    }

    fn schema() -> serde_json::Value {
        whole_schema(Self::MOST)
    }
}

fn whole_text<N: TryFrom<u32> + Into<u32> + Copy>(text: &str, most: N) -> Result<N, InvalidValue> {
    let number = text.trim().parse().ok();
    within(number, most).ok_or_else(|| InvalidValue::new(expected(most), quoted(text)))
}

fn whole_toml<N: TryFrom<u32> + Into<u32> + Copy>(
    value: &toml_edit::Value,
    most: N,
) -> Result<N, InvalidValue> {
    let number = value.as_integer().and_then(|number| number.try_into().ok());
    within(number, most).ok_or_else(|| InvalidValue::toml(expected(most), value))
}

fn within<N: TryFrom<u32> + Into<u32>>(number: Option<u32>, most: N) -> Option<N> {
    let number = number.filter(|&number| number <= most.into())?;
    N::try_from(number).ok()
}

fn expected<N: Into<u32>>(most: N) -> String {
    format!("a whole number from 0 to {}", most.into())
}

fn whole_schema<N: Into<u32>>(most: N) -> serde_json::Value {
    json!({ "type": "integer", "minimum": 0, "maximum": most.into() })
}
