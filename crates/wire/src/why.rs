//! Why a path is packed or not.

use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `infiniloom why`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhyInfo {
    /// The path in the repository.
    pub path: String,
    /// Whether it is packed.
    pub packed: bool,
    /// The reason's short name.
    pub reason: String,
    /// The reason in words.
    pub detail: String,
    /// The file, pattern or folder that decided, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the rule matches: the path or a folder above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
}
