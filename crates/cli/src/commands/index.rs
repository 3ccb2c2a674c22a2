//! `infiniloom index`: derives what later runs want to know, and says what changed.

use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, Command};
use infiniloom::host::{Cancel, IndexOptions, IndexReport, Packer, Waited};
use infiniloom::results;
use loom_settings::Group;

use crate::error::CliError;
use crate::flags;
use crate::interrupt::cancel_on_interrupt;
use crate::numbers::{number, plural, size};
use crate::progress::ProgressLine;
use crate::ui::Ui;

const GROUPS: &[Group] = &[Group::Scan, Group::Model, Group::Privacy, Group::Secrets];

/// Several writes of one save are one change.
const SETTLED: Duration = Duration::from_millis(150);

/// How often somebody looks where nothing tells of changes.
const SWEEP: Duration = Duration::from_secs(2);

pub(super) fn command() -> Command {
    let command = Command::new("index")
        .about("Derive what later runs want to know, and say what changed")
        .after_help(
            "Every command does this by itself for what it needs; this one does all of it ahead.\n\n\
             Examples:\n  infiniloom index\n  infiniloom index --status\n  infiniloom index --watch\n  \
             infiniloom index --languages rust,python src",
        )
        .arg(super::paths_arg("Folders or files; the current folder when none is given"))
        .arg(super::switch("watch", "Go on when something changes, until it is stopped"))
        .arg(
            super::switch("status", "Say what changed and derive nothing").conflicts_with("watch"),
        )
        .arg(super::list_arg(
            "languages",
            "LANGUAGE",
            "Parse only files in these languages, such as rust,python",
        ))
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let ui = Ui::new(&resolved.settings().ui);
    if packer.options().cache.is_none() && resolved.settings().cache.enabled {
        return Err(super::cache::nowhere());
    }
    if packer.options().cache.is_none() {
        let error = CliError::user("an index is what is remembered, and nothing is to be");
        return Err(error.hint("leave out --no-cache, or set cache.enabled to true"));
    }
    let mut run = Run {
        packer,
        options: IndexOptions {
            languages: super::symbols::languages(matches, "languages")?,
            is_only_asked: matches.get_flag("status"),
            counts: true,
        },
        is_json: super::wants_json(matches),
        ui,
    };
    let cancel = cancel_on_interrupt();
    run.once(&cancel)?;
    if matches.get_flag("watch") {
        let open = || super::symbols::opened(matches, GROUPS, &paths).map(|(packer, _)| packer);
        run.watch(&open, &cancel)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Run {
    packer: Packer,
    options: IndexOptions,
    is_json: bool,
    ui: Ui,
}

impl Run {
    fn once(&self, cancel: &Cancel) -> Result<(), CliError> {
        let report = self.report(cancel)?;
        self.tell(&report)
    }

    fn report(&self, cancel: &Cancel) -> Result<IndexReport, CliError> {
        let progress = ProgressLine::new(self.ui);
        let run = infiniloom::host::Run::new();
        let report = self.packer.index(&self.options, &run, &progress, cancel);
        drop(progress);
        let report = report.map_err(|error| CliError::from(error).told_by(self.ui))?;
        self.ui.warn_of(&self.packer, &run.unread(), run.warnings());
        Ok(report)
    }

    fn tell(&self, report: &IndexReport) -> Result<(), CliError> {
        match self.is_json {
            true => super::print_json(&results::index::info(report, self.packer.store_bytes())),
            false => super::print(&text(report, self.options.is_only_asked)),
        }
    }

    /// Indexes again whenever something changes. Folders are watched anew each time:
    /// there may be new ones.
    fn watch(
        &mut self,
        open: &dyn Fn() -> Result<Packer, CliError>,
        cancel: &Cancel,
    ) -> Result<(), CliError> {
        let (mut is_told, mut is_gone) = (false, false);
        while !cancel.is_cancelled() {
            if !self.packer.source().is_in_place() {
                // Moved away, or made anew: nothing tells when it is back.
                match open() {
                    Ok(packer) => (self.packer, is_gone) = (packer, false),
                    Err(error) => {
                        if !std::mem::replace(&mut is_gone, true) {
                            let error = error.in_words();
                            self.ui.warn(&format!("{error}; waiting until it is back"));
                        }
                        std::thread::sleep(SWEEP);
                        continue;
                    }
                }
            }
            match self.packer.watch() {
                Some(watch) => {
                    // What changed before the watch was there is seen now.
                    self.refresh(cancel)?;
                    // What lies above the folder is not watched.
                    while !cancel.is_cancelled()
                        && watch.wait(SWEEP) == Waited::Quiet
                        && self.packer.source().is_in_place()
                    {}
                    while !cancel.is_cancelled() && watch.wait(SETTLED) == Waited::Changed {}
                }
                None => {
                    if !std::mem::replace(&mut is_told, true) {
                        self.ui.warn(
                            "folders cannot be watched here: they are looked at every 2 seconds",
                        );
                    }
                    std::thread::sleep(SWEEP);
                }
            }
            self.refresh(cancel)?;
        }
        Ok(())
    }

    /// Tells only of what changed.
    fn refresh(&self, cancel: &Cancel) -> Result<(), CliError> {
        if cancel.is_cancelled() {
            return Ok(());
        }
        let report = self.report(cancel)?;
        match report.added + report.changed + report.removed {
            0 => Ok(()),
            _ => self.tell(&report),
        }
    }
}

fn text(report: &IndexReport, is_only_asked: bool) -> String {
    let bytes = size(usize::try_from(report.bytes).unwrap_or(usize::MAX));
    let mut out = format!(
        "{}, {}, {} tokens\n{} added, {} changed, {} removed",
        plural(report.files, "file", "files"),
        bytes,
        number(report.tokens),
        number(report.added),
        number(report.changed),
        number(report.removed),
    );
    if is_only_asked {
        out.push_str(" since the last time\n");
        return out;
    }
    let derived = plural(report.derived, "new content", "new contents");
    out.push_str(&format!(
        "; {derived} worked on in {:.2} s",
        report.took.as_secs_f64()
    ));
    if let Some(full) = report.full.filter(|_| report.derived < report.files) {
        out.push_str(&format!(" (all of them took {:.2} s)", full.as_secs_f64()));
    }
    out.push('\n');
    out
}
