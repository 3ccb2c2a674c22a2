//! The result of comparing an estimate with a provider's count.

use std::path::Path;

use loom_host::{Endpoint, Measured, Model, Samples};
use loom_wire::{CalibrationInfo, FORMAT_VERSION};

/// Describes the counts of `endpoint` for `samples` of the repository in `directory`;
/// `estimator` is the name of the estimate.
pub fn info(
    model: &Model,
    estimator: &str,
    endpoint: &Endpoint,
    samples: &Samples,
    measured: &Measured,
    directory: &Path,
) -> CalibrationInfo {
    CalibrationInfo {
        format_version: FORMAT_VERSION,
        model: model.name.clone(),
        estimator: estimator.to_owned(),
        host: endpoint.host().to_owned(),
        files: samples.files,
        bytes: samples.bytes(),
        samples: samples.texts.len(),
        estimated_tokens: measured.estimated,
        counted_tokens: measured.counted,
        factor: measured.factor,
        spread: measured.spread,
        band: measured.band(),
        directory: directory.to_string_lossy().into_owned(),
        notices: Vec::new(),
    }
}
