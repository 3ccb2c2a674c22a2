//! Files of the user that are read, such as a template. They are the user's alone
//! to name, so nothing is said here about staying inside a repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Shape, Unfit, Value};
use crate::quote::quoted;

/// A file to read. A relative path starts from the working directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputPath(PathBuf);

impl InputPath {
    /// A path as a user writes it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The path as written.
    pub fn as_written(&self) -> &Path {
        &self.0
    }
}

impl Value for InputPath {
    const SHAPE: Shape = Shape::Path;

    fn from_text(text: &str) -> Result<Self, Unfit> {
        Self::from_os(OsStr::new(text))
    }

    fn from_os(text: &OsStr) -> Result<Self, Unfit> {
        let shown = text.to_string_lossy();
        match shown.is_empty() || shown.contains('\0') {
            true => Err(Unfit::new("a path", quoted(&shown))),
            false => Ok(Self::new(text)),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(Unfit::toml("a path", value)),
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
