//! The input of a command: paths, a list of paths, remotes, and the commit to read them from.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::{Arg, ArgAction, ArgMatches, ValueHint, value_parser};
use infiniloom::{Control, FetchEvent, Infiniloom, ListSeparator, Root};

use super::error::CliError;
use super::interrupt::add_unfinished;
use super::library::Opened;
use super::progress::FetchLine;
use super::ui::Ui;

/// Creates the arguments that select the input.
pub(super) fn args() -> Vec<Arg> {
    vec![
        Arg::new("path")
            .value_name("PATH|URL")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::AnyPath)
            .num_args(0..)
            .help("Folders, files or remote repositories; the current folder when none is given")
            .long_help(
                "Folders, files or remote repositories; the current folder when none is given\n\n\
                 A remote is an https, ssh, git or file address, git@host:path, a page of GitHub, \
                 GitLab, Bitbucket or Gitea with a branch and path, or owner/repo on GitHub when \
                 there is no such path here.",
            ),
        rev_arg(),
        Arg::new("branch")
            .long("branch")
            .value_name("NAME")
            .conflicts_with_all(["rev", "stdin"])
            .help("Read the branch or tag NAME of a remote"),
        Arg::new("stdin")
            .long("stdin")
            .action(ArgAction::SetTrue)
            .conflicts_with("path")
            .help("Read only the paths listed on standard input")
            .long_help(
                "Read only the paths listed on standard input\n\nOne a line, or with NUL between \
                 them; relative to the current folder. What is listed is taken whatever the \
                 ignore files say, and a folder stands for all that is in it.",
            ),
        Arg::new("null")
            .long("null")
            .short('0')
            .action(ArgAction::SetTrue)
            .requires("stdin")
            .help("The paths on standard input have NUL between them, and nothing else"),
    ]
}

/// Creates `--rev REV`.
pub(super) fn rev_arg() -> Arg {
    Arg::new("rev")
        .long("rev")
        .value_name("REV")
        .help("Read the commit REV of the repository, not the working tree")
        .long_help(
            "Read the commit REV of the repository, not the working tree\n\nA branch, a tag, a \
             hash or the start of one, HEAD~3, origin/main. The working tree is not touched; a \
             bare repository needs none. Of a remote: a branch, a tag or a full hash.",
        )
}

/// Returns the revision that the user named.
pub(super) fn revision(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("rev").map(String::as_str)
}

/// Opens all paths and remotes of the arguments. If the process is interrupted, unfinished fetches
/// are removed.
pub(super) fn open(
    matches: &ArgMatches,
    engine: &Infiniloom,
    ui: Ui,
    control: &Control,
) -> Result<Opened, CliError> {
    let roots = match matches.get_flag("stdin") {
        true => vec![listed(matches)?],
        false => named(matches)?,
    };
    let line = Mutex::new(None::<FetchLine>);
    let follow = move |event: &FetchEvent| match event {
        FetchEvent::Message { url, text, .. } => {
            let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
            let is_other = line.as_ref().is_some_and(|line| !line.is_about(url));
            if is_other {
                *line = None;
            }
            line.get_or_insert_with(|| FetchLine::new(ui, url))
                .show(text);
        }
        FetchEvent::Directory { path, .. } => add_unfinished(path),
        _ => {}
    };
    let control = control.clone().while_fetching(follow);
    let control = control.interactive(std::io::stderr().is_terminal());
    Opened::open_roots(engine, roots, &control).map_err(|error| error.told_by(ui))
}

/// Returns the paths and remotes of the arguments.
fn named(matches: &ArgMatches) -> Result<Vec<Root>, CliError> {
    let revision = revision(matches);
    let branch = matches.get_one::<String>("branch");
    let paths = match matches.get_many::<PathBuf>("path") {
        Some(paths) => paths.cloned().collect(),
        None => vec![PathBuf::from(".")],
    };
    let mut roots = Vec::new();
    for path in paths {
        roots.push(match (path.to_str(), revision) {
            (Some(text), Some(revision)) => Root::parse_at(text, revision)?,
            (Some(text), None) => Root::parse(text)?,
            (None, Some(revision)) => Root::path(path).revision(revision),
            (None, None) => Root::path(path),
        });
    }
    let Some(branch) = branch else {
        return Ok(roots);
    };
    if !roots.iter().any(Root::is_remote) {
        let error = CliError::user("--branch is for remotes, and none is named");
        return Err(error.hint("--rev REV reads a commit of a repository here"));
    }
    let roots = roots.into_iter().map(|root| match root.is_remote() {
        true => root.branch(branch),
        false => root,
    });
    Ok(roots.collect())
}

fn listed(matches: &ArgMatches) -> Result<Root, CliError> {
    let mut list = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut list);
    read.map_err(|error| CliError::io("cannot read the list of paths", &error))?;
    let separator = match matches.get_flag("null") {
        true => ListSeparator::Nul,
        false => ListSeparator::Detect,
    };
    let root = Root::parse_list(".", &list, separator).map_err(|_| {
        let error = CliError::user("no paths on standard input");
        error.hint("`git diff --name-only -z | infiniloom pack --stdin` lists some, at the top of a repository")
    })?;
    Ok(match revision(matches) {
        Some(revision) => root.revision(revision),
        None => root,
    })
}
