//! Files of the user to read, such as a template. Only the user can name them, so they may be
//! outside of a repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// File to read. A relative path starts from the working directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputPath(PathBuf);

impl InputPath {
    /// Creates a path as a user writes it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the path as written.
    pub fn as_written(&self) -> &Path {
        &self.0
    }
}

impl Value for InputPath {
    const SHAPE: Shape = Shape::Path;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::from_os(OsStr::new(text))
    }

    fn from_os(text: &OsStr) -> Result<Self, InvalidValue> {
        let lossy = text.to_string_lossy();
        match lossy.is_empty() || lossy.contains('\0') {
            true => Err(InvalidValue::new("a path", quoted(&lossy))),
            false => Ok(Self::new(text)),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(InvalidValue::toml("a path", value)),
        }
    }

    fn show(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.show().into()
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "string" })
    }

    fn leaves_repository(&self) -> bool {
        true
    }
}
