//! Changes of the files of clients: shown, confirmed and made. `mcp install` and `skill install` share
//! this.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};
use loom_base::printable;
use loom_mcp::{CLIENTS, Change, Client, InstallPart, Installation, Places, Scope, SetupError};

use super::{list_arg, print, switch, words};
use crate::error::CliError;
use crate::ui::Ui;

/// Parts to install for a client or to remove.
pub(super) struct Request<'a> {
    matches: &'a ArgMatches,
    client: &'static Client,
    parts: &'a [InstallPart],
    places: Places,
    directory: PathBuf,
}

impl<'a> Request<'a> {
    pub(super) fn new(
        matches: &'a ArgMatches,
        client: &'static Client,
        parts: &'a [InstallPart],
    ) -> Result<Self, CliError> {
        let directory = std::env::current_dir();
        Ok(Self {
            matches,
            client,
            parts,
            places: Places::here(),
            directory: directory
                .map_err(|error| CliError::io("cannot tell the current folder", &error))?,
        })
    }

    fn installation<'s>(&'s self, command: &'s str, roots: &'s [String]) -> Installation<'s> {
        Installation {
            client: self.client,
            scope: scope(self.matches),
            places: &self.places,
            folder: &self.directory,
            command,
            roots,
        }
    }

    /// Installs the parts after confirmation.
    pub(super) fn install(&self, command: &str, roots: &[String]) -> Result<(), CliError> {
        let installation = self.installation(command, roots);
        let changes = installation.plan(self.parts).map_err(setup_error)?;
        if changes.is_empty() {
            Ui::fallback().say(&format!("{}: already there, nothing to do", self.title()));
            return Ok(());
        }
        if self.make(&changes)? {
            Ui::fallback().say(&format!("restart {} to use it", self.title()));
        }
        Ok(())
    }

    /// Removes the installed parts after confirmation.
    pub(super) fn uninstall(&self) -> Result<(), CliError> {
        let installation = self.installation("infiniloom", &[]);
        let changes = installation.plan_removal(self.parts).map_err(setup_error)?;
        if changes.is_empty() {
            Ui::fallback().say(&format!("{}: not there, nothing to do", self.title()));
            return Ok(());
        }
        self.make(&changes).map(drop)
    }

    fn title(&self) -> &'static str {
        self.client.title
    }

    /// Shows the changes, and makes them after confirmation.
    fn make(&self, changes: &[Change]) -> Result<bool, CliError> {
        for change in changes {
            print(&shown(change))?;
        }
        if self.matches.get_flag("dry-run") {
            return Ok(false);
        }
        if !self.matches.get_flag("yes") && !agreed()? {
            Ui::fallback().say("nothing was written");
            return Ok(false);
        }
        for change in changes {
            change.make().map_err(setup_error)?;
            let verb = match change.new {
                Some(_) => "wrote",
                None => "removed",
            };
            Ui::fallback().say(&format!("{verb} {}", change.path.display()));
            if let Some(copy) = change.copy() {
                Ui::fallback().say(&format!("what it was before is in {}", copy.display()));
            }
        }
        Ok(true)
    }
}

/// Creates `--client`, which may be repeated.
pub(super) fn client_arg() -> Arg {
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    list_arg("client", "NAME", "Whose configuration").value_parser(names)
}

pub(super) fn with_common(command: Command) -> Command {
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

pub(super) fn clients(matches: &ArgMatches) -> Vec<&'static Client> {
    let names = words(matches, "client");
    names
        .iter()
        .filter_map(|name| Client::named(name))
        .collect()
}

pub(super) fn scope(matches: &ArgMatches) -> Scope {
    match matches.get_one::<String>("scope").map(String::as_str) {
        Some("project") => Scope::Project,
        _ => Scope::User,
    }
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
        SetupError::NoFile {
            scope: "project", ..
        } => CliError::user(error.to_string()).hint("leave out --scope project"),
        SetupError::NoFile { .. } => {
            CliError::user(error.to_string()).hint("set HOME to the home directory")
        }
        SetupError::NoPart { .. } => CliError::user(error.to_string())
            .hint("claude-code and codex have hooks, instructions and skills"),
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
