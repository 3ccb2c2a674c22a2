//! A failure, for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorInfo {
    /// The category: invalid, not_found, refused, unavailable, cancelled or internal.
    pub kind: String,
    /// A stable name, such as `budget_too_small`.
    pub code: String,
    /// The message with its causes.
    pub message: String,
    /// The next step for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The smallest sufficient budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<usize>,
    /// All problems, if there is more than the message contains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}
