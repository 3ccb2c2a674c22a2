//! `infiniloom outline FILE`: the definitions of one file, nested.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{FileStructure, Limits, Run, StructureOptions, Tested};
use infiniloom::results;
use loom_settings::Group;
use loom_wire::{FORMAT_VERSION, SymbolsInfo};

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::ui::Ui;
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
    let (packer, resolved) = super::symbols::opened(matches, &[Group::Scan], &path)?;
    let options = StructureOptions {
        limits: Limits {
            all: true,
            ..Limits::default()
        },
        redacts: true,
        ..StructureOptions::default()
    };
    let mut found: Option<FileStructure> = None;
    let run = Run::new();
    packer.structures(&options, &run, &cancel_on_interrupt(), |file| {
        found = Some(file);
        ControlFlow::Break(())
    })?;
    Ui::new(&resolved.settings().ui).warn_of_cache(&packer);
    let Some(file) = found else {
        let unread = run.unread();
        return Err(match unread.first() {
            Some(left) => CliError::user(format!("{} is {}", left.path, left.reason)),
            None => CliError::user("the file is not text, or a rule leaves it out"),
        });
    };
    let shown = vec![true; file.structure.symbols.len()];
    if super::wants_json(matches) {
        super::print_json(&SymbolsInfo {
            format_version: FORMAT_VERSION,
            files: vec![results::symbols::file(&file, &shown, &Tested::default())],
            notices: Vec::new(),
        })?;
    } else {
        let ui = Ui::on_standard_output(&resolved.settings().ui);
        super::print(&symbol_text::file(&file, &shown, ui))?;
    }
    Ok(ExitCode::SUCCESS)
}
