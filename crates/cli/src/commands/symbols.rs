//! `infiniloom symbols`: what files define, for people and for programs.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::{Diagram, Symbols};
use loom_settings::Group;
use loom_wire::{FORMAT_VERSION, FileSymbols, NoticeInfo};

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::ui::Ui;
use crate::{flags, notice_json, symbol_text};

const GROUPS: &[Group] = &[Group::Scan, Group::Symbols];

pub(super) fn command() -> Command {
    let command = Command::new("symbols")
        .about("List what files define: functions, types, constants and more")
        .after_help(
            "Examples:\n  infiniloom symbols src\n  infiniloom symbols --kind class,interface --lang java\n  \
             infiniloom symbols --private --format json\n  infiniloom symbols src --mermaid > classes.mmd",
        )
        .arg(super::paths_arg("Folders or files; the current folder when none is given"))
        .arg(super::list_arg("kind", "KIND", "Only these kinds, such as function,class,method"))
        .arg(super::list_arg("lang", "LANGUAGE", "Only files in these languages, such as rust,python"))
        .arg(super::switch("references", "Add what files use, with --format json"))
        .arg(super::switch(
            "imports",
            "Add what files import and which files that means, with --format json",
        ))
        .arg(super::switch(
            "tests",
            "Add what each test tests and how that is known, with --format json",
        ))
        .arg(
            Arg::new("mermaid")
                .long("mermaid")
                .value_name("DIAGRAM")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("classes")
                .value_parser(["classes", "modules"])
                .help("Draw a diagram in Mermaid: types, or which folders import which"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let opened = Opened::open(matches, GROUPS, &super::paths(matches))?;
    let (ui, snapshot, control) = (opened.ui, opened.snapshot()?, library::control(opened.ui));
    let query = query(matches);
    if let Some(name) = matches.get_one::<String>("mermaid") {
        let diagram = query.draw(name.parse::<Diagram>()?, &snapshot, &control)?;
        ui.tell(&diagram.notices);
        super::print(&diagram.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut printer = Printer::new(matches, opened.output_ui());
    let mut failed = None;
    let info = query.for_each(&snapshot, &control, |file| match printer.add(&file) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    let written = match failed {
        Some(error) => Err(error),
        None => printer.finish(&info.notices),
    };
    written.map_err(|error| CliError::io("cannot write the result", &error))?;
    let is_private = |notice: &NoticeInfo| notice.code == "private";
    let (private, notices): (Vec<_>, Vec<_>) = info.notices.into_iter().partition(is_private);
    ui.tell(&notices);
    if notices.iter().any(|notice| notice.code == "no_symbols") {
        return Ok(ExitCode::from(1));
    }
    if let (Some(private), false) = (private.first(), super::wants_json(matches)) {
        ui.hint(&format!("{private}: --private shows them"));
    }
    Ok(ExitCode::SUCCESS)
}

fn query(matches: &ArgMatches) -> Symbols {
    let query = Symbols::new()
        .references(matches.get_flag("references"))
        .imports(matches.get_flag("imports"))
        .tests(matches.get_flag("tests"));
    let kinds = super::words(matches, "kind");
    let query = kinds.into_iter().fold(query, Symbols::kind);
    let languages = super::words(matches, "lang");
    languages.into_iter().fold(query, Symbols::language)
}

/// Prints files as they come.
struct Printer {
    is_json: bool,
    ui: Ui,
    files: usize,
}

impl Printer {
    fn new(matches: &ArgMatches, ui: Ui) -> Self {
        Self {
            is_json: super::wants_json(matches),
            ui,
            files: 0,
        }
    }

    fn add(&mut self, file: &FileSymbols) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if !self.is_json {
            return match file.symbols.is_empty() {
                true => Ok(()),
                false => out.write_all(symbol_text::file(file, self.ui).as_bytes()),
            };
        }
        let start = match self.files {
            0 => format!("{{\"format_version\":{FORMAT_VERSION},\"files\":[\n"),
            _ => ",\n".to_owned(),
        };
        self.files += 1;
        out.write_all(start.as_bytes())?;
        Ok(serde_json::to_writer(&mut out, file)?)
    }

    fn finish(self, notices: &[NoticeInfo]) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.is_json {
            match self.files {
                0 => write!(out, "{{\"format_version\":{FORMAT_VERSION},\"files\":[]")?,
                _ => out.write_all(b"\n]")?,
            }
            notice_json::write(&mut out, notices)?;
            out.write_all(b"}\n")?;
        }
        out.flush()
    }
}
