//! `infiniloom init`: a settings file with every setting in comments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::host::{user_file, write_atomically};
use loom_settings::{FileTrust, commented_file};

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
    let (path, trust) = target(matches)?;
    if path.symlink_metadata().is_ok() && !matches.get_flag("force") {
        let message = format!("{} is already there", path.display());
        return Err(CliError::user(message).hint("--force replaces it"));
    }
    let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
    if let Some(folder) = path.parent().filter(|_| trust == FileTrust::User) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    write_atomically(&path, &commented_file(trust)).map_err(failed)?;
    Ui::fallback().say(&format!("wrote {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn target(matches: &ArgMatches) -> Result<(PathBuf, FileTrust), CliError> {
    if matches.get_flag("user") {
        let path = user_file()
            .ok_or_else(|| CliError::user("there is no home folder to put the file in"))?;
        return Ok((path, FileTrust::User));
    }
    let folder = matches
        .get_one::<PathBuf>("folder")
        .map_or(Path::new("."), PathBuf::as_path);
    if !folder.is_dir() {
        return Err(CliError::user(format!(
            "not a folder: {}",
            folder.display()
        )));
    }
    Ok((folder.join("infiniloom.toml"), FileTrust::Repository))
}
