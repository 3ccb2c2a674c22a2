//! Token counts of files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{LeftOutCount, NoticeInfo};

/// Output of `infiniloom tokens`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TokensInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The tokens of all files for the first model.
    pub total_tokens: usize,
    /// The counts for each requested model.
    pub models: Vec<ModelTokens>,
    /// The files, ordered by path.
    pub files: Vec<FileTokens>,
    /// Directories and files with their tokens for the first model; missing for a text that is no
    /// file. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub tree: Option<TreeInfo>,
    /// Number of skipped files and directories, by reason. Version 1 of the JSON has no such
    /// field.
    #[serde(skip)]
    #[schemars(skip)]
    pub left_out: Vec<LeftOutCount>,
    /// A page for a browser that shows the tokens, if it was requested. Version 1 of the JSON has
    /// no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub page: Option<String>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A directory or a file with its tokens. A chain of directories without other entries is one
/// entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeInfo {
    /// Name of the entry; a directory ends with `/`. Empty for the root.
    pub name: String,
    /// Tokens of the file, or of all files in the directory.
    pub tokens: usize,
    /// Entries of the directory, in the order of their names.
    pub children: Vec<TreeInfo>,
}

/// The token counts of all files for one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelTokens {
    /// The model.
    pub model: String,
    /// The requested name.
    pub asked: String,
    /// How well that name matches: `name`, `version` (with a date or a way to run it), `part` (the
    /// model is only the nearest), or `none` (the name is unknown).
    pub matched: String,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// Whether the total is an estimate. False if a provider counted the total, even if the numbers
    /// of single files are estimates.
    pub estimated: bool,
    /// Whether the numbers of single files are estimates.
    pub files_estimated: bool,
    /// The host of the provider that counted the total, if one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// The tokens of all files.
    pub total_tokens: usize,
    /// The lower end of the range of an estimate, else the same as `total_tokens`.
    pub total_tokens_lower: usize,
    /// The upper end of the range of an estimate, else the same as `total_tokens`.
    pub total_tokens_upper: usize,
    /// Size of the context window in tokens.
    pub window: usize,
    /// Maximum number of tokens in a prompt: the window, or less.
    pub prompt_limit: usize,
    /// The tokens that remain for a prompt if the answer has its maximum length.
    pub effective_budget: usize,
    /// The price of a prompt with all files, in dollars; an estimate if the total is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// The tokens of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileTokens {
    /// Path of the file; `-` for standard input.
    pub path: String,
    /// The tokens for the first model.
    pub tokens: usize,
    /// The tokens for each model, in the order of `models`, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_model: Vec<usize>,
    /// The lower and upper end of the range for each model, in the order of `models`, if any of
    /// them estimates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<[usize; 2]>,
}
