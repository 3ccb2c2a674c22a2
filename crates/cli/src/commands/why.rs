//! `infiniloom why PATH`: which rule decides about a path.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use infiniloom::host::{Cancel, Packer, Source, pack_options};
use infiniloom::results;
use loom_settings::Group;
use loom_wire::WhyInfo;

use crate::error::CliError;
use crate::outputs::Outputs;
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
    let revision = sources::revision(matches);
    let source = match revision {
        Some(revision) => Source::open_repository(path, revision)?,
        None => Source::open(&[closest_folder(path)])?,
    };
    let resolved = super::config::resolve(matches, Some(&source), flags::layer(matches, GROUPS))?;
    let outputs = Outputs::locate(resolved.settings(), &source).all();
    let options = pack_options(&resolved, &outputs)?;
    let (at, verdict) = source
        .why(path, &options.scan)
        .map_err(|error| CliError::user(error.to_string()))?;
    let form = options
        .shorten
        .form_of(&at)
        .ok()
        .and_then(|form| form.name());
    let redactor = Packer::new(source, options.clone()).message_redactor(&Cancel::new())?;
    let by_contents = || {
        let source = sources::open_paths(&[path], revision).ok()?;
        let packer = Packer::new(source, options);
        packer.left_out_all_the_same(&verdict)
    };
    let mut answer = results::why::info(&at, &verdict, by_contents);
    if let Some(form) = form.filter(|_| answer.packed) {
        answer.detail.push_str(&format!("; in the form {form}"));
    }
    let texts = [&mut answer.path, &mut answer.detail];
    let texts = texts
        .into_iter()
        .chain(&mut answer.rule)
        .chain(&mut answer.matched);
    redactor.redact(texts);
    Ok(answer)
}

/// The folder whose repository or tree the path belongs to: where the program was
/// started when the path lies there, else the closest one above it that exists.
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
