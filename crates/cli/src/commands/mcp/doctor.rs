//! `infiniloom mcp doctor`: checks the configuration of clients, and whether the server answers.

use std::process::ExitCode;

use clap::{ArgMatches, Command};
use loom_mcp::{Check, Doctor, Outcome, Places};
use loom_wire::{FORMAT_VERSION, McpCheck, McpDoctor};

use crate::commands::{format_arg, print, print_json, wants_json};
use crate::error::{CliError, ExitKind};
use crate::flags;

pub(super) fn command() -> Command {
    let command = Command::new("doctor")
        .about("Check that clients can start the server and that it answers")
        .after_help(
            "Looks at the files of the clients, for you and for the current folder, starts what they \
             name, and asks it for its tools. A program that a project's file names is only started \
             when it is this one. Exit code 1 when something is wrong.\n\n\
             Examples:\n  infiniloom mcp doctor\n  infiniloom mcp doctor --client zed --format json",
        )
        .arg(crate::commands::client_setup::client_arg())
        .arg(format_arg());
    flags::with_settings(command, super::GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let failed = |error| CliError::io("cannot tell where this is", &error);
    let doctor = Doctor {
        places: Places::here(),
        folder: std::env::current_dir().map_err(failed)?,
        opener: super::opener(matches),
        program: std::env::current_exe().map_err(failed)?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        roots_in: std::sync::Arc::new(super::roots_in),
    };
    let checks = doctor.examine(&crate::commands::client_setup::clients(matches));
    let is_well = !checks.iter().any(|check| check.outcome == Outcome::Wrong);
    match wants_json(matches) {
        true => print_json(&McpDoctor {
            format_version: FORMAT_VERSION,
            version: doctor.version,
            ok: is_well,
            checks: checks.iter().map(info).collect(),
        })?,
        false => print(&text(&checks))?,
    }
    Ok(match is_well {
        true => ExitCode::SUCCESS,
        false => ExitKind::Refused.exit_code(),
    })
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Well => "ok",
        Outcome::Note => "note",
        Outcome::Wrong => "wrong",
    }
}

fn info(check: &Check) -> McpCheck {
    McpCheck {
        client: check.client.map(str::to_owned),
        subject: check.subject.to_owned(),
        outcome: word(check.outcome).to_owned(),
        found: check.found.clone(),
        advice: check.advice.clone(),
    }
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let client = check
            .client
            .map(|name| format!("{name} "))
            .unwrap_or_default();
        let outcome = word(check.outcome);
        let found = loom_base::printable(&check.found);
        text.push_str(&format!("{outcome:5} {client}{}: {found}\n", check.subject));
        if let Some(advice) = &check.advice {
            text.push_str(&format!("      do: {advice}\n"));
        }
    }
    text
}
