//! `infiniloom notices`: prints the licences of the work that ships with the program.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::error::CliError;

pub(super) fn command() -> Command {
    Command::new("notices")
        .about("Print the licences and notices of the data that ships with the program")
}

pub(super) fn run(_: &ArgMatches) -> Result<ExitCode, CliError> {
    super::print(&infiniloom::notices())?;
    Ok(ExitCode::SUCCESS)
}
