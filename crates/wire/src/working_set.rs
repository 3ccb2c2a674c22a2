//! The working files of a conversation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// The files that an agent used, and the instructions that apply to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkingSetInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The text for the model, without secrets. Empty if the conversation used no file that exists.
    pub text: String,
    /// The tokens of the text, by the upper bound if they are an estimate.
    pub tokens: usize,
    /// The files of the text, the latest first.
    pub files: Vec<WorkingFileInfo>,
    /// The paths of the instruction files in the text.
    pub instructions: Vec<String>,
    /// True if the budget left out files or a part of the instructions.
    pub truncated: bool,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A file that an agent used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkingFileInfo {
    /// The path of the file.
    pub path: String,
    /// True if the agent changed the file, false if it only read it.
    pub edited: bool,
    /// First and last lines of the latest uses, in order. Empty for the whole file.
    pub lines: Vec<[usize; 2]>,
}
