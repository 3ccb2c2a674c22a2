//! The result of a calibration, and the text that is sent for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom calibrate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The repository to which the correction applies.
    pub directory: String,
    /// Remarks about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// The result of removing a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationRemovedInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The model.
    pub model: String,
    /// The estimator whose estimates are now uncorrected, for all models that it estimates.
    pub estimator: String,
    /// The repository to which the correction applied.
    pub directory: String,
    /// Whether there was a calibration.
    pub removed: bool,
    /// Remarks about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// Text that is about to be sent to a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SendingInfo {
    /// The host that receives the text.
    pub host: String,
    /// The model that it counts for.
    pub model: String,
    /// `samples` of files, whole `files`, a `pack`, or a `text` of the caller.
    pub subject: String,
    /// The number of files that the text is from; none for a pack and a text of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// The bytes of the text.
    pub bytes: usize,
    /// The number of requests.
    pub requests: usize,
}
