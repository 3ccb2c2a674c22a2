//! `infiniloom map`: the overview of a repository that a model gets for few tokens.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use loom_host::{Focus, MapWanted, RepoPath, map_request};
use loom_settings::{Group, MapFormat};

use crate::cli::error::CliError;
use crate::cli::flags;
use crate::cli::interrupt::cancel_on_interrupt;
use crate::cli::ui::Ui;

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
                .help("A question or task in words, such as an issue"),
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
    request.focus = focus(matches)?;
    let is_page = settings.map.format == MapFormat::Html;
    let wanted = MapWanted {
        recency: request.weights.modification_recency > 0.0,
        changes: matches.get_flag("changes"),
        tokens: is_page,
        ..MapWanted::default()
    };
    let repository = packer.map_repository(&wanted, &cancel)?;
    ui.warn_of(&packer);
    for path in &request.focus.files {
        let files = &repository.linked().files;
        if !files.iter().any(|file| file.path.starts_with(path)) {
            ui.hint(&format!("--focus {path}: no such file is in the map"));
        }
    }
    request
        .focus
        .files
        .extend(repository.changed.iter().cloned());
    if is_page && !matches.get_flag("summary") {
        // The budget is for models: a page names its symbols whatever it is.
        request.budget = request.budget.max(PAGE_BUDGET);
        super::print(&packer.map_page(&repository, &request)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let map = packer.map(&repository, &request)?;
    if matches.get_flag("summary") {
        super::print(&format!("{}\n", map.document.summary))?;
    } else {
        super::print(&map.text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn focus(matches: &ArgMatches) -> Result<Focus, CliError> {
    let mut files = Vec::new();
    for path in super::words(matches, "focus") {
        let clean = path.trim_start_matches("./").trim_end_matches('/');
        let path = RepoPath::new(clean)
            .map_err(|_| CliError::user(format!("--focus {path} is no path below the root")))?;
        files.push(path);
    }
    Ok(Focus {
        files,
        mentions: super::words(matches, "mention"),
        query: matches.get_one::<String>("query").cloned(),
    })
}
