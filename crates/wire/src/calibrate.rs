//! The result of a calibration.

use schemars::JsonSchema;
use serde::Serialize;

/// Output of `infiniloom calibrate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalibrationInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The calibrated model.
    pub model: String,
    /// The estimator whose estimates are corrected, for all models that it estimates.
    pub estimator: String,
    /// The host that counted.
    pub host: String,
    /// Number of files that the samples are from.
    pub files: usize,
    /// The bytes of all samples.
    pub bytes: usize,
    /// Number of counted samples.
    pub samples: usize,
    /// The estimated tokens of the samples.
    pub estimated_tokens: usize,
    /// The counted tokens of the samples.
    pub counted_tokens: usize,
    /// The factor that multiplies later estimates.
    pub factor: f64,
    /// The spread of the factors of the samples, as a share of the factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// The expected error of a corrected estimate, as a share of it.
    pub band: f64,
}
