//! How many tokens files have.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom tokens`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokensInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The tokens of all files for the first model.
    pub total_tokens: usize,
    /// The same for each model that was asked for.
    pub models: Vec<ModelTokens>,
    /// The files, ordered by path.
    pub files: Vec<FileTokens>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// What the files are for one model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelTokens {
    /// The model.
    pub model: String,
    /// The name that it was asked for by.
    pub asked: String,
    /// How well that name fits: `name`, `version` (with a date or how it is run), `part`
    /// (the model is only the nearest), or `none` (nobody knows it).
    pub matched: String,
    /// How it counts.
    pub tokenizer: String,
    /// Whether the total is an estimate. Where a provider counted it, it is not, and
    /// the figures of single files still are.
    pub estimated: bool,
    /// Whether the figures of single files are estimates.
    pub files_estimated: bool,
    /// The host of the provider that counted the total, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// The tokens of all files.
    pub total_tokens: usize,
    /// The least that they are taken to be: the lower end of the band of an estimate.
    pub total_tokens_lower: usize,
    /// The most that they are taken to be: the upper end of the band of an estimate.
    pub total_tokens_upper: usize,
    /// The tokens that the context window holds.
    pub window: usize,
    /// The tokens that a prompt may have at most: the window, or less.
    pub prompt_limit: usize,
    /// The tokens that a prompt may use beside the longest answer.
    pub effective_budget: usize,
    /// What a prompt of all files costs, in dollars; an estimate if the total is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// The tokens of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileTokens {
    /// Its path; `-` for standard input.
    pub path: String,
    /// Its tokens for the first model.
    pub tokens: usize,
    /// Its tokens for each model, in the order of `models`, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_model: Vec<usize>,
    /// The least and the most that it is taken to have for each model, in the order of
    /// `models`, where any of them estimates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<[usize; 2]>,
}
