//! What `infiniloom mcp doctor` finds.

use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `infiniloom mcp doctor`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct McpDoctor {
    /// The version of this shape.
    pub format_version: u32,
    /// The version of the program.
    pub version: String,
    /// Whether nothing is wrong.
    pub ok: bool,
    /// What was looked at, in this order.
    pub checks: Vec<McpCheck>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct McpCheck {
    /// The client whose setup it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// `configuration`, `command`, `root`, `roots`, `answer` or `index`.
    pub subject: String,
    /// `ok`, `note` or `wrong`.
    pub outcome: String,
    /// What was found.
    pub found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}
