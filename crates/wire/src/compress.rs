//! The compression of one text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// A compressed text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompressInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The identifier of its language, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The level that was used.
    pub level: String,
    /// The requested level.
    pub requested_level: String,
    /// Why a weaker level was used, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_reason: Option<String>,
    /// The tokens of `text`; the upper end of an estimate.
    pub tokens: usize,
    /// The tokens before compression.
    pub tokens_before: usize,
    /// The redacted text, with a marker for each elided part.
    pub text: String,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}
