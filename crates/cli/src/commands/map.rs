//! `infiniloom map`: prints an overview of a repository within few tokens.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::{Map, Text};
use loom_settings::Group;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::{flags, progress};

const GROUPS: &[Group] = &[
    Group::Scan,
    Group::Map,
    Group::Privacy,
    Group::Secrets,
    Group::Model,
];

pub(super) fn command() -> Command {
    let command = Command::new("map")
        .about("Show what matters most in a repository, within a budget of tokens")
        .after_help(
            "Examples:\n  infiniloom map\n  infiniloom map --budget 8k --format markdown\n  \
             infiniloom map --focus src/auth --mention UserService\n  \
             infiniloom map --query \"login fails after a password reset\"\n  \
             infiniloom map --format html > map.html",
        )
        .arg(super::paths_arg(
            "Folders or files; the current folder when none is given",
        ))
        .arg(super::list_arg(
            "focus",
            "PATH",
            "Files or folders that are worked on",
        ))
        .arg(super::list_arg(
            "mention",
            "NAME",
            "Symbols or files that are talked about",
        ))
        .arg(
            Arg::new("query")
                .long("query")
                .value_name("TEXT")
                .help("A question or task in words, such as an issue; - reads standard input"),
        )
        .arg(
            Arg::new("query-file")
                .long("query-file")
                .value_name("FILE")
                .conflicts_with("query")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Read the question from FILE"),
        )
        .arg(super::switch(
            "changes",
            "Put the files that differ from the last commit in focus",
        ))
        .arg(super::switch(
            "summary",
            "Show numbers, key symbols and hot files in three lines, and nothing else",
        ));
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let opened = Opened::open(matches, GROUPS, &super::paths(matches))?;
    let (ui, snapshot, query) = (opened.ui, opened.snapshot()?, query(matches)?);
    let info = progress::follow(ui, &library::control(ui), |control| {
        query.run_with(&snapshot, control)
    });
    let info = info?;
    ui.tell(&info.notices);
    super::print(&info.text)?;
    Ok(ExitCode::SUCCESS)
}

fn query(matches: &ArgMatches) -> Result<Map, CliError> {
    let here = std::env::current_dir().unwrap_or_default();
    let query = Map::new()
        .from_directory(here)
        .focus_changed(matches.get_flag("changes"))
        .summary_only(matches.get_flag("summary"));
    let focus = super::words(matches, "focus");
    let query = focus.into_iter().fold(query, Map::focus);
    let mentions = super::words(matches, "mention");
    let query = mentions.into_iter().fold(query, Map::mention);
    let text = match matches.get_one::<PathBuf>("query-file") {
        Some(file) => Some(Text::read(file)?),
        None => match matches.get_one::<String>("query") {
            Some(dash) if dash == "-" => Some(super::input_text("-")?),
            text => text.map(|text| Text::new("-", text)),
        },
    };
    Ok(match text {
        Some(text) => query.query(text.text()),
        None => query,
    })
}
