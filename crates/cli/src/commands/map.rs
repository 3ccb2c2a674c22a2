//! `infiniloom map`: the overview of a repository that a model gets for few tokens.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{Focus, MapWanted, Packer, Run, map_request, read_user_text};
use loom_settings::{Group, MapFormat};

use crate::error::CliError;
use crate::flags;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::ProgressLine;
use crate::ui::Ui;

const GROUPS: &[Group] = &[
    Group::Scan,
    Group::Map,
    Group::Privacy,
    Group::Secrets,
    Group::Model,
];

/// Room for the key symbols of a page.
const PAGE_BUDGET: usize = 20_000;

pub(super) fn command() -> Command {
    let command = Command::new("map")
        .about("Show what matters most in a repository, within a budget of tokens")
        .after_help(
            "Examples:\n  infiniloom map\n  infiniloom map --budget 8k --format markdown\n  \
             infiniloom map --focus src/auth --mention UserService\n  \
             infiniloom map --query \"login fails after a password reset\"\n  \
             infiniloom map --format html > map.html",
        )
        .arg(super::paths_arg(
            "Folders or files; the current folder when none is given",
        ))
        .arg(super::list_arg(
            "focus",
            "PATH",
            "Files or folders that are worked on",
        ))
        .arg(super::list_arg(
            "mention",
            "NAME",
            "Symbols or files that are talked about",
        ))
        .arg(
            Arg::new("query")
                .long("query")
                .value_name("TEXT")
                .help("A question or task in words, such as an issue; - reads standard input"),
        )
        .arg(
            Arg::new("query-file")
                .long("query-file")
                .value_name("FILE")
                .conflicts_with("query")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Read the question from FILE"),
        )
        .arg(super::switch(
            "changes",
            "Put the files that differ from the last commit in focus",
        ))
        .arg(super::switch(
            "summary",
            "Show numbers, key symbols and hot files in three lines, and nothing else",
        ));
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let settings = resolved.settings();
    let ui = Ui::new(&settings.ui);
    let cancel = cancel_on_interrupt();
    let mut request = map_request(settings);
    request.focus = focus(matches, &packer)?;
    let is_page = settings.map.format == MapFormat::Html;
    let wanted = MapWanted {
        recency: request.weights.modification_recency > 0.0,
        changes: matches.get_flag("changes"),
        // Of the formats for a model, none shows how many tokens the files have.
        tokens: matches!(settings.map.format, MapFormat::Html | MapFormat::Json),
        ..MapWanted::default()
    };
    let progress = Arc::new(ProgressLine::new(ui));
    let run = Run::new().with_progress(Arc::<ProgressLine>::clone(&progress));
    let repository = packer.map_repository(&wanted, &run, &cancel);
    progress.finish();
    let repository = repository?;
    ui.warn_of(&packer, &run.unread(), run.warnings());
    let unknown = repository.unknown(&request.focus);
    for path in &unknown.paths {
        ui.hint(&format!("--focus {path}: no such file is in the map"));
    }
    for name in &unknown.names {
        ui.hint(&format!(
            "--mention {name}: nothing here has this name, or too much has"
        ));
    }
    request
        .focus
        .files
        .extend(repository.changed.iter().cloned());
    let is_summary = matches.get_flag("summary");
    if is_page || is_summary {
        // The budget is for maps: these two are as long as they are.
        request.budget = request.budget.max(PAGE_BUDGET);
    }
    if is_page && !is_summary {
        super::print(&packer.map_page(&repository, &request)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let map = packer.map(&repository, &request)?;
    if is_summary {
        super::print(&format!("{}\n", map.document.summary))?;
    } else {
        super::print(&map.text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn focus(matches: &ArgMatches, packer: &Packer) -> Result<Focus, CliError> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut files = Vec::new();
    for typed in super::words(matches, "focus") {
        let path = packer.focus_path(&typed, &here);
        files.push(path.ok_or_else(|| {
            CliError::user(format!("--focus {typed:?} is no path of this repository"))
                .hint("a path below the folder you are in, or below the top of the repository")
        })?);
    }
    let query = match matches.get_one::<PathBuf>("query-file") {
        Some(file) => Some(read_user_text(file).map_err(|error| CliError::unusable(&error))?),
        None => match matches.get_one::<String>("query") {
            Some(dash) if dash == "-" => Some(super::standard_input()?.text),
            query => query.cloned(),
        },
    };
    Ok(Focus {
        files,
        mentions: super::words(matches, "mention"),
        query,
    })
}
