//! A failure as programs read it.

use schemars::JsonSchema;
use serde::Serialize;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorInfo {
    /// The category: invalid, not_found, refused, unavailable, cancelled or internal.
    pub kind: String,
    /// A stable name, such as `budget_too_small`.
    pub code: String,
    /// The message with its causes.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The smallest budget that would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<usize>,
    /// Everything that is wrong, if it is more than the message says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}
