//! `infiniloom search --semantic QUESTION`: ranks code by the similarity of embeddings.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use infiniloom::{Granularity, RankedSearch};

use super::search_answer::answer_ranked;
use crate::error::CliError;

/// Creates the flags of a search by meaning. They conflict with `others`, the flags for lines.
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
            .value_parser(Granularity::ALL.iter().map(|one| one.name()).collect::<Vec<_>>())
            .requires("semantic")
            .help("With --semantic: compare files, classes, functions, or chunks, which are all parts of a file"),
    ]
}

pub(super) fn run(matches: &ArgMatches, text: String) -> Result<ExitCode, CliError> {
    let query = RankedSearch::semantic(text);
    let size = matches.get_one::<String>("granularity");
    answer_ranked(
        matches,
        match size {
            Some(size) => query.granularity(size.parse::<Granularity>()?),
            None => query,
        },
    )
}
