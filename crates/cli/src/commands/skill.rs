//! `infiniloom skill install` and `uninstall`: teach a coding agent the tools of the server.

use std::process::ExitCode;

use clap::{ArgMatches, Command};
use loom_mcp::InstallPart;

use super::client_setup::{self, Request};
use crate::error::CliError;

pub(super) fn command() -> Command {
    let install = Command::new("install")
        .about("Install the skill for a client")
        .after_help(
            "The skill names a tool and a command for each task. Claude Code and Codex list it at their \
             next start. Shows the file, and asks before it is written.\n\n\
             Examples:\n  infiniloom skill install --client claude-code\n  \
             infiniloom skill install --client codex --scope project",
        );
    let uninstall = Command::new("uninstall").about("Remove the skill from a client");
    Command::new("skill")
        .about("Teach a coding agent to use infiniloom")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(client_setup::with_common(install))
        .subcommand(client_setup::with_common(uninstall))
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let Some((verb, matches)) = matches.subcommand() else {
        return Ok(ExitCode::SUCCESS);
    };
    for client in client_setup::clients(matches) {
        let request = Request::new(matches, client, &[InstallPart::Skill])?;
        match verb {
            "install" => request.install("infiniloom", &[])?,
            _ => request.uninstall()?,
        }
    }
    Ok(ExitCode::SUCCESS)
}
