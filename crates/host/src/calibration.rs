//! Calibrates an estimator with a provider's own counts of a repository's text, and applies the
//! result. `loom-llm` owns samples, factors and their file.

use std::fs;
use std::path::PathBuf;

use loom_llm::{CalibrationError, Calibrations, ProviderError, Samples, push_lines};
use loom_models::Model;
use loom_source::Source;

use crate::Packer;
use crate::current::Current;
use crate::scale::Ready;
use crate::survey::Survey;

/// The texts of surveyed files, for a provider that counts them.
#[derive(Clone, Copy, Debug)]
pub struct ProviderTexts<'a> {
    packer: &'a Packer,
    survey: &'a Survey,
}

impl<'a> ProviderTexts<'a> {
    /// Creates the texts of the files of `survey`.
    pub fn new(packer: &'a Packer, survey: &'a Survey) -> Self {
        Self { packer, survey }
    }

    /// Selects samples of the files, spread over the languages by share. The same files always give
    /// the same samples.
    pub fn samples(self) -> Samples {
        let mut files: Vec<_> = self.survey.files.iter().collect();
        files.sort_by_key(|file| file.meta.language_id());
        let sizes: Vec<_> = files.iter().map(|file| file.meta.bytes).collect();
        Samples::of(&sizes, |at| {
            Some(Ready::read(self.packer, files[at]).ok()?.text)
        })
    }

    /// Joins the texts of all files for one request.
    ///
    /// # Errors
    /// If they are too large for one request.
    pub fn joined(self) -> Result<String, ProviderError> {
        let Self { packer, survey } = self;
        let bytes = survey.files().map(|file| file.bytes).sum();
        ProviderError::check_size(bytes)?;
        let mut joined = String::with_capacity(bytes + survey.files.len());
        for file in &survey.files {
            push_lines(&mut joined, &Current::read(packer, file).text);
        }
        Ok(joined)
    }
}

/// Returns the directory whose calibration applies: the only root of the source. Sources with
/// several roots and remote sources have none.
pub fn calibrated_folder(source: &Source) -> Option<PathBuf> {
    let folder = source.folder().filter(|_| source.roots().count() == 1)?;
    fs::canonicalize(folder).ok()
}

/// Applies the stored calibration of the repository to `model`, if there is one. Returns a warning
/// if the calibrations cannot be read.
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
