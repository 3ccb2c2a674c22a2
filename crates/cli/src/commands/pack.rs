//! `infiniloom pack`: a repository as one text.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::{
    Control, Infiniloom, OutputFile, Pack, PackOutputs, PackPlan, WrittenPack, existing_parts,
    part_path,
};
use loom_settings::Group;
use loom_wire::{OutputInfo, PackPlanInfo, Report};

use crate::clip::Clip;
use crate::error::{CliError, ExitKind};
use crate::interrupt::{add_unfinished, set_finished};
use crate::library::{self, Opened};
use crate::ui::Ui;
use crate::{clipboard, exact, flags, numbers, progress, sources, summary};

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
    // What a repository says is known only when it is open; what is wrong in other
    // settings is then told together with what is wrong in its own.
    let engine = library::unchecked_engine(matches, GROUPS);
    let ui = library::ui(&engine.settings());
    let opened = sources::open(matches, &engine, ui, &library::control(ui));
    let opened = opened.map_err(|error| match missing_path(matches, &engine) {
        Some(word) => error.hint(format!(
            "`--diff` and `--staged` take no revision; pass `--since {word}` to compare with one"
        )),
        None => error,
    })?;
    let ui = opened.ui;
    let is_exact = matches.get_flag("exact");
    if is_exact && opened.values().pack.split.is_some() {
        let error = CliError::user("--exact counts one output, and --split writes several");
        return Err(error.hint("leave one of them out").told_by(ui));
    }
    let run = Run::new(opened, Pack::new().exact(is_exact), started);
    run.and_then(|run| run.run(matches.get_flag("dry-run")))
        .map_err(|error| error.told_by(ui))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the first path that does not exist, if it may be a revision that the user typed after
/// `--diff` or `--staged`.
fn missing_path<'m>(matches: &'m ArgMatches, engine: &Infiniloom) -> Option<&'m str> {
    let settings = engine.settings();
    let pack = &settings.resolved().settings().pack;
    let mut paths = matches.get_many::<PathBuf>("path")?;
    let path = paths.find(|path| !path.exists())?;
    path.to_str().filter(|_| pack.diff || pack.staged)
}

/// What a run wrote.
struct Done {
    written: Vec<WrittenPack>,
    /// Where, in words.
    target: String,
    /// Parts of an earlier run that lie beside it.
    stale: Vec<PathBuf>,
}

/// One run of the command.
struct Run {
    opened: Opened,
    query: Pack,
    outputs: PackOutputs,
    ui: Ui,
    control: Control,
    started: Instant,
}

impl Run {
    fn new(opened: Opened, query: Pack, started: Instant) -> Result<Self, CliError> {
        let ui = opened.ui;
        let outputs = opened.repository.pack_outputs()?;
        for path in &outputs.homeless {
            let path = path.display();
            ui.warn(&format!("the repository's settings ask to write {path}: not done, it has no folder of its own here"));
        }
        Ok(Self {
            opened,
            query,
            outputs,
            ui,
            control: library::control(ui),
            started,
        })
    }

    fn settings(&self) -> &loom_settings::Pack {
        &self.opened.values().pack
    }

    fn run(&self, is_dry: bool) -> Result<(), CliError> {
        let plan = self.plan()?;
        if is_dry {
            return self.run_dry(&plan);
        }
        let info = plan.info();
        if self.is_too_much_for_the_terminal(info.statistics.bytes) {
            self.describe(&info);
            let size = numbers::size(info.statistics.bytes);
            self.ui.hint(&format!(
                "use `-o FILE` or a pipe; `-o -` prints all {size} to the terminal"
            ));
            let written = self.measure(&plan)?;
            return self.conclude(&plan.report(&written));
        }
        let done = self.write(&plan)?;
        // With the secrets of files that changed after the first look.
        self.describe(&plan.info());
        let mut report = plan.report(&done.written);
        report.warnings.extend(done.stale.iter().map(|path| {
            format!(
                "{} is a part of an earlier run, not of this one",
                path.display()
            )
        }));
        let took = self.started.elapsed();
        self.ui
            .say(&summary::written(&report.output, &done.target, took));
        self.conclude(&report)
    }

    fn conclude(&self, report: &Report) -> Result<(), CliError> {
        let warnings = report.warnings.iter();
        warnings.for_each(|warning| self.ui.warn(warning));
        self.write_report(report)?;
        self.check_size(&report.output)
    }

    /// What would be written.
    fn measure(&self, plan: &PackPlan) -> Result<Vec<WrittenPack>, CliError> {
        let parts = plan.split(&self.control)?;
        let mut out = std::io::sink();
        if self.settings().split.is_none() {
            return Ok(vec![self.pour(plan, &mut out)?]);
        }
        let written = parts.iter();
        let written = written.map(|part| part.write_to(&mut out, &self.control));
        Ok(written.collect::<Result<_, _>>()?)
    }

    /// Finds what there is, and of it what the budget holds.
    fn plan(&self) -> Result<PackPlan, CliError> {
        let snapshot = self.opened.snapshot()?;
        let plan = progress::follow(self.ui, &self.control, |control| {
            self.query.plan(&snapshot, control)
        });
        let plan = plan?;
        self.ui.tell(&plan.notices());
        Ok(plan)
    }

