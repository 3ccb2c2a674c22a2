//! `infiniloom man`: the manual page.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};

use crate::error::CliError;

pub(super) fn command() -> Command {
    Command::new("man")
        .about("Print the manual page, of the whole program or of a command")
        .after_help("To read it: infiniloom man | man -l -")
        .arg(Arg::new("command").value_name("COMMAND").help("A command"))
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let mut program = crate::command();
    program.build();
    let page = match matches.get_one::<String>("command") {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(CliError::user(format!("no command {name:?}"))),
        },
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut text);
    rendered.map_err(|error| CliError::io("cannot write the manual page", &error))?;
    super::print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
