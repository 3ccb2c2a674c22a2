//! `infiniloom why PATH`: which rule decides about a path.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use loom_host::{PackOptions, Packer, RepoPath, Rule, Source, Verdict, pack_options};
use loom_settings::Group;
use loom_wire::WhyInfo;

use crate::cli::error::CliError;
use crate::cli::flags;
use crate::cli::outputs::Outputs;

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
    let source = Source::open(&[closest_folder(path)])?;
    let resolved = super::config::config_files(matches)
        .resolve(Some(&source), flags::layer(matches, GROUPS))?;
    let outputs = Outputs::locate(resolved.settings(), &source).all();
    let options = pack_options(&resolved, &outputs)?;
    let asked = source
        .why(path, &options.scan)
        .map_err(|error| CliError::user(error.to_string()))?;
    Ok(info(asked, path, options))
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

fn info((path, verdict): (RepoPath, Verdict), file: &Path, options: PackOptions) -> WhyInfo {
    let by_contents = |file, options| by_contents(&path, &verdict, file, options);
    let of_rule =
        |packed: bool, reason: &str, rule: &Rule, matched: &RepoPath, detail: String| WhyInfo {
            path: path.to_string(),
            packed,
            reason: reason.to_owned(),
            detail,
            rule: Some(rule.to_string()),
            matched: Some(matched.to_string()),
        };
    match &verdict {
        Verdict::LeftOut { at, rule } => {
            let place = if *at == path {
                String::new()
            } else {
                format!(" on {at}/")
            };
            of_rule(
                false,
                rule.source.kind(),
                rule,
                at,
                format!("left out by {rule}{place}"),
            )
        }
        Verdict::TakenBy(rule) => {
            let detail = format!("packed because of {rule}");
            by_contents(file, options)
                .unwrap_or_else(|| of_rule(true, rule.source.kind(), rule, &path, detail))
        }
        Verdict::TakenAsTracked(rule) => {
            let detail = format!("packed because git tracks it, although {rule} matches");
            by_contents(file, options)
                .unwrap_or_else(|| of_rule(true, "tracked", rule, &path, detail))
        }
        Verdict::Taken => by_contents(file, options)
            .unwrap_or_else(|| plain(&path, true, "no-rule", "packed: no rule leaves it out")),
        Verdict::Absent => plain(&path, false, "absent", "not there; no rule leaves it out"),
        _ => by_contents(file, options)
            .unwrap_or_else(|| plain(&path, false, "special-file", "not a plain file")),
    }
}

/// Whether what the file is or holds leaves it out although the rules take it.
fn by_contents(
    path: &RepoPath,
    verdict: &Verdict,
    file: &Path,
    options: PackOptions,
) -> Option<WhyInfo> {
    let meta = file.symlink_metadata().ok()?;
    if meta.is_dir() {
        return None;
    }
    if !meta.is_file() {
        let detail = if meta.is_symlink() {
            "left out: symbolic link, not followed"
        } else {
            "left out: special file"
        };
        return Some(plain(
            path,
            false,
            if meta.is_symlink() {
                "symlink"
            } else {
                "special-file"
            },
            detail,
        ));
    }
    let packer = Packer::open(&[file], options).ok()?;
    let (_, reason) = packer.left_out_all_the_same(verdict)?;
    Some(plain(
        path,
        false,
        reason.kind(),
        &format!("left out: {reason}"),
    ))
}

fn plain(path: &RepoPath, packed: bool, reason: &str, detail: &str) -> WhyInfo {
    WhyInfo {
        path: path.to_string(),
        packed,
        reason: reason.to_owned(),
        detail: detail.to_owned(),
        rule: None,
        matched: None,
    }
}
