//! `infiniloom scan`: secrets in a tree, in what is staged, or in history.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::{Control, Format, OutputFile, Render, Root, Scan};
use loom_settings::Group;
use loom_wire::ScanInfo;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::numbers::{number, plural, size};
use crate::ui::Ui;
use crate::{flags, progress, sources};

const GROUPS: &[Group] = &[Group::Scan, Group::Secrets];

/// Hint after findings.
const ACCEPT: &str = "to accept a false finding, write `infiniloom:allow` in a comment on its line, \
                      or pass `--write-baseline FILE` now and `--baseline FILE` later";

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
    let paths = super::paths(matches);
    if paths.iter().any(|path| path == Path::new("-")) {
        return standard_input(matches, &paths, started);
    }
    let (query, revision) = query(matches)?;
    let roots = paths.iter().map(|path| match revision {
        Some(revision) => Root::path(path).revision(revision),
        None => Root::path(path),
    });
    let engine = library::unchecked_engine(matches, GROUPS);
    let opened = Opened::open_roots(&engine, roots, &Control::new())?;
    let (ui, snapshot) = (opened.ui, opened.snapshot()?);
    let found = progress::follow(ui, &library::control(ui), |control| {
        query.run_with(&snapshot, control)
    });
    let info = found.map_err(|error| CliError::from(error).told_by(ui))?;
    conclude(matches, &info, ui, started)
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
    let engine = library::engine(matches, GROUPS)?;
    let text = super::input_text("(standard input)")?;
    let info = Scan::files().run_text(&engine, &text)?;
    conclude(matches, &info, library::ui(&engine.settings()), started)
}

fn conclude(
    matches: &ArgMatches,
    info: &ScanInfo,
    ui: Ui,
    started: Instant,
) -> Result<ExitCode, CliError> {
    let format = match matches.get_one::<String>("answer-format") {
        Some(format) if format == "text" => Format::Plain,
        Some(format) => format.parse::<Format>()?,
        None => Format::Plain,
    };
    let end = if format == Format::Plain { "" } else { "\n" };
    super::print(&(info.render(format)? + end))?;
    tell(info, ui, started);
    ui.tell(&info.notices);
    if let Some(path) = matches.get_one::<PathBuf>("write-baseline") {
        let text = serde_json::to_string_pretty(&info.baseline)
            .map_err(|error| CliError::user(error.to_string()))?;
        OutputFile::write(path, &format!("{text}\n"))?;
        let findings = plural(info.baseline.findings.len(), "finding", "findings");
        ui.say(&format!("wrote {} with {findings}", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    if info.findings.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    ui.hint(ACCEPT);
    Ok(ExitCode::from(1))
}

/// What is scanned, and the commit that files are read from.
fn query(matches: &ArgMatches) -> Result<(Scan, Option<&str>), CliError> {
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
        return Ok((Scan::range(or_head(from), or_head(to)), None));
    }
    let query = match () {
        () if matches.get_flag("staged") => Scan::staged(),
        () if matches.get_flag("history") => Scan::history(),
        () => Scan::files(),
    };
    Ok((query, revision))
}

fn tell(info: &ScanInfo, ui: Ui, started: Instant) {
    let count = match info.findings.len() {
        0 => "no secrets".to_owned(),
        count => plural(count, "secret", "secrets"),
    };
    let bytes = size(usize::try_from(info.bytes).unwrap_or(usize::MAX));
    let files = plural(info.scanned, "text", "texts");
    let took = started.elapsed().as_secs_f64();
    ui.say(&format!("{count} in {files}, {bytes}, in {took:.2} s"));
    let skipped: Vec<_> = info.skipped.iter().filter(|one| one.is_expected).collect();
    if ui.verbose > 0 {
        for one in skipped {
            ui.say(&format!("not scanned: {}: {}", one.path, one.detail));
        }
    } else if !skipped.is_empty() {
        let count = number(skipped.len());
        ui.say(&format!(
            "not scanned: {count} binary or special files (-v names them)"
        ));
    }
}
