//! What a command reads: paths, a list of them, remotes, and the commit that they
//! are read from.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, ValueHint, value_parser};
use infiniloom::host::{
    Address, Cancel, OpenError, RemoteChoice, RemoteError, Separator, Source, Watch, split_list,
};

use super::error::{CliError, Kind};
use super::interrupt::add_unfinished;
use super::progress::FetchLine;
use super::ui::Ui;

/// The arguments that say what is read.
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

/// `--rev REV`.
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

/// The revision that the user named.
pub(super) fn revision(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("rev").map(String::as_str)
}

/// Opens everything that the arguments name.
pub(super) fn open(matches: &ArgMatches, cancel: &Cancel, ui: Ui) -> Result<Source, CliError> {
    let revision = revision(matches);
    if matches.get_flag("stdin") {
        return open_list(matches, revision);
    }
    let branch = matches.get_one::<String>("branch").map(String::as_str);
    let named: Vec<PathBuf> = match matches.get_many("path") {
        Some(paths) => paths.cloned().collect(),
        None => vec![PathBuf::from(".")],
    };
    let (mut local, mut remotes) = (Vec::new(), Vec::new());
    for path in named {
        match address(&path, revision)? {
            Some(address) => remotes.push(address),
            None => local.push(path),
        }
    }
    if branch.is_some() && remotes.is_empty() {
        let error = CliError::user("--branch is for remotes, and none is named");
        return Err(error.hint("--rev REV reads a commit of a repository here"));
    }
    let mut sources = Vec::new();
    if !local.is_empty() {
        sources.push(open_paths(&local, revision)?);
    }
    for address in &remotes {
        let watch = Fetching::new(cancel, ui, address);
        let choice = RemoteChoice {
            branch,
            revision,
            commits: commits(matches),
        };
        let opened = Source::open_remote(address, choice, &watch);
        sources.push(opened.map_err(|error| explained(error, address))?);
    }
    Ok(Source::join(sources))
}

/// The commits that `--log` shows, and one more: what the last one changed is seen
/// beside it.
fn commits(matches: &ArgMatches) -> usize {
    let log = matches.try_get_raw("pack.log").ok().flatten();
    let log = log.and_then(|mut values| values.next_back()?.to_str()?.parse::<usize>().ok());
    log.map_or(0, |log| log.saturating_add(1))
}

/// A mistyped path may have been taken for an address.
fn explained(error: RemoteError, address: &Address) -> CliError {
    let error = CliError::from(error);
    match address.is_short() && error.kind == Kind::User {
        true => error.hint(format!(
            "there is no such path here, so {address} was meant"
        )),
        false => error,
    }
}

/// Opens the paths, as they are or as the commit `revision` has them.
pub(super) fn open_paths(
    paths: &[impl AsRef<Path>],
    revision: Option<&str>,
) -> Result<Source, OpenError> {
    match revision {
        Some(revision) => Source::open_revision(paths, revision),
        None => Source::open(paths),
    }
}

/// The remote that the user named, if it is one. What the commit has that is to be
/// read is a path, although the working tree has nothing of that name.
fn address(path: &Path, revision: Option<&str>) -> Result<Option<Address>, CliError> {
    let Some(text) = path.to_str() else {
        return Ok(None);
    };
    let in_commit = |revision| Source::open_revision(&[path], revision).is_ok();
    if !Address::is_plain(text) && revision.is_some_and(in_commit) {
        return Ok(None);
    }
    Ok(Address::parse(text)?)
}

fn open_list(matches: &ArgMatches, revision: Option<&str>) -> Result<Source, CliError> {
    let mut list = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut list);
    read.map_err(|error| CliError::io("cannot read the list of paths", &error))?;
    let separator = match matches.get_flag("null") {
        true => Separator::Nul,
        false => Separator::Detect,
    };
    let paths = split_list(&list, separator);
    if paths.is_empty() {
        let error = CliError::user("no paths on standard input");
        return Err(error.hint("`git diff --name-only -z | infiniloom pack --stdin` lists some, at the top of a repository"));
    }
    Ok(Source::open_list(Path::new("."), &paths, revision)?)
}

/// Follows a fetch on a terminal.
struct Fetching<'a> {
    cancel: &'a Cancel,
    line: FetchLine,
}

impl<'a> Fetching<'a> {
    fn new(cancel: &'a Cancel, ui: Ui, address: &Address) -> Self {
        let line = FetchLine::new(ui, &address.to_string());
        Self { cancel, line }
    }
}

impl Watch for Fetching<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn is_interactive(&self) -> bool {
        std::io::stderr().is_terminal()
    }

    fn progress(&self, words: &str) {
        self.line.show(words);
    }

    fn made_folder(&self, folder: &Path) {
        add_unfinished(folder);
    }
}
