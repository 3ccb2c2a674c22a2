//! A value that may be missing. Empty text means none, so that a higher layer can unset the value
//! of a lower one.

use std::ffi::OsStr;

use super::{InvalidValue, Shape, Value};

impl<T: Value> Value for Option<T> {
    const SHAPE: Shape = T::SHAPE;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::from_os(OsStr::new(text))
    }

    fn from_os(text: &OsStr) -> Result<Self, InvalidValue> {
        match text.is_empty() {
            true => Ok(None),
            false => T::from_os(text).map(Some),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value.as_str() {
            Some("") => Ok(None),
            _ => T::from_toml(value).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map(T::show).unwrap_or_default()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.as_ref().map_or_else(|| "".into(), T::to_toml)
    }

    fn schema() -> serde_json::Value {
        T::schema()
    }

    fn in_repository(self) -> Self {
        self.map(T::in_repository)
    }

    fn leaves_repository(&self) -> bool {
        self.as_ref().is_some_and(T::leaves_repository)
    }
}
