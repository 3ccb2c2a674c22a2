//! What is known about a model.

use schemars::JsonSchema;
use serde::Serialize;

/// One model of `infiniloom models`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// Whether it is a `model`, or a `vocabulary` that can be named in place of one.
    pub kind: String,
    /// The name that it was asked for by, where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// How well that name fits: `name`, `version`, or `part`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
    /// Who makes it; empty if unknown.
    pub vendor: String,
    /// How it counts.
    pub tokenizer: String,
    /// Whether its tokens are estimated.
    pub estimated: bool,
    /// The vocabulary files that it can be counted exactly by, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary_file: Option<String>,
    /// The tokens that its context window holds.
    pub window: usize,
    /// The tokens that a prompt may have, where that is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<usize>,
    /// The tokens that an answer may have.
    pub output: usize,
    /// The tokens that a prompt may use beside the longest answer.
    pub effective_budget: usize,
    /// What it reads.
    pub modalities: Vec<String>,
    /// What it costs, by the length of the prompt.
    pub prices: Vec<PriceInfo>,
    /// How its provider keeps prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheInfo>,
    /// The day on which the vendor takes it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Where the facts are from.
    pub sources: Vec<SourceInfo>,
}

/// Prices in dollars for a million tokens.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PriceInfo {
    /// They hold for prompts of more tokens than this.
    pub above: usize,
    /// Of the prompt.
    pub input: Option<f64>,
    /// Of the answer.
    pub output: Option<f64>,
    /// Of what the provider kept.
    pub cache_read: Option<f64>,
    /// Of having it kept.
    pub cache_write: Option<f64>,
    /// Of having it kept for an hour.
    pub cache_write_hour: Option<f64>,
}

/// How a provider keeps the start of a prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CacheInfo {
    /// `automatic` or `marked`.
    pub kind: String,
    /// The fewest tokens that are kept.
    pub least: Option<usize>,
    /// What is kept is a multiple of so many tokens.
    pub step: Option<usize>,
    /// The most break points in a request.
    pub marks: Option<usize>,
    /// How many blocks before a break point are looked at for what is kept.
    pub look_back: Option<usize>,
    /// How many seconds it is kept after its last use, one for each choice.
    pub lifetimes: Vec<u32>,
}

/// Where facts are from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceInfo {
    /// What it is about.
    pub facts: String,
    /// When it was read.
    pub date: String,
    /// What it is.
    pub title: String,
}
