//! `infiniloom scan`: secrets in a tree, in what is staged, or in history.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{
    Baseline, Packer, ScanScope, SecretScan, SecretsMode, Source, pack_options, write_atomically,
};
use infiniloom::results;
use loom_settings::Group;

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::numbers::{number, plural, size};
use crate::progress::ProgressLine;
use crate::summary::secret;
use crate::ui::Ui;
use crate::{flags, sources};

const GROUPS: &[Group] = &[Group::Scan, Group::Secrets];

pub(super) fn command() -> Command {
    let command = Command::new("scan")
        .about("Look for secrets; exit with 1 when there are any")
        .after_help(
            "Examples:\n  infiniloom scan\n  infiniloom scan --staged\n  \
             infiniloom scan --rev main..HEAD --format sarif > secrets.sarif\n  \
             infiniloom scan --history --confidence high\n  \
             infiniloom scan --write-baseline secrets-baseline.json",
        )
        .arg(super::paths_arg(
            "Folders or files, or - for standard input; the current folder when none is given",
        ))
        .arg(
            Arg::new("staged")
                .long("staged")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["rev", "history"])
                .help("Look at what is staged and new against HEAD, as before a commit"),
        )
        .arg(
            Arg::new("rev")
                .long("rev")
                .value_name("REV|A..B")
                .conflicts_with("history")
                .help("Look at the commit REV, or at what the commits A..B brought in"),
        )
        .arg(
            Arg::new("history")
                .long("history")
                .action(ArgAction::SetTrue)
                .help("Look at what any commit up to HEAD brought in"),
        )
        .arg(
            Arg::new("write-baseline")
                .long("write-baseline")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help(
                    "Write what is found to FILE, to be allowed later by --baseline; exit with 0",
                ),
        )
        .arg(
            Arg::new("answer-format")
                .long("format")
                .short('f')
                .value_name("FORMAT")
                .value_parser(["text", "json", "sarif"])
                .default_value("text")
                .help("The form of the answer"),
        );
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let started = Instant::now();
    let cancel = cancel_on_interrupt();
    let paths = super::paths(matches);
    if paths.iter().any(|path| path == Path::new("-")) {
        return standard_input(matches, &paths, started);
    }
    let (source, scope) = open(matches, &paths)?;
    let resolved = super::config::resolve(matches, Some(&source), flags::layer(matches, GROUPS))?;
    let ui = Ui::new(&resolved.settings().ui);
    let mut options = pack_options(&resolved, &[])?;
    options.secrets.mode = SecretsMode::Warn;
    // Lock files and bundles can hold secrets too: only the ignore files are heeded.
    options.scan.default_ignore = false;
    let packer = Packer::new(source, options);
    let progress = ProgressLine::new(ui);
    let scan = packer
        .scan_for_secrets(&scope, &progress, &cancel)
        .map_err(|error| CliError::from(error).told_by(ui))?;
    drop(progress);
    scan.warnings.iter().for_each(|warning| ui.warn(warning));
    ui.warn_of_cache(&packer);
    conclude(matches, &scan, ui, started)
}

/// One text, which has no history.
fn standard_input(
    matches: &ArgMatches,
    paths: &[PathBuf],
    started: Instant,
) -> Result<ExitCode, CliError> {
    let has_more = paths.len() > 1
        || matches.get_flag("staged")
        || matches.get_flag("history")
        || matches.contains_id("rev");
    if has_more {
        let error = CliError::user("standard input is scanned alone, not with paths or history");
        return Err(error.hint("name - alone, or ./- for a file of that name"));
    }
    let resolved =
        super::config::config_files(matches).resolve(None, flags::layer(matches, GROUPS))?;
    let ui = Ui::new(&resolved.settings().ui);
    let mut secrets = pack_options(&resolved, &[])?.secrets;
    secrets.mode = SecretsMode::Warn;
    let text = super::standard_input()?.text;
    let scan = secrets.scan_text("(standard input)", &text);
    conclude(matches, &scan, ui, started)
}

fn conclude(
    matches: &ArgMatches,
    scan: &SecretScan,
    ui: Ui,
    started: Instant,
) -> Result<ExitCode, CliError> {
    tell(matches, scan, ui, started)?;
    if let Some(path) = matches.get_one::<PathBuf>("write-baseline") {
        let baseline = Baseline::of(&scan.found);
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        write_atomically(path, &baseline.to_json()).map_err(failed)?;
        let findings = plural(baseline.len(), "finding", "findings");
        ui.say(&format!("wrote {} with {findings}", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    Ok(match scan.found.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

fn open(matches: &ArgMatches, paths: &[PathBuf]) -> Result<(Source, ScanScope), CliError> {
    let revision = sources::revision(matches);
    if let Some((from, to)) = revision.and_then(|revision| revision.split_once("..")) {
        if to.starts_with('.') {
            let error = CliError::user(format!("{from}..{to} is no range of commits"));
            return Err(error.hint("two dots: A..B, what B has and A has not"));
        }
        let or_head = |name: &str| match name {
            "" => "HEAD".to_owned(),
            name => name.to_owned(),
        };
        let scope = ScanScope::Range(or_head(from), or_head(to));
        return Ok((sources::open_paths(paths, None)?, scope));
    }
    let source = sources::open_paths(paths, revision)?;
    Ok(match () {
        () if matches.get_flag("staged") => (source, ScanScope::Staged),
        () if matches.get_flag("history") => (source, ScanScope::History),
        () => (source, ScanScope::Tree),
    })
}

fn tell(matches: &ArgMatches, scan: &SecretScan, ui: Ui, started: Instant) -> Result<(), CliError> {
    let format = matches.get_one::<String>("answer-format");
    match format.map(String::as_str) {
        Some("json") => super::print_json(&results::scan::info(scan))?,
        Some("sarif") => {
            super::print_json(&results::sarif::log(&results::scan::info(scan).findings))?;
        }
        _ => {
            let lines = scan.found.iter().map(|one| secret(one, Ui::plain()) + "\n");
            super::print(&lines.collect::<String>())?;
        }
    }
    let count = match scan.found.len() {
        0 => "no secrets".to_owned(),
        count => plural(count, "secret", "secrets"),
    };
    let bytes = size(usize::try_from(scan.bytes).unwrap_or(usize::MAX));
    let files = plural(scan.scanned, "text", "texts");
    let took = started.elapsed().as_secs_f64();
    ui.say(&format!("{count} in {files}, {bytes}, in {took:.2} s"));
    let unread = scan
        .skipped
        .iter()
        .filter(|(_, reason)| !reason.is_expected());
    for (path, reason) in unread {
        ui.warn(&format!("{path} was not scanned: {reason}"));
    }
    let skipped: Vec<_> = scan
        .skipped
        .iter()
        .filter(|(_, reason)| reason.is_expected())
        .collect();
    if ui.verbose > 0 {
        for (path, reason) in skipped {
            ui.say(&format!("not scanned: {path}: {reason}"));
        }
    } else if !skipped.is_empty() {
        let count = number(skipped.len());
        ui.say(&format!(
            "not scanned: {count} binary or special files (-v names them)"
        ));
    }
    Ok(())
}
