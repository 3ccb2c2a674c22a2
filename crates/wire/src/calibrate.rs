//! What a calibration found.

use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `infiniloom calibrate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalibrationInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The model that was asked about.
    pub model: String,
    /// The estimator that is corrected, for all models that it estimates.
    pub estimator: String,
    /// The host that counted.
    pub host: String,
    /// How many files the samples are from.
    pub files: usize,
    /// The bytes of all samples.
    pub bytes: usize,
    /// How many samples were counted.
    pub samples: usize,
    /// The tokens that were estimated for the samples.
    pub estimated_tokens: usize,
    /// The tokens that were counted.
    pub counted_tokens: usize,
    /// What estimates are multiplied by from now on.
    pub factor: f64,
    /// How far the factors of the samples lie apart, as a share of the factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// How far a corrected estimate is taken to be off, as a share of it.
    pub band: f64,
}
