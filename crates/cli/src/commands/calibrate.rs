//! `infiniloom calibrate`: has a provider count samples of a repository, and corrects
//! estimates for it from then on.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::host::{
    Calibrations, Chosen, Endpoint, Measured, NoProgress, Packer, Samples, Source,
    calibrated_folder, chosen_models, pack_options, printable, write_atomically,
};
use infiniloom::results;
use loom_models::{Estimator, Model};
use loom_settings::{Group, Resolved};
use loom_wire::CalibrationInfo;

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::numbers::{number, size};
use crate::outputs::Outputs;
use crate::ui::Ui;
use crate::{exact, flags};

const GROUPS: &[Group] = &[Group::Scan, Group::Model];

pub(super) fn command() -> Command {
    let command = Command::new("calibrate")
        .about("Correct the token estimates for a repository by counts of the provider")
        .long_about(
            "Correct the token estimates for a repository by counts of the provider\n\n\
             Sends two samples of at most 200 kB of its files to the provider's counting \
             endpoint, or one where there is little text, and keeps the factor in your own data folder. \
             The key is read from ANTHROPIC_API_KEY, or from GEMINI_API_KEY or GOOGLE_API_KEY; \
             ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL name a gateway.",
        )
        .after_help("Examples:\n  infiniloom calibrate --model sonnet\n  infiniloom calibrate --model sonnet --forget")
        .arg(super::paths_arg("Folders or files of one repository; the current folder when none is given"))
        .arg(
            Arg::new("forget")
                .long("forget")
                .action(ArgAction::SetTrue)
                .help("Forget what is known for the repository and model; nothing is sent"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = super::paths(matches);
    let source = Source::open(&paths)?;
    let layer = flags::layer(matches, GROUPS);
    let resolved = super::config::resolve(matches, Some(&source), layer)?;
    let ui = Ui::new(&resolved.settings().ui);
    let subject = Subject::find(&source, &resolved, ui)?;
    if matches.get_flag("forget") {
        return subject.forget(ui);
    }
    let endpoint = subject.endpoint(&resolved)?;
    let samples = subject.samples(source, &resolved)?;
    let measured = subject.measure(&endpoint, &samples, ui)?;
    subject.keep(&measured, ui)?;
    let estimator = subject.estimator.name();
    let info = results::calibration::info(
        &subject.model,
        estimator,
        &endpoint,
        &samples,
        &measured,
        &subject.folder,
    );
    match super::wants_json(matches) {
        true => super::print_json(&info)?,
        false => super::print(&subject.describe(&info))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is calibrated: an estimator for a repository.
struct Subject {
    folder: PathBuf,
    model: Model,
    /// As the user called it.
    typed: String,
    estimator: Estimator,
}

impl Subject {
    fn find(source: &Source, resolved: &Resolved, ui: Ui) -> Result<Self, CliError> {
        let Some(folder) = calibrated_folder(source) else {
            return Err(CliError::user("expected one repository, found several"));
        };
        let mut chosen = chosen_models(resolved)?;
        let (
            Some(Chosen {
                model,
                typed,
                notes,
                ..
            }),
            true,
        ) = (chosen.pop(), chosen.is_empty())
        else {
            return Err(CliError::user("expected one model, found several")
                .hint("calibrate for one after the other: --model NAME"));
        };
        notes.iter().for_each(|note| ui.warn(note));
        let Some(estimator) = model.tokenizer.estimator() else {
            let name = &model.name;
            return Err(CliError::user(format!(
                "{name} is counted exactly here: there is nothing to calibrate"
            ))
            .hint("name a model whose tokens are estimated, such as --model sonnet"));
        };
        Ok(Self {
            folder,
            model,
            typed,
            estimator,
        })
    }

    fn forget(&self, ui: Ui) -> Result<ExitCode, CliError> {
        // Nothing is written for what is not there.
        let known = Calibrations::read()?.get(&self.folder, self.estimator);
        let words = match known {
            Some(_) => {
                let mut known = Calibrations::lock()?;
                known.remove(&self.folder, self.estimator);
                known.save(write_atomically)?;
                "forgot the calibration of"
            }
            None => "there is no calibration of",
        };
        ui.say(&format!("{words} {}", self.name()));
        Ok(ExitCode::SUCCESS)
    }

    fn endpoint(&self, resolved: &Resolved) -> Result<Endpoint, CliError> {
        exact::check_choice(resolved)?;
        Ok(Endpoint::from_environment(&self.model, &self.typed)?)
    }

    fn samples(&self, source: Source, resolved: &Resolved) -> Result<Samples, CliError> {
        let outputs = Outputs::locate(resolved.settings(), &source).all();
        let mut options = pack_options(resolved, &outputs)?;
        options.model = self.model.clone();
        let packer = Packer::new(source, options);
        let survey = packer.survey(&NoProgress, &cancel_on_interrupt())?;
        let samples = packer.samples(&survey);
        if samples.bytes() < Samples::LEAST {
            let (found, least) = (size(samples.bytes()), size(Samples::LEAST));
            let message =
                format!("too little text to calibrate by: expected {least}, found {found}");
            return Err(CliError::user(message));
        }
        Ok(samples)
    }

    fn measure(
        &self,
        endpoint: &Endpoint,
        samples: &Samples,
        ui: Ui,
    ) -> Result<Measured, CliError> {
        ui.say(&format!(
            "sending {} of {}, {} in {}, to {} to be counted for {}",
            match samples.texts.len() {
                1 => "the text",
                _ => "samples",
            },
            exact::files(samples.files),
            size(samples.bytes()),
            requests(samples.texts.len()),
            endpoint.host(),
            self.model.name,
        ));
        let mut texts = Vec::new();
        for text in &samples.texts {
            let estimated = self.model.tokenizer.count(text).likely();
            texts.push((estimated, endpoint.count(text)?));
        }
        let measured = Measured::of(&texts);
        match measured.calibration() {
            Some(_) => Ok(measured),
            None => Err(CliError::user(format!(
                "{} counted {} tokens where about {} were expected: nothing is kept",
                endpoint.host(),
                number(measured.counted),
                number(measured.estimated),
            ))),
        }
    }

    fn keep(&self, measured: &Measured, ui: Ui) -> Result<(), CliError> {
        let (mut known, aside) = Calibrations::lock_or_set_aside()?;
        if let Some(aside) = aside {
            ui.warn(&format!(
                "{} held no calibrations, and is now {}",
                known.path().display(),
                aside.display()
            ));
        }
        known.set(&self.folder, self.estimator, &self.model.name, measured);
        Ok(known.save(write_atomically)?)
    }

    fn describe(&self, info: &CalibrationInfo) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let spread = match info.spread {
            Some(spread) => format!("the two samples differ by {}", percent(spread)),
            None => "one sample".to_owned(),
        };
        format!(
            "{}: estimated ~{} tokens, counted {}\nfactor {:.3}, band ±{} ({spread})\n\
             kept for {}; --forget removes it\n",
            info.model,
            number(info.estimated_tokens),
            number(info.counted_tokens),
            info.factor,
            percent(info.band),
            self.name(),
        )
    }

    /// What is calibrated, in words.
    fn name(&self) -> String {
        format!("{} in {}", self.estimator.name(), shown(&self.folder))
    }
}

fn requests(count: usize) -> String {
    match count {
        1 => "1 request".to_owned(),
        count => format!("{count} requests"),
    }
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).to_string()
}
