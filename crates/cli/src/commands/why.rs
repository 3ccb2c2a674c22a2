//! `infiniloom why PATH`: which rule decides about a path.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use infiniloom::host::{Cancel, Packer, Reason, RepoPath, Rule, Source, Verdict, pack_options};
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
    let mut answer = info(&at, &verdict, by_contents);
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

/// The verdict in words. `by_contents` says whether what the file holds leaves it out
/// although the rules take it.
fn info(
    path: &RepoPath,
    verdict: &Verdict,
    by_contents: impl FnOnce() -> Option<Reason>,
) -> WhyInfo {
    let taken = |answer: WhyInfo| match by_contents() {
        Some(reason) => left_out(path, &reason),
        None => answer,
    };
    match verdict {
        Verdict::LeftOut { at, rule } => {
            let place = if at == path {
                String::new()
            } else {
                format!(" on {at}/")
            };
            let answer = plain(
                path,
                false,
                rule.source.kind(),
                &format!("left out by {rule}{place}"),
            );
            of_rule(answer, rule, at)
        }
        Verdict::TakenBy(rule) => {
            let detail = format!("packed because of {rule}");
            let answer = plain(path, true, rule.source.kind(), &detail);
            taken(of_rule(answer, rule, path))
        }
        Verdict::TakenAsTracked(rule) => {
            let detail = format!("packed because git tracks it, although {rule} matches");
            taken(of_rule(plain(path, true, "tracked", &detail), rule, path))
        }
        Verdict::LeftOutAs(reason) => left_out(path, reason),
        Verdict::Absent => plain(path, false, "absent", "not there; no rule leaves it out"),
        _ => taken(plain(
            path,
            true,
            "no-rule",
            "packed: no rule leaves it out",
        )),
    }
}

fn left_out(path: &RepoPath, reason: &Reason) -> WhyInfo {
    plain(path, false, reason.kind(), &format!("left out: {reason}"))
}

fn of_rule(answer: WhyInfo, rule: &Rule, matched: &RepoPath) -> WhyInfo {
    WhyInfo {
        rule: Some(rule.to_string()),
        matched: Some(matched.to_string()),
        ..answer
    }
}

fn plain(path: &RepoPath, packed: bool, reason: &str, detail: &str) -> WhyInfo {
    let name = if path.is_root() {
        ".".to_owned()
    } else {
        path.to_string()
    };
    WhyInfo {
        path: name,
        packed,
        reason: reason.to_owned(),
        detail: detail.to_owned(),
        rule: None,
        matched: None,
    }
}
