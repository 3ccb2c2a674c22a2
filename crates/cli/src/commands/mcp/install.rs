//! `infiniloom mcp install` and `uninstall`: add the server to a client's configuration, and remove
//! it.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use loom_base::printable;
use loom_mcp::{CLIENTS, Change, Client, Places, Scope, SetupError, plan_install, plan_uninstall};

use crate::commands::{list_arg, print, switch, words};
use crate::error::CliError;
use crate::ui::Ui;

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
    with_common(command)
}

pub(super) fn uninstall_command() -> Command {
    let command =
        Command::new("uninstall").about("Take the server out of a client's configuration again");
    with_common(command)
}

/// Creates `--client`, which may be repeated.
pub(super) fn client_arg() -> Arg {
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    list_arg("client", "NAME", "Whose configuration").value_parser(names)
}

fn with_common(command: Command) -> Command {
    command
        .arg(client_arg().required(true))
        .arg(
            Arg::new("scope")
                .long("scope")
                .value_name("SCOPE")
                .value_parser(["user", "project"])
                .default_value("user")
                .help("For you everywhere, or for everybody in the current folder"),
        )
        .arg(switch("dry-run", "Show the change and make none"))
        .arg(switch("yes", "Do not ask").short('y'))
}

pub(super) fn install(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let scope = scope(matches);
    let roots = roots(matches, scope)?;
    let command = command_of(scope)?;
    each(matches, |client, path| {
        if client.needs_root && roots.is_empty() {
            let error = CliError::user(format!(
                "{} starts servers in no folder of use",
                client.title
            ));
            return Err(error.hint("name what it shall serve with --root FOLDER"));
        }
        let args: Vec<String> = std::iter::once("mcp".to_owned())
            .chain(roots.clone())
            .collect();
        let planned = plan_install(client, path, &command, &args).map_err(setup_error)?;
        let Some(change) = planned else {
            Ui::fallback().say(&format!("{}: already there, nothing to do", path.display()));
            return Ok(());
        };
        if make(matches, &change)? {
            Ui::fallback().say(&format!(
                "wrote {}; restart {} to use it",
                path.display(),
                client.title
            ));
            tell_copy(&change);
        }
        Ok(())
    })
}

pub(super) fn uninstall(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    each(matches, |client, path| {
        let planned = plan_uninstall(client, path).map_err(setup_error)?;
        let Some(change) = planned else {
            Ui::fallback().say(&format!("{}: not there, nothing to do", path.display()));
            return Ok(());
        };
        if make(matches, &change)? {
            let what = if change.new.is_some() {
                "wrote"
            } else {
                "removed"
            };
            Ui::fallback().say(&format!("{what} {}", path.display()));
            tell_copy(&change);
        }
        Ok(())
    })
}

fn tell_copy(change: &Change) {
    if let Some(copy) = change.copy() {
        Ui::fallback().say(&format!("what it was before is in {}", copy.display()));
    }
}

fn each(
    matches: &ArgMatches,
    mut work: impl FnMut(&'static Client, &Path) -> Result<(), CliError>,
) -> Result<ExitCode, CliError> {
    let (scope, places) = (scope(matches), Places::here());
    let folder = std::env::current_dir()
        .map_err(|error| CliError::io("cannot tell the current folder", &error))?;
    for client in clients(matches) {
        let Some(path) = client.file(scope, &places, &folder) else {
            let error = CliError::user(match scope {
                Scope::Project => format!("{} has no configuration for a project", client.title),
                Scope::User => "there is no home folder to put the file in".to_owned(),
            });
            return Err(match scope {
                Scope::Project => error.hint("leave out --scope project"),
                Scope::User => error,
            });
        };
        work(client, &path)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn clients(matches: &ArgMatches) -> Vec<&'static Client> {
    let names = words(matches, "client");
    names
        .iter()
        .filter_map(|name| Client::named(name))
        .collect()
}

fn scope(matches: &ArgMatches) -> Scope {
    match matches.get_one::<String>("scope").map(String::as_str) {
        Some("project") => Scope::Project,
        _ => Scope::User,
    }
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

/// Shows the change, and applies it after confirmation. Returns whether it was applied.
fn make(matches: &ArgMatches, change: &Change) -> Result<bool, CliError> {
    print(&shown(change))?;
    if matches.get_flag("dry-run") {
        return Ok(false);
    }
    if !matches.get_flag("yes") && !agreed()? {
        Ui::fallback().say("nothing was written");
        return Ok(false);
    }
    change.make().map_err(setup_error)?;
    Ok(true)
}

fn agreed() -> Result<bool, CliError> {
    if !std::io::stdin().is_terminal() {
        let error = CliError::user(
            "cannot ask for confirmation: standard input is not a terminal; nothing was written",
        );
        return Err(error.hint("pass `--yes` to apply the change, or `--dry-run` to show it"));
    }
    let mut errors = std::io::stderr();
    let _ = write!(errors, "Make this change? [y/N] ").and_then(|()| errors.flush());
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| CliError::io("cannot read the answer", &error))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn setup_error(error: SetupError) -> CliError {
    match error {
        SetupError::Text { .. } => CliError::user(error.to_string())
            .hint("nothing was written; correct the file there and try again"),
        SetupError::Changed(_) => CliError::user(error.to_string()).hint("try again"),
        error => CliError::user(error.to_string()),
    }
}

/// Formats the changed lines. The lines around them may be secret, and are not shown.
fn shown(change: &Change) -> String {
    let (old, new) = (
        change.old.as_deref().unwrap_or(""),
        change.new.as_deref().unwrap_or(""),
    );
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let top = same(&mut before.iter().zip(&after));
    let most = before.len().min(after.len()) - top;
    let bottom = same(&mut before.iter().rev().zip(after.iter().rev())).min(most);
    let gone = &before[top..before.len() - bottom];
    let come = &after[top..after.len() - bottom];
    let mut text = format!("{}, line {}:\n", change.path.display(), top + 1);
    if let ([gone], [come]) = (gone, come) {
        let (gone, come) = differing(gone, come);
        return text + &format!("- {}\n+ {}\n", printable(gone), printable(come));
    }
    for (mark, lines) in [("-", gone), ("+", come)] {
        for line in lines {
            text.push_str(&format!("{mark} {}\n", printable(line)));
        }
    }
    text
}

/// Returns the different parts of two lines: the rest of a one-line file may be secret.
fn differing<'l>(one: &'l str, other: &'l str) -> (&'l str, &'l str) {
    let pairs = one.char_indices().zip(other.chars());
    let start = pairs
        .take_while(|((_, a), b)| a == b)
        .map(|((at, a), _)| at + a.len_utf8())
        .last();
    let start = start.unwrap_or(0);
    let (one, other) = (&one[start..], &other[start..]);
    let ends = one.chars().rev().zip(other.chars().rev());
    let end: usize = ends
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    (&one[..one.len() - end], &other[..other.len() - end])
}
