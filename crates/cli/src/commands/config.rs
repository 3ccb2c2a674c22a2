//! `infiniloom config`: shows settings and their origins.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::{Infiniloom, Settings};
use loom_settings::Group;

use crate::error::CliError;
use crate::flags;
use crate::library::Opened;

pub(super) fn command() -> Command {
    let list = Command::new("list")
        .about("List every setting with its value")
        .arg(
            Arg::new("origin")
                .long("origin")
                .action(ArgAction::SetTrue)
                .help("Say where each value comes from"),
        )
        .arg(super::format_arg());
    let get = Command::new("get")
        .about("Print the value of one setting")
        .arg(
            Arg::new("key")
                .value_name("KEY")
                .required(true)
                .help("Such as scan.max_file_size"),
        )
        .arg(super::format_arg());
    let path = Command::new("path").about("Print where the settings files are");
    let schema = Command::new("schema").about("Print the JSON schema of a settings file");
    Command::new("config")
        .about("Show the settings")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([list, get].map(|command| flags::with_settings(command, GROUPS)))
        .subcommands([path, schema])
}

/// Groups of settings with flags, so that users can try out values.
const GROUPS: &[Group] = &[Group::Scan, Group::Model];

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    match matches.subcommand() {
        Some(("list", matches)) => list(matches)?,
        Some(("get", matches)) => get(matches)?,
        Some(("path", _)) => paths()?,
        Some(("schema", _)) => super::print_json(&Settings::schema())?,
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(matches: &ArgMatches) -> Result<Settings, CliError> {
    let here = [PathBuf::from(".")];
    Ok(Opened::open(matches, GROUPS, &here)?.settings)
}

fn list(matches: &ArgMatches) -> Result<(), CliError> {
    let settings = settings(matches)?;
    if super::wants_json(matches) {
        return super::print_json(&settings.list());
    }
    super::print(&match matches.get_flag("origin") {
        true => settings.to_toml_with_origins(),
        false => settings.to_toml(),
    })
}

fn get(matches: &ArgMatches) -> Result<(), CliError> {
    let key = matches.get_one::<String>("key").map_or("", String::as_str);
    let setting = settings(matches)?.require(key)?;
    match super::wants_json(matches) {
        true => super::print_json(&setting),
        false => super::print(&format!("{}\n", setting.value)),
    }
}

fn paths() -> Result<(), CliError> {
    let engine = Infiniloom::builder().user_settings().build_unchecked();
    let files = engine.settings_files(".")?;
    let lines = files.iter().map(|file| {
        let exists = if file.exists { "" } else { " (not there)" };
        format!("{}: {}{exists}\n", file.owner, file.path)
    });
    super::print(&lines.collect::<String>())
}
