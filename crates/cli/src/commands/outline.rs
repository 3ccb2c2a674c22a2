//! `infiniloom outline FILE`: the definitions of one file, nested.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::Symbols;
use loom_settings::Group;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::{flags, symbol_text};

pub(super) fn command() -> Command {
    let command = Command::new("outline")
        .about("Show the definitions of a file, nested, with their lines")
        .arg(
            Arg::new("path")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .required(true)
                .help("A file in any language; one without a grammar is read by lines"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, &[Group::Scan])
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let path: Vec<PathBuf> = matches
        .get_one::<PathBuf>("path")
        .cloned()
        .into_iter()
        .collect();
    if path.iter().any(|path| path.is_dir()) {
        let error = CliError::user("outline shows one file, and this is a folder");
        return Err(error.hint("infiniloom symbols PATH lists folders"));
    }
    let opened = Opened::open(matches, &[Group::Scan], &path)?;
    let control = library::control(opened.ui);
    let info = Symbols::outline("").run_with(&opened.snapshot()?, &control)?;
    opened.ui.tell(&info.notices);
    if super::wants_json(matches) {
        super::print_json(&info)?;
    } else {
        let ui = opened.output_ui();
        let texts = info.files.iter().map(|file| symbol_text::file(file, ui));
        super::print(&texts.collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
