//! `infiniloom pack`: a repository as one text.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::host::{
    Cancel, Counted, Limit, OutputFile, Packer, Source, Survey, Written, apply_calibration,
    chosen_models, pack_options, report, write_atomically,
};
use loom_settings::{Extent, Group, Resolved, Settings};

use crate::clip::Clip;
use crate::error::{CliError, Kind};
use crate::exact::{self, Kept};
use crate::interrupt::{add_unfinished, cancel_on_interrupt, set_finished};
use crate::outputs::Outputs;
use crate::progress::ProgressLine;
use crate::ui::Ui;
use crate::{clipboard, flags, numbers, parts, sources, summary};

const GROUPS: &[Group] = &[
    Group::Pack,
    Group::Scan,
    Group::Model,
    Group::Privacy,
    Group::Secrets,
];

/// More than this is not poured onto a terminal.
const SCREENFUL: usize = 64 * 1024;

pub(super) fn command() -> Command {
    let command = Command::new("pack")
        .about("Pack a repository into one text for a language model")
        .after_help(
            "Examples:\n  infiniloom pack . -o repo.xml\n  infiniloom pack src docs --format markdown | less\n  \
             infiniloom pack --include '*.rs' --dry-run --tree\n  \
             infiniloom pack --rev v1.0 src\n  \
             infiniloom pack https://github.com/owner/repo/tree/main/docs\n  \
             git diff --name-only -z | infiniloom pack --stdin",
        )
        .args(sources::args())
        .arg(exact::arg())
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
    let cancel = cancel_on_interrupt();
    let config = super::config::config_files(matches);
    // What a repository says is known only when it is open; what is wrong in other
    // settings is then told together with what is wrong in its own.
    let users = config.resolve(None, flags::layer(matches, GROUPS));
    let ui = users.map_or_else(|_| Ui::fallback(), |users| Ui::new(&users.settings().ui));
    let source = sources::open(matches, &cancel, ui).map_err(|error| error.told_by(ui))?;
    let resolved = super::config::resolve(matches, Some(&source), flags::layer(matches, GROUPS))?;
    let ui = Ui::new(&resolved.settings().ui);
    let exact = kept(matches, &resolved).map_err(|error| error.told_by(ui))?;
    let run = Run::new(source, &resolved, ui, cancel, started);
    run.and_then(|run| run.with(exact).run(matches.get_flag("dry-run")))
        .map_err(|error| error.told_by(ui))?;
    Ok(ExitCode::SUCCESS)
}

/// What keeps the output for a provider to count, where that was asked for.
fn kept(matches: &ArgMatches, resolved: &Resolved) -> Result<Option<Kept>, CliError> {
    if !matches.get_flag("exact") {
        return Ok(None);
    }
    if resolved.settings().pack.split.is_some() {
        let error = CliError::user("--exact counts one output, and --split writes several");
        return Err(error.hint("leave one of them out"));
    }
    let chosen = chosen_models(resolved)?;
    let endpoint = chosen
        .first()
        .map(|chosen| exact::endpoint(matches, resolved, chosen));
    Ok(endpoint.transpose()?.flatten().map(Kept::new))
}

fn limit(extent: Extent) -> Limit {
    match extent {
        Extent::Tokens(tokens) => {
            Limit::Tokens(usize::try_from(tokens.tokens()).unwrap_or(usize::MAX))
        }
        Extent::Bytes(size) => Limit::Bytes(usize::try_from(size.bytes()).unwrap_or(usize::MAX)),
    }
}

/// What a run wrote.
struct Done {
    written: Written,
    /// Where, in words.
    target: String,
    /// The tokens of the largest file that was written.
    largest: Counted,
    /// Parts of an earlier run that lie beside it.
    stale: Vec<PathBuf>,
}

/// One run of the command.
struct Run<'a> {
    packer: Packer,
    settings: &'a Settings,
    ui: Ui,
    outputs: Outputs,
    /// The output, where a provider is to count it.
    exact: Option<Kept>,
    cancel: Cancel,
    started: Instant,
}

