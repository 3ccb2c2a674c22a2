//! `infiniloom search --semantic QUESTION`: what is closest in meaning, by vectors.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use infiniloom::host::{Granularity, PackError, Run};
use loom_settings::Group;

use super::search_answer::{code, print_ranked};
use crate::error::{CliError, Kind};
use crate::interrupt::cancel_on_interrupt;
use crate::ui::Ui;

/// What a search by meaning takes; it takes nothing that says how lines are found.
pub(super) fn args(others: &[&'static str]) -> [Arg; 2] {
    [
        super::switch(
            "semantic",
            "Take the query as a question: what is closest to it in meaning, by vectors",
        )
        .conflicts_with_all(others)
        .conflicts_with_all(["ask", "rank", "file"]),
        Arg::new("granularity")
            .long("granularity")
            .value_name("SIZE")
            .value_parser(Granularity::ALL.map(Granularity::name))
            .requires("semantic")
            .help("With --semantic: compare files, classes, functions, or chunks, which are all parts of a file"),
    ]
}

pub(super) fn run(
    matches: &ArgMatches,
    text: &str,
    groups: &[Group],
) -> Result<ExitCode, CliError> {
    if text.trim().is_empty() {
        return Err(CliError::user("the question is empty"));
    }
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, groups, &paths)?;
    let cancel = cancel_on_interrupt();
    let run = Run::new();
    let repository = packer.context_repository(&run, &cancel).map_err(|error| {
        let is_secret = matches!(error, PackError::Secrets { .. });
        let told = CliError::from(error);
        match is_secret {
            // 1 says that nothing was found.
            true => told.of_kind(Kind::User),
            false => told,
        }
    })?;
    let ui = Ui::new(&resolved.settings().ui);
    ui.warn_of(&packer, &run.unread(), run.warnings());
    let size = matches.get_one::<String>("granularity");
    let size = size.and_then(|name| Granularity::from_name(name));
    let most = matches.get_one("limit").copied().unwrap_or(10);
    let mut hits = repository.nearest(text, size.unwrap_or_default(), most);
    packer.find_secrets(&repository, &mut hits);
    print_ranked(matches, &hits, &packer, &paths, &resolved)?;
    if hits.is_empty() && repository.corpus().files.is_empty() {
        ui.hint("there is no text here");
    } else if hits.is_empty() {
        ui.hint("no word of the question has a meaning here; without --semantic it is found as it stands");
    }
    Ok(code(hits.len()))
}