    fn run_dry(&self, plan: &PackPlan) -> Result<(), CliError> {
        let ui = self.opened.output_ui();
        let detail = match self.ui.verbose {
            0 => summary::Detail::Some,
            _ => summary::Detail::Everything,
        };
        let text = summary::pack(&plan.info(), self.settings(), ui, detail);
        let report = plan.report(&self.measure(plan)?);
        if !self.ui.quiet {
            let size = numbers::size(report.output.bytes);
            let tokens = summary::counted(&report.output);
            super::print(&format!(
                "{text}the pack would have {size}, {tokens} tokens\n"
            ))?;
        }
        let warnings = report.warnings.iter();
        warnings.for_each(|warning| self.ui.warn(warning));
        self.check_size(&report.output)
    }

    fn check_size(&self, output: &OutputInfo) -> Result<(), CliError> {
        let most = self.settings().fail_over;
        match most.and_then(|most| usize::try_from(most.tokens()).ok()) {
            Some(most) if output.tokens_upper > most => {
                let (tokens, most) = (summary::at_most(output), numbers::number(most));
                let message = format!("the pack has {tokens}, more than {most} (--fail-over)");
                Err(CliError::new(ExitKind::Refused, message))
            }
            _ => Ok(()),
        }
    }

    fn is_too_much_for_the_terminal(&self, bytes: usize) -> bool {
        let outputs = &self.outputs;
        let to_terminal = outputs.pack.is_none() && !outputs.is_stdout && !self.settings().copy;
        to_terminal && bytes > SCREENFUL && std::io::stdout().is_terminal()
    }

    fn write(&self, plan: &PackPlan) -> Result<Done, CliError> {
        if let (Some(_), Some(output)) = (self.settings().split, &self.outputs.pack) {
            return self.write_parts(plan, output);
        }
        let written = match self.settings().copy {
            true => self.write_and_copy(plan)?,
            false => self.write_out(plan)?,
        };
        Ok(Done {
            written: vec![written],
            target: self.target(),
            stale: Vec::new(),
        })
    }

    /// Writes numbered files beside `output`: `repo.1.xml`, `repo.2.xml` and so on.
    fn write_parts(&self, plan: &PackPlan, output: &Path) -> Result<Done, CliError> {
        let (mut files, mut written) = (Vec::new(), Vec::new());
        for (part, number) in plan.split(&self.control)?.iter().zip(1..) {
            let path = part_path(output, number);
            written.push(self.write_file(part, &path)?);
            files.push(path);
        }
        let target = match &*files {
            [] => String::new(),
            [only] => only.display().to_string(),
            [first, .., last] => {
                let count = files.len();
                format!("{} to {} ({count} parts)", first.display(), last.display())
            }
        };
        let mut stale = existing_parts(output);
        stale.retain(|path| !files.contains(path));
        Ok(Done {
            written,
            target,
            stale,
        })
    }

    fn write_and_copy(&self, plan: &PackPlan) -> Result<WrittenPack, CliError> {
        let failed = |error| CliError::io("cannot copy", &error);
        let roots = self.opened.repository.roots();
        if let Some(path) = &self.outputs.pack {
            let written = self.write_out(plan)?;
            let mut clip = Clip::open(path).map_err(failed)?;
            clipboard::copy(&mut clip, &roots, self.ui)?;
            return Ok(written);
        }
        let mut clip = Clip::new().map_err(failed)?;
        let written = self.pour(plan, &mut BufWriter::with_capacity(1 << 18, &mut clip))?;
        clipboard::copy(&mut clip, &roots, self.ui)?;
        if self.outputs.is_stdout {
            let poured = clip.write_to(&mut std::io::stdout().lock());
            poured.map_err(|error| CliError::io("cannot write the output", &error))?;
        }
        Ok(written)
    }

    fn write_out(&self, plan: &PackPlan) -> Result<WrittenPack, CliError> {
        match &self.outputs.pack {
            Some(path) => self.write_file(plan, path),
            None => {
                let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
                self.pour(plan, &mut out)
            }
        }
    }

    fn write_file(&self, plan: &PackPlan, path: &Path) -> Result<WrittenPack, CliError> {
        let mut file = OutputFile::create(path)?;
        let temporary = file.temporary_path().map(Path::to_owned);
        temporary.iter().for_each(|path| add_unfinished(path));
        let written = self.pour(plan, &mut file)?;
        file.finish()?;
        temporary.iter().for_each(|path| set_finished(path));
        Ok(written)
    }

    fn pour(&self, plan: &PackPlan, out: &mut dyn Write) -> Result<WrittenPack, CliError> {
        let written = progress::follow(self.ui, &self.control, |control| {
            plan.write_to(out, control)
        });
        Ok(written?)
    }

    fn target(&self) -> String {
        match &self.outputs.pack {
            Some(path) => path.display().to_string(),
            None if self.settings().copy && !self.outputs.is_stdout => "the clipboard".to_owned(),
            None => "standard output".to_owned(),
        }
    }

    fn describe(&self, info: &PackPlanInfo) {
        let detail = if self.ui.verbose > 0 {
            summary::Detail::Everything
        } else {
            summary::Detail::Brief
        };
        let text = summary::pack(info, self.settings(), self.ui, detail);
        self.ui.say(text.trim_end());
    }

    fn write_report(&self, report: &Report) -> Result<(), CliError> {
        let Some(path) = &self.outputs.report else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(report)
            .map_err(|error| CliError::user(error.to_string()))?
            + "\n";
        if path == Path::new("-") {
            // The pack may be there too; the report follows it.
            let mut out = std::io::stdout().lock();
            return out
                .write_all(text.as_bytes())
                .map_err(|error| CliError::io("cannot write the report", &error));
        }
        Ok(OutputFile::write(path, &text)?)
    }
}
