//! The reason why a path is packed or skipped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Output of `infiniloom why`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WhyInfo {
    /// The path in the repository.
    pub path: String,
    /// Whether it is packed.
    pub packed: bool,
    /// The reason's short name.
    pub reason: String,
    /// The reason in words.
    pub detail: String,
    /// The file, pattern or directory that decided, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The path that the rule matches: the path itself or a directory above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
}
