//! `infiniloom cache`: shows, checks, limits and removes the data that is kept between runs.

use std::fmt::Write;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::Infiniloom;
use loom_settings::ByteSize;
use loom_wire::{CacheVerifiedInfo, StoreInfo};

use crate::error::CliError;
use crate::numbers::{number, plural, size};
use crate::{flags, library};

pub(super) fn command() -> Command {
    let sub = |name: &'static str, about: &'static str| {
        flags::with_settings(Command::new(name).about(about), &[])
    };
    Command::new("cache")
        .about("Show, check or remove what is remembered between runs")
        .after_help(
            "Examples:\n  infiniloom cache stats\n  infiniloom cache prune --to 500mb\n  infiniloom cache clean",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(sub("dir", "Print the folder that it is in"))
        .subcommand(sub("stats", "Say how much is remembered, and what").arg(super::format_arg()))
        .subcommand(sub("verify", "Look at all of it, and take out what is not right"))
        .subcommand(
            sub("prune", "Take out what was not used for longest").arg(
                Arg::new("to")
                    .long("to")
                    .value_name("SIZE")
                    .value_parser(parse_size)
                    .help("Until at most SIZE is left, such as 500mb; the limit of the settings when it is not given"),
            ),
        )
        .subcommand(sub("clean", "Forget all of it"))
}

fn parse_size(text: &str) -> Result<u64, String> {
    let size = ByteSize::parse(text);
    size.map(ByteSize::bytes)
        .ok_or_else(|| "expected a size such as 500mb".to_owned())
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CliError::user(
            "missing subcommand; expected dir, stats, verify, prune or clean",
        ));
    };
    let engine = library::engine(matches, &[])?;
    match name {
        "dir" => super::print(&format!("{}\n", engine.cache_directory()?.display()))?,
        "stats" => stats(matches, &engine)?,
        "verify" => return verify(&engine),
        "prune" => prune(matches, &engine)?,
        _ => clean(&engine)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn stats(matches: &ArgMatches, engine: &Infiniloom) -> Result<(), CliError> {
    let info = engine.cache_stats()?;
    if super::wants_json(matches) {
        return super::print_json(&info);
    }
    super::print(&text(&info))
}

fn text(info: &StoreInfo) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", info.folder);
    let _ = writeln!(
        out,
        "{} of at most {}: {}, {} in {}",
        bytes(info.bytes),
        bytes(info.limit),
        plural(info.contents, "content", "contents"),
        plural(info.files, "file", "files"),
        plural(info.trees, "tree", "trees"),
    );
    if info.search_bytes > 0 {
        let _ = writeln!(
            out,
            "  {:24} {:>10} {:>10}",
            "search index",
            "",
            bytes(info.search_bytes)
        );
    }
    for value in &info.values {
        let _ = writeln!(
            out,
            "  {:24} {:>10} {:>10}",
            value.kind,
            number(value.count),
            bytes(value.bytes)
        );
    }
    out
}

fn verify(engine: &Infiniloom) -> Result<ExitCode, CliError> {
    let info = engine.verify_cache()?;
    super::print(&verified(&info))?;
    let is_wrong = info.was_broken || info.wrong_values > 0 || info.wrong_index_files > 0;
    Ok(match is_wrong {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn verified(info: &CacheVerifiedInfo) -> String {
    let values = plural(info.values, "value", "values");
    let mut out = match () {
        // The index can exist without the store.
        () if !info.has_store && info.index_files > 0 => String::new(),
        () if !info.has_store => "nothing is remembered\n".to_owned(),
        () if info.was_broken => "the database was broken, and was removed\n".to_owned(),
        () => checked(&values, info.wrong_values),
    };
    if info.index_files > 0 || info.wrong_index_files > 0 {
        let files = plural(info.index_files, "file", "files");
        out.push_str(&checked(
            &format!("{files} of the index"),
            info.wrong_index_files,
        ));
    }
    out
}

fn checked(what: &str, wrong: usize) -> String {
    match wrong {
        0 => format!("{what}, all right\n"),
        wrong => {
            let wrong = number(wrong);
            format!("{what}, of which {wrong} were not right and were removed\n")
        }
    }
}

fn prune(matches: &ArgMatches, engine: &Infiniloom) -> Result<(), CliError> {
    let pruned = engine.prune_cache(matches.get_one("to").copied())?;
    let contents = plural(pruned.contents.unwrap_or(0), "content", "contents");
    super::print(&format!("removed {contents} ({})\n", bytes(pruned.bytes)))
}

fn clean(engine: &Infiniloom) -> Result<(), CliError> {
    let removed = engine.clean_cache()?;
    let (size, folder) = (bytes(removed.bytes), &removed.folder);
    library::ui(&engine.settings()).say(&format!("removed {size} from {folder}"));
    Ok(())
}

fn bytes(bytes: u64) -> String {
    size(usize::try_from(bytes).unwrap_or(usize::MAX))
}
