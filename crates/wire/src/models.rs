//! Facts about a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One model of `infiniloom models`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelInfo {
    /// Name of the model.
    pub name: String,
    /// `model`, or `vocabulary` for a vocabulary that can be named instead of a model.
    pub kind: String,
    /// The requested name, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// How well the requested name matches: `name`, `version`, or `part`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
    /// Vendor of the model; empty if unknown.
    pub vendor: String,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// Whether its tokens are estimated.
    pub estimated: bool,
    /// The vocabulary files that allow exact counts, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary_file: Option<String>,
    /// Size of the context window in tokens.
    pub window: usize,
    /// Maximum number of tokens in a prompt, if it is less than the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<usize>,
    /// Maximum number of tokens in an answer.
    pub output: usize,
    /// The tokens that remain for a prompt if the answer has its maximum length.
    pub effective_budget: usize,
    /// Input modalities.
    pub modalities: Vec<String>,
    /// Prices, by the length of the prompt.
    pub prices: Vec<PriceInfo>,
    /// Prompt caching of its provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheInfo>,
    /// The day on which the vendor retires the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Sources of the facts.
    pub sources: Vec<SourceInfo>,
}

/// Prices in dollars for a million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PriceInfo {
    /// The prices apply to prompts with more tokens than this.
    pub above: usize,
    /// Price of the prompt.
    pub input: Option<f64>,
    /// Price of the answer.
    pub output: Option<f64>,
    /// Price of reading from the provider's cache.
    pub cache_read: Option<f64>,
    /// Price of writing to the provider's cache.
    pub cache_write: Option<f64>,
    /// Price of writing to the provider's cache for one hour.
    pub cache_write_hour: Option<f64>,
}

/// How a provider caches the start of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheInfo {
    /// `automatic` or `marked`.
    pub kind: String,
    /// Minimum number of tokens that are cached.
    pub least: Option<usize>,
    /// The number of cached tokens is a multiple of this.
    pub step: Option<usize>,
    /// Maximum number of break points in a request.
    pub marks: Option<usize>,
    /// Number of blocks before a break point that the provider checks for a cache hit.
    pub look_back: Option<usize>,
    /// Cache lifetimes after the last use, in seconds, one for each choice.
    pub lifetimes: Vec<u32>,
}

/// Source of facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceInfo {
    /// The facts that come from it.
    pub facts: String,
    /// The day on which it was read.
    pub date: String,
    /// Title of the source.
    pub title: String,
}