impl<'a> Run<'a> {
    fn new(
        source: Source,
        resolved: &'a Resolved,
        ui: Ui,
        cancel: Cancel,
        started: Instant,
    ) -> Result<Self, CliError> {
        let settings = resolved.settings();
        let outputs = Outputs::new(settings, &source)?;
        for path in &outputs.homeless {
            let path = path.display();
            ui.warn(&format!("the repository's settings ask to write {path}: not done, it has no folder of its own here"));
        }
        let mut options = pack_options(resolved, &outputs.all())?;
        let note = apply_calibration(&source, &mut options.model);
        options.notes.extend(note);
        Ok(Self {
            packer: Packer::new(source, options),
            settings,
            ui,
            outputs,
            exact: None,
            cancel,
            started,
        })
    }

    fn with(self, exact: Option<Kept>) -> Self {
        Self { exact, ..self }
    }

    fn run(&self, is_dry: bool) -> Result<(), CliError> {
        let mut survey = self.survey()?;
        if is_dry {
            return self.run_dry(&survey);
        }
        if self.is_too_much_for_the_terminal(&survey) {
            self.describe(&survey);
            let size = numbers::size(survey.overview.bytes);
            self.ui.hint(&format!("{size} are not poured onto the terminal: use -o FILE, a pipe, or -o - to see it all"));
            let (written, largest) = self.measure(&survey)?;
            return self.conclude(&survey, &written, self.warnings(&survey, &written, largest));
        }
        let mut done = self.write(&survey)?;
        // Files that changed after the survey were looked at again.
        survey.secrets = survey.found_secrets();
        self.describe(&survey);
        self.count_exactly(&mut done.written)?;
        if self.exact.is_some() {
            done.largest = done.written.tokens;
        }
        let mut warnings = self.warnings(&survey, &done.written, done.largest);
        warnings.extend(done.stale.iter().map(|path| {
            format!(
                "{} is a part of an earlier run, not of this one",
                path.display()
            )
        }));
        self.ui.say(&summary::written(
            &done.written,
            &done.target,
            self.started.elapsed(),
            &self.how(),
        ));
        self.conclude(&survey, &done.written, warnings)
    }

    fn conclude(
        &self,
        survey: &Survey,
        written: &Written,
        warnings: Vec<String>,
    ) -> Result<(), CliError> {
        warnings.iter().for_each(|warning| self.ui.warn(warning));
        self.write_report(survey, written, warnings)?;
        self.check_size(written.tokens)
    }

    /// What would be written, and the tokens of the largest file of it.
    fn measure(&self, survey: &Survey) -> Result<(Written, Counted), CliError> {
        if let Some(split) = self.settings.pack.split {
            let parts = parts::measure(&self.packer, survey, limit(split), &self.cancel)?;
            return Ok((parts.together(), parts.largest()));
        }
        let mut written = self.pour(survey, &mut std::io::sink())?;
        self.count_exactly(&mut written)?;
        let largest = written.tokens;
        Ok((written, largest))
    }

    /// Finds what there is, and of it what the budget holds.
    fn survey(&self) -> Result<Survey, CliError> {
        let progress = ProgressLine::new(self.ui);
        let survey = self.packer.survey(&progress, &self.cancel)?;
        let survey = match self.settings.pack.budget {
            Some(budget) => {
                let budget = usize::try_from(budget.tokens()).unwrap_or(usize::MAX);
                self.packer.fit(survey, budget, &progress, &self.cancel)?
            }
            None => survey,
        };
        drop(progress);
        self.ui.warn_of_cache(&self.packer);
        Ok(survey)
    }

    fn run_dry(&self, survey: &Survey) -> Result<(), CliError> {
        let text = summary::survey(
            survey,
            &self.settings.pack,
            Ui::on_standard_output(&self.settings.ui),
            summary::Detail::Everything,
        );
        let (written, largest) = self.measure(survey)?;
        if !self.ui.quiet {
            let size = numbers::size(written.bytes);
            let tokens = summary::counted(written.tokens);
            super::print(&format!(
                "{text}the pack would have {size}, {tokens} tokens\n"
            ))?;
        }
        let warnings = self.warnings(survey, &written, largest);
        warnings.iter().for_each(|warning| self.ui.warn(warning));
        self.check_size(written.tokens)
    }

