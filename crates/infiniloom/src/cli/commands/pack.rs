//! `infiniloom pack`: a repository as one text.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use loom_host::{
    Cancel, Clip, OutputFile, Packer, Source, Survey, Written, pack_options, report,
    write_atomically,
};
use loom_settings::{Group, Resolved, Settings};

use crate::cli::error::CliError;
use crate::cli::interrupt::{cancel_on_interrupt, set_unfinished};
use crate::cli::outputs::Outputs;
use crate::cli::progress::ProgressLine;
use crate::cli::ui::Ui;
use crate::cli::{clipboard, flags, summary};

const GROUPS: &[Group] = &[Group::Pack, Group::Scan, Group::Model];

/// More than this is not poured onto a terminal.
const SCREENFUL: usize = 64 * 1024;

pub(super) fn command() -> Command {
    let command = Command::new("pack")
        .about("Pack a repository into one text for a language model")
        .after_help(
            "Examples:\n  infiniloom pack . -o repo.xml\n  infiniloom pack src docs --format markdown | less\n  \
             infiniloom pack --include '*.rs' --dry-run --tree",
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::AnyPath)
                .num_args(0..)
                .help("Folders or files; the current folder when none is given"),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Say what would be packed, write nothing"),
        );
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let started = Instant::now();
    let paths: Vec<PathBuf> = match matches.get_many("path") {
        Some(paths) => paths.cloned().collect(),
        None => vec![PathBuf::from(".")],
    };
    let source = Source::open(&paths)?;
    let resolved = super::config::config_files(matches)
        .resolve(Some(&source), flags::layer(matches, GROUPS))?;
    let ui = Ui::new(&resolved.settings().ui);
    let run = Run::new(source, &resolved, ui, started);
    run.and_then(|run| run.run(matches.get_flag("dry-run")))
        .map_err(|error| error.told_by(ui))?;
    Ok(ExitCode::SUCCESS)
}

/// One run of the command.
struct Run<'a> {
    packer: Packer,
    settings: &'a Settings,
    ui: Ui,
    outputs: Outputs,
    cancel: Cancel,
    started: Instant,
}

impl<'a> Run<'a> {
    fn new(
        source: Source,
        resolved: &'a Resolved,
        ui: Ui,
        started: Instant,
    ) -> Result<Self, CliError> {
        let settings = resolved.settings();
        let outputs = Outputs::new(settings, &source)?;
        let packer = Packer::new(source, pack_options(resolved, &outputs.all())?);
        Ok(Self {
            packer,
            settings,
            ui,
            outputs,
            cancel: cancel_on_interrupt(),
            started,
        })
    }

    fn run(&self, is_dry: bool) -> Result<(), CliError> {
        let progress = ProgressLine::new(self.ui);
        let survey = self.packer.survey(&progress, &self.cancel)?;
        drop(progress);
        if is_dry {
            survey
                .warnings
                .iter()
                .for_each(|warning| self.ui.warn(warning));
            return super::print(&summary::survey(
                &survey,
                &self.settings.pack,
                Ui::on_standard_output(&self.settings.ui),
                summary::Detail::Everything,
            ));
        }
        if self.is_too_much_for_the_terminal(&survey) {
            self.describe(&survey);
            let size = summary::size(survey.overview.bytes);
            self.ui.hint(&format!("{size} are not poured onto the terminal: use -o FILE, a pipe, or -o - to see it all"));
            return Ok(());
        }
        let written = self.write(&survey)?;
        self.describe(&survey);
        let warnings = self.warnings(&survey, &written);
        self.ui.say(&summary::written(
            &written,
            &self.target(),
            self.started.elapsed(),
            self.packer.options(),
        ));
        warnings.iter().for_each(|warning| self.ui.warn(warning));
        self.write_report(&survey, &written, warnings)
    }

    fn is_too_much_for_the_terminal(&self, survey: &Survey) -> bool {
        let to_terminal =
            self.outputs.pack.is_none() && !self.outputs.pack_is_stdout && !self.settings.pack.copy;
        to_terminal && survey.overview.bytes > SCREENFUL && std::io::stdout().is_terminal()
    }

    fn write(&self, survey: &Survey) -> Result<Written, CliError> {
        if self.settings.pack.copy {
            return self.write_and_copy(survey);
        }
        self.write_out(survey)
    }

    fn write_and_copy(&self, survey: &Survey) -> Result<Written, CliError> {
        let failed = |error| CliError::io("cannot copy", &error);
        if let Some(path) = &self.outputs.pack {
            let written = self.write_out(survey)?;
            clipboard::copy(
                &mut Clip::open(path).map_err(failed)?,
                &self.packer,
                self.ui,
            )?;
            return Ok(written);
        }
        let mut clip = Clip::new().map_err(failed)?;
        let written = {
            let progress = ProgressLine::new(self.ui);
            let mut out = BufWriter::with_capacity(1 << 18, &mut clip);
            self.packer
                .write(survey, &mut out, &progress, &self.cancel)?
        };
        clipboard::copy(&mut clip, &self.packer, self.ui)?;
        if self.outputs.pack_is_stdout {
            let poured = clip.write_to(&mut std::io::stdout().lock());
            poured.map_err(|error| CliError::io("cannot write the output", &error))?;
        }
        Ok(written)
    }

    fn write_out(&self, survey: &Survey) -> Result<Written, CliError> {
        let progress = ProgressLine::new(self.ui);
        let Some(path) = &self.outputs.pack else {
            let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
            return Ok(self
                .packer
                .write(survey, &mut out, &progress, &self.cancel)?);
        };
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        let mut file = OutputFile::create(path).map_err(failed)?;
        set_unfinished(file.temporary_path());
        let written = self
            .packer
            .write(survey, &mut file, &progress, &self.cancel)?;
        file.finish().map_err(failed)?;
        set_unfinished(None);
        Ok(written)
    }

    fn target(&self) -> String {
        match &self.outputs.pack {
            Some(path) => path.display().to_string(),
            None if self.settings.pack.copy && !self.outputs.pack_is_stdout => {
                "the clipboard".to_owned()
            }
            None => "standard output".to_owned(),
        }
    }

    fn describe(&self, survey: &Survey) {
        let detail = if self.ui.verbose > 0 {
            summary::Detail::Everything
        } else {
            summary::Detail::Brief
        };
        self.ui
            .say(summary::survey(survey, &self.settings.pack, self.ui, detail).trim_end());
    }

    fn warnings(&self, survey: &Survey, written: &Written) -> Vec<String> {
        let mut warnings = summary::warnings(survey, written);
        let options = self.packer.options();
        warnings.extend(options.notes.iter().cloned());
        let window = options.model.limits.window;
        if written.tokens.upper() > window {
            warnings.push(format!(
                "{} are more than the window of {} ({})",
                summary::at_most(written.tokens),
                self.settings.model.name,
                summary::number(window)
            ));
        }
        warnings
    }

    fn write_report(
        &self,
        survey: &Survey,
        written: &Written,
        warnings: Vec<String>,
    ) -> Result<(), CliError> {
        let Some(path) = &self.outputs.report else {
            return Ok(());
        };
        let report = report(self.packer.options(), survey, written, warnings);
        let text = serde_json::to_string_pretty(&report)
            .map_err(|error| CliError::user(error.to_string()))?
            + "\n";
        if path == Path::new("-") {
            // The pack may be there too; the report follows it.
            let mut out = std::io::stdout().lock();
            return out
                .write_all(text.as_bytes())
                .map_err(|error| CliError::io("cannot write the report", &error));
        }
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        write_atomically(path, &text).map_err(failed)
    }
}
