//! One setting, its value and the origin of the value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An entry of `infiniloom config list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingInfo {
    /// The key, such as `scan.max_file_size`.
    pub key: String,
    /// The value as text.
    pub value: String,
    /// Origin of the value: built in, a file, the environment or a flag.
    pub origin: String,
}

/// A file that settings are read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingsFileInfo {
    /// `user` or `repository`.
    pub owner: String,
    /// Its path.
    pub path: String,
    /// Whether it exists.
    pub exists: bool,
}