    fn check_size(&self, tokens: Counted) -> Result<(), CliError> {
        let most = self.settings.pack.fail_over;
        match most.and_then(|most| usize::try_from(most.tokens()).ok()) {
            Some(most) if tokens.upper() > most => {
                let (tokens, most) = (summary::at_most(tokens), numbers::number(most));
                let tokens = tokens.trim_end_matches(',');
                let message = format!("the pack has {tokens}, more than {most} (--fail-over)");
                Err(CliError::new(Kind::Refused, message))
            }
            _ => Ok(()),
        }
    }

    fn is_too_much_for_the_terminal(&self, survey: &Survey) -> bool {
        let to_terminal =
            self.outputs.pack.is_none() && !self.outputs.pack_is_stdout && !self.settings.pack.copy;
        to_terminal && survey.overview.bytes > SCREENFUL && std::io::stdout().is_terminal()
    }

    fn write(&self, survey: &Survey) -> Result<Done, CliError> {
        if let (Some(split), Some(output)) = (self.settings.pack.split, &self.outputs.pack) {
            let limit = limit(split);
            let parts = parts::write(&self.packer, survey, limit, output, self.ui, &self.cancel)?;
            return Ok(Done {
                written: parts.together(),
                target: parts.target(),
                largest: parts.largest(),
                stale: parts.stale,
            });
        }
        let written = match self.settings.pack.copy {
            true => self.write_and_copy(survey)?,
            false => self.write_out(survey)?,
        };
        Ok(Done {
            largest: written.tokens,
            written,
            target: self.target(),
            stale: Vec::new(),
        })
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
        let written = self.pour(survey, &mut BufWriter::with_capacity(1 << 18, &mut clip))?;
        clipboard::copy(&mut clip, &self.packer, self.ui)?;
        if self.outputs.pack_is_stdout {
            let poured = clip.write_to(&mut std::io::stdout().lock());
            poured.map_err(|error| CliError::io("cannot write the output", &error))?;
        }
        Ok(written)
    }

    fn write_out(&self, survey: &Survey) -> Result<Written, CliError> {
        let Some(path) = &self.outputs.pack else {
            let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
            return self.pour(survey, &mut out);
        };
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        let mut file = OutputFile::create(path).map_err(failed)?;
        let temporary = file.temporary_path().map(Path::to_owned);
        temporary.iter().for_each(|path| add_unfinished(path));
        let written = self.pour(survey, &mut file)?;
        file.finish().map_err(failed)?;
        temporary.iter().for_each(|path| set_finished(path));
        Ok(written)
    }

    /// Writes the pack to `out`, and keeps it where it is to be counted.
    fn pour(&self, survey: &Survey, out: &mut dyn Write) -> Result<Written, CliError> {
        let progress = ProgressLine::new(self.ui);
        let written = match &self.exact {
            Some(kept) => {
                let out = &mut kept.beside(out);
                self.packer.write(survey, out, &progress, &self.cancel)
            }
            None => self.packer.write(survey, out, &progress, &self.cancel),
        };
        Ok(written?)
    }

    /// How the tokens of the output were counted.
    fn how(&self) -> String {
        match &self.exact {
            Some(kept) => format!("counted by {}", kept.host()),
            None => self.packer.options().model.tokenizer.label().into_owned(),
        }
    }

    /// Puts the provider's count in the place of an estimate.
    fn count_exactly(&self, written: &mut Written) -> Result<(), CliError> {
        if let Some(kept) = &self.exact {
            written.tokens = Counted::Exact(kept.count(self.ui)?);
        }
        Ok(())
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

    fn warnings(&self, survey: &Survey, written: &Written, largest: Counted) -> Vec<String> {
        let mut warnings = summary::warnings(survey, written);
        if survey.files().len() == 0 && self.settings.scan.changed.is_none() {
            warnings.push("no file is packed: nothing is there, or rules and budget leave all of it out (-v names what)".to_owned());
        }
        let options = self.packer.options();
        warnings.extend(options.notes.iter().cloned());
        let limits = options.model.limits;
        if largest.upper() > limits.prompt() {
            let what = match limits.prompt() < limits.window {
                true => "a prompt",
                false => "the window",
            };
            warnings.push(format!(
                "{} are more than {what} of {} ({})",
                summary::at_most(largest),
                self.settings.model.name,
                numbers::number(limits.prompt())
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
        let mut report = report(self.packer.options(), survey, written, warnings);
        report.output.counted_by = self.exact.as_ref().map(|kept| kept.host().to_owned());
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
