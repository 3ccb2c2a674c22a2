//! Calibrating an estimator by a provider's own counts of a repository's text, and
//! using what came of it. Samples, factors and their file are in `loom-llm`.

use std::fs;
use std::path::PathBuf;

use loom_llm::{CalibrationError, Calibrations, ProviderError, Samples, push_lines};
use loom_models::Model;
use loom_source::Source;

use crate::Packer;
use crate::survey::Survey;

impl Packer {
    /// Samples of the files, spread over languages by their shares; the same ones for
    /// the same files.
    pub fn samples(&self, survey: &Survey) -> Samples {
        let mut files: Vec<_> = survey.files.iter().collect();
        files.sort_by_key(|file| file.meta.language_id());
        let sizes: Vec<_> = files.iter().map(|file| file.meta.bytes).collect();
        Samples::of(&sizes, |at| Some(self.ready(files[at]).ok()?.text))
    }

    /// The texts of all files one after the other, for one request.
    ///
    /// # Errors
    /// When they are too much for one.
    pub fn joined(&self, survey: &Survey) -> Result<String, ProviderError> {
        let bytes = survey.files().map(|file| file.bytes).sum();
        ProviderError::check_size(bytes)?;
        let mut joined = String::with_capacity(bytes + survey.files.len());
        for file in &survey.files {
            push_lines(&mut joined, &self.current(file).text);
        }
        Ok(joined)
    }
}

/// The folder that a calibration is kept for: that of the one repository that is
/// read. Several have none, and neither has a remote.
pub fn calibrated_folder(source: &Source) -> Option<PathBuf> {
    let folder = source.folder().filter(|_| source.roots().count() == 1)?;
    fs::canonicalize(folder).ok()
}

/// Has `model` count as it was calibrated for the repository, if it was. What a
/// person should know comes back.
pub fn apply_calibration(source: &Source, model: &mut Model) -> Option<String> {
    let estimator = model.tokenizer.estimator()?;
    let folder = calibrated_folder(source)?;
    match Calibrations::read() {
        Ok(known) => {
            if let Some(calibration) = known.get(&folder, estimator) {
                model.tokenizer = model.tokenizer.calibrated(calibration);
            }
            None
        }
        Err(CalibrationError::NoFolder) => None,
        Err(error) => Some(format!("{error}: estimates are not calibrated")),
    }
}
