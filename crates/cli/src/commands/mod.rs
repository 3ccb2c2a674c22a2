//! The commands, one file each: add a file and a line in the table.

mod cache;
mod calibrate;
mod chunk;
mod client_setup;
mod completions;
mod config;
mod context;
mod generate_docs;
mod hook;
mod index;
mod init;
mod man;
mod map;
mod mcp;
mod models;
mod navigate;
mod notices;
mod outline;
mod pack;
mod sanitize;
mod scan;
mod search;
mod search_answer;
mod search_semantic;
mod skill;
mod symbols;
mod tokens;
mod why;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};

use infiniloom::Text;

use super::error::CliError;
use super::library::{self, Opened};
use super::ui::Ui;
use loom_wire::NoticeInfo;

/// A command with its functions.
struct Entry {
    command: fn() -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode, CliError>,
}

/// All commands, in the order of the help.
const COMMANDS: &[Entry] = &[
    Entry {
        command: pack::command,
        run: pack::run,
    },
    Entry {
        command: context::command,
        run: context::run,
    },
    Entry {
        command: map::command,
        run: map::run,
    },
    Entry {
        command: mcp::command,
        run: mcp::run,
    },
    Entry {
        command: hook::command,
        run: hook::run,
    },
    Entry {
        command: skill::command,
        run: skill::run,
    },
    Entry {
        command: scan::command,
        run: scan::run,
    },
    Entry {
        command: sanitize::command,
        run: sanitize::run,
    },
    Entry {
        command: tokens::command,
        run: tokens::run,
    },
    Entry {
        command: search::command,
        run: search::run,
    },
    Entry {
        command: navigate::def_command,
        run: navigate::definitions,
    },
    Entry {
        command: navigate::refs_command,
        run: navigate::references,
    },
    Entry {
        command: navigate::impls_command,
        run: navigate::implementations,
    },
    Entry {
        command: navigate::callers_command,
        run: navigate::callers,
    },
    Entry {
        command: navigate::callees_command,
        run: navigate::callees,
    },
    Entry {
        command: symbols::command,
        run: symbols::run,
    },
    Entry {
        command: outline::command,
        run: outline::run,
    },
    Entry {
        command: chunk::command,
        run: chunk::run,
    },
    Entry {
        command: index::command,
        run: index::run,
    },
    Entry {
        command: cache::command,
        run: cache::run,
    },
    Entry {
        command: calibrate::command,
        run: calibrate::run,
    },
    Entry {
        command: models::command,
        run: models::run,
    },
    Entry {
        command: why::command,
        run: why::run,
    },
    Entry {
        command: config::command,
        run: config::run,
    },
    Entry {
        command: init::command,
        run: init::run,
    },
    Entry {
        command: completions::command,
        run: completions::run,
    },
    Entry {
        command: man::command,
        run: man::run,
    },
    Entry {
        command: notices::command,
        run: notices::run,
    },
    Entry {
        command: generate_docs::command,
        run: generate_docs::run,
    },
];

pub(super) fn all() -> impl Iterator<Item = Command> {
    COMMANDS.iter().map(|entry| (entry.command)())
}

pub(super) fn run(name: &str, matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let entry = COMMANDS
        .iter()
        .find(|entry| (entry.command)().get_name() == name);
    match entry {
        Some(entry) => (entry.run)(matches),
        None => Err(CliError::user(format!("no command {name}"))),
    }
}

/// Returns the options of messages from the flags and the user's own settings; `None` for a command
/// that reads no settings.
pub(super) fn user_ui(matches: &ArgMatches) -> Option<Ui> {
    matches.try_contains_id("no-config").ok()?;
    Some(library::ui(
        &library::unchecked_engine(matches, &[]).settings(),
    ))
}

/// Creates a flag that takes several words, repeated or with commas between them.
fn list_arg(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(help)
}

/// Returns the words of such a flag.
fn words(matches: &ArgMatches, name: &str) -> Vec<String> {
    let found = matches.get_many::<String>(name);
    found.into_iter().flatten().cloned().collect()
}

/// Creates the argument for the directories and files that a command reads.
fn paths_arg(help: &'static str) -> Arg {
    Arg::new("path")
        .value_name("PATH")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::AnyPath)
        .num_args(0..)
        .help(help)
}

/// Returns the paths, or the current directory without any.
fn paths(matches: &ArgMatches) -> Vec<PathBuf> {
    match matches.get_many("path") {
        Some(paths) => paths.cloned().collect(),
        None => vec![PathBuf::from(".")],
    }
}

/// Creates a flag without a value.
fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

/// Creates `--format text|json`, for commands whose result a program may read.
fn format_arg() -> Arg {
    Arg::new("answer-format")
        .long("format")
        .short('f')
        .value_name("FORMAT")
        .value_parser(["text", "json"])
        .default_value("text")
        .help("The form of the answer")
}

fn wants_json(matches: &ArgMatches) -> bool {
    matches
        .get_one::<String>("answer-format")
        .is_some_and(|format| format == "json")
}

/// Maximum size of standard input, in bytes.
const STDIN_LIMIT: u64 = 1 << 30;

/// Reads standard input, and decodes it like a file.
fn input_text(name: &str) -> Result<Text, CliError> {
    Text::decode(name, input_bytes()?).map_err(|_| CliError::user("standard input is not text"))
}

fn input_bytes() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(STDIN_LIMIT + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| CliError::io("cannot read standard input", &error))?;
    if bytes.len() as u64 > STDIN_LIMIT {
        let error = CliError::user("standard input has more than 1 GiB");
        return Err(error.hint("name the files instead"));
    }
    Ok(bytes)
}

/// Prints a result.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| CliError::io("cannot write the result", &error))
}

/// Prints a result as JSON.
fn print_json(value: &impl serde::Serialize) -> Result<(), CliError> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| CliError::user(error.to_string()))?;
    print(&format!("{text}\n"))
}

/// Reports secrets in a result. Returns an error if the settings require it.
fn check_secrets(opened: &Opened, notices: &[NoticeInfo]) -> Result<(), CliError> {
    let mut secrets = notices.iter().filter(|notice| notice.code == "secrets");
    let Some(notice) = secrets.next() else {
        return Ok(());
    };
    match opened.values().privacy.secrets.name() {
        "fail" => {
            let error = CliError::user(&notice.message);
            Err(error
                .hint("--secrets redact takes that for an answer; `infiniloom scan` lists them"))
        }
        _ => {
            opened.ui.warn(&notice.message);
            Ok(())
        }
    }
}
