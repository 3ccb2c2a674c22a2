//! `infiniloom mcp install` and `uninstall`: add the server to a client's configuration, and remove
//! it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use loom_mcp::{InstallPart, Scope};

use crate::commands::client_setup::{self, Request};
use crate::commands::switch;
use crate::error::CliError;

pub(super) fn install_command() -> Command {
    let command = Command::new("install")
        .about("Put the server into a client's configuration")
        .after_help(
            "Shows the change, and asks before it is made; what else stands in the file stays as it is. \
             The file as it was is kept beside it.\n\n\
             Examples:\n  infiniloom mcp install --client claude-code\n  \
             infiniloom mcp install --client cursor --scope project\n  \
             infiniloom mcp install --client claude-desktop --root ~/shop --dry-run",
        )
        .arg(
            Arg::new("root")
                .long("root")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .action(ArgAction::Append)
                .help("A folder to serve; without one, those that the client names or starts in"),
        );
    let command = command
        .arg(switch(
            "hooks",
            "Add hooks too, which give the agent its working files after a compaction",
        ))
        .arg(switch(
            "instructions",
            "Add lines about the use of the server too (CLAUDE.md, AGENTS.md)",
        ));
    client_setup::with_common(command)
}

pub(super) fn uninstall_command() -> Command {
    let command =
        Command::new("uninstall").about("Take the server out of a client's configuration again");
    client_setup::with_common(command)
}

pub(super) fn install(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let scope = client_setup::scope(matches);
    let roots = roots(matches, scope)?;
    let mut parts = vec![InstallPart::Server];
    let extra = [
        ("hooks", InstallPart::Hooks),
        ("instructions", InstallPart::Instructions),
    ];
    let wanted = extra.into_iter().filter(|(flag, _)| matches.get_flag(flag));
    parts.extend(wanted.map(|(_, part)| part));
    for client in client_setup::clients(matches) {
        if client.needs_root && roots.is_empty() {
            let error = CliError::user(format!(
                "{} starts servers in no folder of use",
                client.title
            ));
            return Err(error.hint("name what it shall serve with --root FOLDER"));
        }
        let request = Request::new(matches, client, &parts)?;
        request.install(&command_of(scope)?, &roots)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn uninstall(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let parts = [
        InstallPart::Server,
        InstallPart::Hooks,
        InstallPart::Instructions,
    ];
    for client in client_setup::clients(matches) {
        Request::new(matches, client, &parts)?.uninstall()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the directories for the configuration: full paths in a user's file, the given paths in a
/// project's.
fn roots(matches: &ArgMatches, scope: Scope) -> Result<Vec<String>, CliError> {
    let given = matches.get_many::<PathBuf>("root").into_iter().flatten();
    let root = |path: &PathBuf| {
        let full = path.canonicalize().ok().filter(|full| full.is_dir());
        let full =
            full.ok_or_else(|| CliError::user(format!("not a folder: {}", path.display())))?;
        let path = if scope == Scope::User { &full } else { path };
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| CliError::user(format!("not UTF-8: {}", path.display())))
    };
    given.map(root).collect()
}

/// Returns the command that starts the server. Graphical programs lack the shell's PATH, so a
/// user's file contains the full path; a project's file must work on other machines, too.
fn command_of(scope: Scope) -> Result<String, CliError> {
    if scope == Scope::Project {
        return Ok("infiniloom".to_owned());
    }
    let program = std::env::current_exe()
        .map_err(|error| CliError::io("cannot tell where this program is", &error))?;
    let name = format!("infiniloom{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_this = |path: &PathBuf| path.canonicalize().is_ok_and(|full| full == program);
    // A link in the PATH survives an update of the program.
    let linked = std::env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_absolute() && is_this(path));
    let program = linked.unwrap_or(program);
    let text = program.to_str().map(str::to_owned);
    text.ok_or_else(|| CliError::user(format!("not UTF-8: {}", program.display())))
}
