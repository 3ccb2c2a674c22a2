//! Corrected estimates of tokens: a provider counts samples of a repository once.

use std::path::PathBuf;

use loom_host::{
    Calibrations, Chosen, Measured, PackRun, ProviderTexts, Samples, calibrated_folder,
    chosen_models, write_atomically,
};
use loom_models::Estimator;
use loom_wire::{
    CalibrateCall, CalibrationInfo, CalibrationRemovedInfo, FORMAT_VERSION, NoticeInfo,
};

use super::call::{callable, model_name, model_named};
use super::runs;
use crate::provider::{Provider, Subject, check_user_data};
use crate::{Control, Error, Infiniloom, Model, Result, Snapshot, results};

/// A calibration: a provider counts samples of the files, and the factor between its counts and the
/// estimates is saved in the user's data. It corrects later estimates for the repository.
///
/// It sends at most two samples to the counting endpoint of the model's vendor, with the key in
/// the user's environment. [`Control::before_sending`] reports them first. The engine must use
/// the user's settings.
#[derive(Clone, Debug, Default)]
pub struct Calibrate {
    model: Option<Model>,
}

/// An estimator and the repository that it is calibrated for.
struct Target {
    chosen: Chosen,
    estimator: Estimator,
    directory: PathBuf,
}

impl Calibrate {
    /// Calibrates for the model of the settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calibrates for this model.
    #[must_use]
    pub fn model(mut self, model: &Model) -> Self {
        self.model = Some(model.clone());
        self
    }

    /// Removes the calibration of the repository and the model. Sends nothing.
    ///
    /// # Errors
    /// If the model is counted exactly, the repository has several roots, or the user's data
    /// cannot be read or written.
    pub fn remove(&self, snapshot: &Snapshot) -> Result<CalibrationRemovedInfo> {
        Control::new().run(|| {
            let target = self.target(snapshot)?;
            // Without a calibration, the file stays unchanged.
            let known = Calibrations::read()?.get(&target.directory, target.estimator);
            if known.is_some() {
                let mut known = Calibrations::lock()?;
                known.remove(&target.directory, target.estimator);
                known.save(write_atomically)?;
            }
            Ok(CalibrationRemovedInfo {
                format_version: FORMAT_VERSION,
                model: target.chosen.model.name.clone(),
                estimator: target.estimator.name().to_owned(),
                directory: target.directory.to_string_lossy().into_owned(),
                removed: known.is_some(),
                notices: target.notices(),
            })
        })
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<CalibrationInfo> {
        let target = self.target(snapshot)?;
        let reader = snapshot.reader();
        let named_by = match &self.model {
            Some(_) => None,
            None => Some(&*reader.resolved),
        };
        let provider = Provider::new(&reader.engine, &target.chosen, named_by)?;
        let session = reader.session_for(target.chosen.clone(), control)?;
        let survey = PackRun::new(&session.packer, &*session.progress, &session.cancel).survey()?;
        let samples = ProviderTexts::new(&session.packer, &survey).samples();
        check_size(&samples)?;
        let measured = target.measure(&provider, &samples, control)?;
        let mut notices = target.notices();
        notices.extend(target.keep(&measured)?);
        notices.extend(session.cache_notice());
        let info = results::calibration::info(
            &target.chosen.model,
            target.estimator.name(),
            provider.endpoint(),
            &samples,
            &measured,
            &target.directory,
        );
        Ok(CalibrationInfo { notices, ..info })
    }

    fn target(&self, snapshot: &Snapshot) -> Result<Target> {
        let reader = snapshot.reader();
        check_user_data(&reader.engine, "it contains the calibrations")?;
        let Some(directory) = calibrated_folder(reader.packer.source()) else {
            let message = "expected one repository, found several";
            return Err(Error::invalid("several_roots", message));
        };
        let chosen = match &self.model {
            Some(model) => model.chosen(),
            None => one_model(chosen_models(&reader.resolved)?)?,
        };
        let Some(estimator) = chosen.model.tokenizer.estimator() else {
            let name = &chosen.model.name;
            let message = format!("{name} is counted exactly here: there is nothing to calibrate");
            let hint = "name a model whose tokens are estimated, such as sonnet";
            return Err(Error::invalid("counted_exactly", message).with_hint(hint.to_owned()));
        };
        Ok(Target {
            chosen,
            estimator,
            directory,
        })
    }
}

runs!(Calibrate => CalibrationInfo);
callable!(Calibrate => CalibrationInfo);

impl Calibrate {
    fn call(&self) -> Result<CalibrateCall> {
        let Self { model } = self;
        Ok(CalibrateCall {
            model: model_name(model.as_ref()),
        })
    }

    fn of_call(call: &CalibrateCall, engine: &Infiniloom) -> Result<Self> {
        let CalibrateCall { model } = call;
        Ok(Self {
            model: model_named(model.as_ref(), engine)?,
        })
    }
}

impl Target {
    fn notices(&self) -> Vec<NoticeInfo> {
        let notes = self.chosen.notes.iter();
        notes.map(|note| NoticeInfo::new("note", note)).collect()
    }

    fn measure(
        &self,
        provider: &Provider,
        samples: &Samples,
        control: &Control,
    ) -> Result<Measured> {
        let subject = Subject::Samples {
            files: samples.files,
        };
        let counted = provider.count_all(samples.texts.clone(), subject, control)?;
        let tokenizer = &self.chosen.model.tokenizer;
        let estimated = samples
            .texts
            .iter()
            .map(|text| tokenizer.count(text).likely());
        let counts: Vec<_> = estimated.zip(counted).collect();
        let measured = Measured::of(&counts);
        match measured.calibration() {
            Some(_) => Ok(measured),
            None => {
                let message = format!(
                    "{} counted {} tokens where about {} were expected: nothing is kept",
                    provider.host(),
                    measured.counted,
                    measured.estimated
                );
                Err(Error::with_message(
                    crate::ErrorKind::Unavailable,
                    "provider_failed",
                    message,
                ))
            }
        }
    }

    /// Saves the factor. Returns a notice if the calibrations file was unreadable and was renamed.
    fn keep(&self, measured: &Measured) -> Result<Option<NoticeInfo>> {
        let (mut known, aside) = Calibrations::lock_or_set_aside()?;
        known.set(
            &self.directory,
            self.estimator,
            &self.chosen.model.name,
            measured,
        );
        known.save(write_atomically)?;
        Ok(aside.map(|aside| {
            let path = known.path().display();
            let message = format!(
                "{path} held no calibrations, and is now {}",
                aside.display()
            );
            NoticeInfo::new("renamed", message)
        }))
    }
}

fn one_model(mut chosen: Vec<Chosen>) -> Result<Chosen> {
    match (chosen.pop(), chosen.is_empty()) {
        (Some(one), true) => Ok(one),
        _ => {
            let hint = "calibrate for one after the other";
            let message = "expected one model, found several";
            Err(Error::invalid("several_models", message).with_hint(hint.to_owned()))
        }
    }
}

fn check_size(samples: &Samples) -> Result<()> {
    if samples.bytes() >= Samples::LEAST {
        return Ok(());
    }
    let message = format!(
        "too little text to calibrate by: expected {} bytes, found {} bytes",
        Samples::LEAST,
        samples.bytes()
    );
    Err(Error::invalid("too_little_text", message))
}
