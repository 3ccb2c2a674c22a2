//! `infiniloom context QUERY`: the right code for a question, inside a budget, with
//! reasons.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::{Context, Text};
use loom_settings::Group;
use loom_wire::{ContextInfo, NoticeInfo};

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::{context_output, flags, progress};

const GROUPS: &[Group] = &[
    Group::Scan,
    Group::Context,
    Group::Privacy,
    Group::Secrets,
    Group::Model,
];

pub(super) fn command() -> Command {
    let command = Command::new("context")
        .about("Show the code that a question or an issue is about, within a budget of tokens")
        .after_help(
            "Examples:\n  infiniloom context \"how are sessions renewed?\"\n  \
             infiniloom context --query-file issue.md --budget 32k src\n  \
             gh issue view 42 | infiniloom context - --format json --explain\n  \
             infiniloom context \"retry fails\" --pin src/http.rs --hot src/client.rs",
        )
        .arg(
            Arg::new("query")
                .value_name("QUERY")
                .required_unless_present("query-file")
                .allow_hyphen_values(true)
                .help("The question, or an issue with all that it quotes; - reads standard input"),
        )
        .arg(super::paths_arg(
            "Folders or files; the current folder when none is given",
        ))
        .arg(
            Arg::new("query-file")
                .long("query-file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Read the question from FILE, or standard input with -; then all words are paths"),
        )
        .arg(super::list_arg(
            "hot",
            "FILE",
            "Files that are open or being edited",
        ))
        .arg(
            Arg::new("previous")
                .long("previous")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("The JSON of an earlier answer: what it showed counts a little more"),
        )
        .arg(super::list_arg(
            "pin",
            "WHAT",
            "Show this in any case: a file, FILE:FIRST-LAST, or the name of a definition",
        ))
        .arg(super::switch(
            "explain",
            "Say why everything was chosen, in words and numbers",
        ));
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let (text, paths) = asked(matches)?;
    let opened = Opened::open(matches, GROUPS, &paths)?;
    let ui = opened.ui;
    let explains = matches.get_flag("explain");
    let query = query(matches, text, &paths)?.explain(explains);
    let snapshot = opened.snapshot()?;
    // The process ends after the result, so its memory need not be freed piece by piece.
    let control = library::control(ui).before_exit();
    let info = progress::follow(ui, &control, |control| query.run_with(&snapshot, control));
    let info = info?;
    let notices = &info.notices;
    ui.tell(notices);
    let is_json = opened.values().context.format.name() == "json";
    match is_json {
        true => super::print_json(&info)?,
        false => super::print(&info.context)?,
    }
    if notices.iter().any(|notice| notice.code == "no_match") {
        return Ok(ExitCode::FAILURE);
    }
    tell_of_secrets(&opened, notices);
    if !is_json {
        ui.say(&context_output::summary(&info));
        if explains {
            ui.say(&context_output::reasons(&info));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn query(matches: &ArgMatches, text: String, paths: &[PathBuf]) -> Result<Context, CliError> {
    let here = std::env::current_dir().unwrap_or_default();
    let query = Context::new(text).from_directory(here);
    let query = match paths {
        [path] => query.below_path(path),
        _ => query,
    };
    let query = match matches.get_one::<PathBuf>("previous") {
        Some(file) => query.previous(&previous(file)?),
        None => query,
    };
    let hot = super::words(matches, "hot");
    let query = hot.into_iter().fold(query, Context::hot);
    let pins = super::words(matches, "pin");
    Ok(pins.into_iter().fold(query, Context::pin))
}

/// Reports the handling of secrets.
fn tell_of_secrets(opened: &Opened, notices: &[NoticeInfo]) {
    let Some(notice) = notices.iter().find(|notice| notice.code == "secrets") else {
        return;
    };
    match opened.values().privacy.secrets.name() {
        "redact" => opened.ui.hint(&notice.message),
        _ => opened
            .ui
            .warn(&format!("{notice}; `infiniloom scan` lists them")),
    }
}

/// Reads an earlier result.
fn previous(file: &Path) -> Result<ContextInfo, CliError> {
    let text = Text::read(file)?;
    serde_json::from_str(text.text()).map_err(|error| {
        let file = file.display();
        CliError::user(format!(
            "{file} is no answer of `context --format json`: {error}"
        ))
    })
}

/// Returns the query, and the paths to search.
fn asked(matches: &ArgMatches) -> Result<(String, Vec<PathBuf>), CliError> {
    let first = matches.get_one::<String>("query").cloned();
    if let Some(file) = matches.get_one::<PathBuf>("query-file") {
        let text = match file.as_os_str() == "-" {
            true => super::input_text("-")?,
            false => Text::read(file)?,
        };
        let mut paths: Vec<PathBuf> = first.into_iter().map(PathBuf::from).collect();
        paths.extend(matches.get_many("path").into_iter().flatten().cloned());
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        return Ok((text.text().to_owned(), paths));
    }
    let query = match first.unwrap_or_default() {
        dash if dash == "-" => super::input_text("-")?.text().to_owned(),
        text => text,
    };
    Ok((query, super::paths(matches)))
}
