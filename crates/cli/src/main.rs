//! The command `infiniloom`: translates words into options, prints results, and picks exit codes.
//! Decisions that every edge makes the same way belong to the host.

mod allocator;
mod chunk_output;
mod clip;
mod clipboard;
mod commands;
mod context_output;
mod error;
mod exact;
mod flags;
mod interrupt;
mod library;
mod notice_json;
mod numbers;
mod pattern_file;
mod progress;
mod rg_flags;
mod search_output;
mod sources;
mod summary;
mod symbol_text;
mod token_report;
mod ui;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use error::ExitKind;
use infiniloom::Settings;
use ui::Ui;

/// The version with the built commit.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    include_str!(concat!(env!("OUT_DIR"), "/commit"))
);

/// Runs the command line of this process.
fn main() -> ExitCode {
    allocator::give_back_large_blocks();
    let args: Vec<OsString> = flags::with_values(std::env::args_os().collect());
    let matches = match command().try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => return wrong_use(&error, &args),
    };
    warn_of_variables(&matches);
    let result = match matches.subcommand() {
        Some((name, matches)) => commands::run(name, matches),
        None => Ok(ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| error.report())
}

/// Builds the whole command line from the settings and the commands.
fn command() -> clap::Command {
    let about = "Gives a language model exactly the right context from a codebase";
    clap::Command::new("infiniloom")
        .version(VERSION)
        .about(about)
        .after_help("Settings: infiniloom.toml, see `infiniloom config path`. Exit codes: 0 fine, 1 a limit that was asked for does not hold, 2 wrong use or unusable input, 130 interrupted.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .subcommands(commands::all())
}

/// Warns of unknown variables `INFINILOOM_*`, if the command reads settings.
fn warn_of_variables(matches: &ArgMatches) {
    let unknown = Settings::unknown_variables();
    if unknown.is_empty() {
        return;
    }
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let Some(ui) = commands::user_ui(matches) else {
        return;
    };
    for problem in unknown {
        ui.warn(&problem.message);
        ui.hint(&problem.hint.unwrap_or_default());
    }
}

/// Prints the error of clap. Adds a hint if a path is in the place of a command, or if `search` got
/// a flag of `rg`.
fn wrong_use(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let code = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitKind::User.exit_code(),
    };
    // If standard error is closed, no message is possible.
    let _ = error.print();
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && Path::new(word).exists()
    {
        Ui::fallback().hint(&format!("to pack it: infiniloom pack {word}"));
    }
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && args.get(1).is_some_and(|command| command == "search")
        && let Some(hint) = rg_flags::instead_of(word)
    {
        Ui::fallback().hint(hint);
    }
    code
}
