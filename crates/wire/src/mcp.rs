//! The result of `infiniloom mcp doctor`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Output of `infiniloom mcp doctor`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct McpDoctor {
    /// The version of this shape.
    pub format_version: u32,
    /// The version of the program.
    pub version: String,
    /// Whether all checks passed.
    pub ok: bool,
    /// The checks, in the order in which they ran.
    pub checks: Vec<McpCheck>,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct McpCheck {
    /// The client whose setup was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// `configuration`, `command`, `root`, `roots`, `answer` or `index`.
    pub subject: String,
    /// `ok`, `note` or `wrong`.
    pub outcome: String,
    /// The observation.
    pub found: String,
    /// The next step for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}
