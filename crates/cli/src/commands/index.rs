//! `infiniloom index`: builds or updates the cache and the search index, and reports the changes.

use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, Command};
use infiniloom::{Control, ErrorKind, Index, Repository, Snapshot};
use loom_settings::Group;
use loom_wire::IndexInfo;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::numbers::{number, plural, size};
use crate::ui::Ui;
use crate::{flags, progress};

const GROUPS: &[Group] = &[Group::Scan, Group::Model, Group::Privacy, Group::Secrets];

/// Interval at which a missing directory is checked again.
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
    let opened = Opened::open(matches, GROUPS, &super::paths(matches))?;
    let is_status = matches.get_flag("status");
    let query = match is_status {
        true => Index::status(),
        false => Index::new(),
    };
    let languages = super::words(matches, "languages");
    let run = Run {
        query: languages.into_iter().fold(query, Index::language),
        is_status,
        is_json: super::wants_json(matches),
        ui: opened.ui,
        control: library::control(opened.ui),
    };
    let info = run.index(&opened.snapshot()?)?;
    run.tell(&info)?;
    if matches.get_flag("watch") {
        run.watch(&opened.repository)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Run {
    query: Index,
    is_status: bool,
    is_json: bool,
    ui: Ui,
    control: Control,
}

impl Run {
    fn index(&self, snapshot: &Snapshot) -> Result<IndexInfo, CliError> {
        let info = progress::follow(self.ui, &self.control, |control| {
            self.query.run_with(snapshot, control)
        });
        let info = info.map_err(|error| CliError::from(error).told_by(self.ui))?;
        self.ui.tell(&info.notices);
        Ok(info)
    }

    fn tell(&self, info: &IndexInfo) -> Result<(), CliError> {
        match self.is_json {
            true => super::print_json(info),
            false => super::print(&text(info, self.is_status)),
        }
    }

    /// Updates the index after every change, and reports only runs with changes.
    fn watch(&self, repository: &Repository) -> Result<(), CliError> {
        let (mut is_told, mut is_gone) = (false, false);
        let mut watch = loop {
            match repository.watch_with(&self.control) {
                Ok(watch) => break watch,
                Err(error) => self.tell_gone(error, &mut is_gone)?,
            }
            std::thread::sleep(SWEEP);
        };
        // The watch may have begun after a change, so index the current state first.
        let mut next = Some(Ok(watch.latest().clone()));
        while let Some(state) = next {
            match state {
                Ok(snapshot) => {
                    is_gone = false;
                    let info = self.index(&snapshot)?;
                    if info.added + info.changed + info.removed > 0 {
                        self.tell(&info)?;
                    }
                }
                Err(error) => self.tell_gone(error, &mut is_gone)?,
            }
            if watch.is_polling() && !std::mem::replace(&mut is_told, true) {
                self.ui
                    .warn("folders cannot be watched here: they are looked at every 2 seconds");
            }
            next = watch.next().map(|event| event.map(|event| event.snapshot));
        }
        Err(CliError::from(infiniloom::Error::cancelled()))
    }

    /// Reports once that the directory was moved away, or that its settings are invalid.
    fn tell_gone(&self, error: infiniloom::Error, is_gone: &mut bool) -> Result<(), CliError> {
        if error.kind() == ErrorKind::Cancelled {
            return Err(error.into());
        }
        if !std::mem::replace(is_gone, true) {
            let error = CliError::from(error).in_words();
            self.ui.warn(&format!("{error}; waiting until it is back"));
        }
        Ok(())
    }
}

fn text(info: &IndexInfo, is_status: bool) -> String {
    let bytes = size(usize::try_from(info.bytes).unwrap_or(usize::MAX));
    let mut out = format!(
        "{}, {}, {} tokens\n{} added, {} changed, {} removed",
        plural(info.files, "file", "files"),
        bytes,
        number(info.tokens),
        number(info.added),
        number(info.changed),
        number(info.removed),
    );
    if is_status {
        out.push_str(" since the last time\n");
        return out;
    }
    let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
    let derived = plural(info.derived, "new content", "new contents");
    let took = seconds(info.took_ms);
    out.push_str(&format!("; {derived} worked on in {took:.2} s"));
    if let Some(full) = info.full_ms.filter(|_| info.derived < info.files) {
        let full = seconds(full);
        out.push_str(&format!(" (all of them took {full:.2} s)"));
    }
    out.push('\n');
    out
}
