//! `infiniloom why PATH`: names the rule that decides about a path.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use infiniloom::{Control, Root, Why};
use loom_settings::Group;
use loom_wire::WhyInfo;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::{flags, sources};

const GROUPS: &[Group] = &[Group::Scan];

pub(super) fn command() -> Command {
    let command = Command::new("why")
        .about("Say which rule packs a path or leaves it out")
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("Files or folders of a repository"),
        )
        .arg(sources::rev_arg())
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = matches.get_many::<PathBuf>("path").into_iter().flatten();
    let answers: Vec<_> = paths
        .map(|path| answer(matches, path))
        .collect::<Result<_, _>>()?;
    if super::wants_json(matches) {
        super::print_json(&answers)?;
    } else {
        let text = answers
            .iter()
            .map(|answer| format!("{}: {}\n", answer.path, answer.detail));
        super::print(&text.collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(matches: &ArgMatches, path: &Path) -> Result<WhyInfo, CliError> {
    let engine = library::unchecked_engine(matches, GROUPS);
    let root = match sources::revision(matches) {
        Some(revision) => Root::repository_of(path).revision(revision),
        None => Root::path(closest_folder(path)),
    };
    let opened = Opened::open_roots(&engine, [root], &Control::new())?;
    let here = std::env::current_dir().unwrap_or_default();
    let why = Why::new(path).from_directory(here);
    Ok(why.run(&opened.snapshot()?)?)
}

/// Returns the directory by whose rules the path is judged: the current directory if the path is
/// inside it, else the closest existing directory above the path.
fn closest_folder(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    if full.starts_with(&here) && !here.as_os_str().is_empty() {
        return here;
    }
    let parent = full.parent().unwrap_or(&full);
    let existing = parent.ancestors().find(|above| above.is_dir());
    existing.unwrap_or(Path::new("/")).to_owned()
}
