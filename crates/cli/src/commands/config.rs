//! `infiniloom config`: shows settings and where they come from.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::host::{ConfigFiles, OpenError, Source, user_file};
use infiniloom::results;
use loom_settings::{Group, Layer, Problem, Resolved, json_schema, nearest_key};

use crate::error::CliError;
use crate::flags;
use crate::ui::Ui;

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

/// Values can be tried out: the flags of all commands are understood.
const GROUPS: &[Group] = &[Group::Scan, Group::Model];

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    match matches.subcommand() {
        Some(("list", matches)) => list(matches)?,
        Some(("get", matches)) => get(matches)?,
        Some(("path", _)) => paths()?,
        Some(("schema", _)) => super::print_json(&json_schema())?,
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn resolved(matches: &ArgMatches) -> Result<Resolved, CliError> {
    let source = source()?;
    resolve(matches, Some(&source), flags::layer(matches, GROUPS))
}

/// Merges the settings, and prints the warnings about them.
pub(super) fn resolve(
    matches: &ArgMatches,
    source: Option<&Source>,
    layer: Result<Layer, Vec<Problem>>,
) -> Result<Resolved, CliError> {
    let resolved = config_files(matches).resolve(source, layer)?;
    let ui = Ui::new(&resolved.settings().ui);
    resolved
        .warnings()
        .iter()
        .for_each(|warning| ui.warn(warning));
    Ok(resolved)
}

/// The files that the flags choose.
pub(super) fn config_files(matches: &ArgMatches) -> ConfigFiles {
    ConfigFiles {
        user: matches.get_one::<PathBuf>("config").cloned(),
        none: matches.get_flag("no-config"),
    }
}

fn source() -> Result<Source, OpenError> {
    Source::open(&["."])
}

fn list(matches: &ArgMatches) -> Result<(), CliError> {
    let resolved = resolved(matches)?;
    if super::wants_json(matches) {
        let all: Vec<_> = resolved
            .list()
            .map(|listed| results::settings::info(&listed))
            .collect();
        return super::print_json(&all);
    }
    let mut text = String::new();
    for listed in resolved.list() {
        text.push_str(&format!("{} = {}", listed.setting.key, listed.toml));
        if matches.get_flag("origin") {
            text.push_str(&format!("  # {}", listed.origin));
        }
        text.push('\n');
    }
    super::print(&text)
}

fn get(matches: &ArgMatches) -> Result<(), CliError> {
    let key = matches.get_one::<String>("key").map_or("", String::as_str);
    let resolved = resolved(matches)?;
    let Some(listed) = resolved.get(key) else {
        let error = CliError::user(format!("no setting {key:?}"));
        return Err(match nearest_key(key) {
            Some(nearest) => error.hint(format!("did you mean {nearest}?")),
            None => error.hint("`infiniloom config list` names them all"),
        });
    };
    if super::wants_json(matches) {
        return super::print_json(&results::settings::info(&listed));
    }
    super::print(&format!("{}\n", listed.shown))
}

fn paths() -> Result<(), CliError> {
    let exists = |path: &PathBuf| if path.is_file() { "" } else { " (not there)" };
    let mut text = String::new();
    if let Some(path) = user_file() {
        text.push_str(&format!("user: {}{}\n", path.display(), exists(&path)));
    }
    for root in source()?.roots() {
        let path = root.join("infiniloom.toml");
        text.push_str(&format!(
            "repository: {}{}\n",
            path.display(),
            exists(&path)
        ));
    }
    super::print(&text)
}
