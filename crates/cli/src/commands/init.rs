//! `infiniloom init`: writes a settings file with every setting in a comment.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::{Existing, SettingsFile};

use crate::error::CliError;
use crate::ui::Ui;

pub(super) fn command() -> Command {
    Command::new("init")
        .about("Write a settings file with every setting in comments")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .default_value(".")
                .help("The repository that the file is for"),
        )
        .arg(
            Arg::new("user")
                .long("user")
                .action(ArgAction::SetTrue)
                .conflicts_with("folder")
                .help("Write the user's file instead"),
        )
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace a file that is there"),
        )
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let existing = match matches.get_flag("force") {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    let path = target(matches).create(existing)?;
    Ui::fallback().say(&format!("wrote {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn target(matches: &ArgMatches) -> SettingsFile {
    let folder = matches.get_one::<PathBuf>("folder").cloned();
    match matches.get_flag("user") {
        true => SettingsFile::User,
        false => SettingsFile::Repository(folder.unwrap_or_else(|| PathBuf::from("."))),
    }
}
