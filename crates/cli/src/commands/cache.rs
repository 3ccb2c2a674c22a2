//! `infiniloom cache`: what is remembered between runs, and how to be rid of it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::host::{
    Store, StoreOptions, cache_folder, cache_options, remove_search_index, search_index_bytes,
    verify_search_index,
};
use infiniloom::results;
use loom_settings::{ByteSize, Resolved};
use loom_wire::StoreInfo;

use crate::error::CliError;
use crate::flags;
use crate::numbers::{number, plural, size};
use crate::ui::Ui;

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
        return Err(CliError::user("cache needs to be told what to do"));
    };
    let resolved =
        super::config::config_files(matches).resolve(None, flags::layer(matches, &[]))?;
    let place = Place::of(&resolved)?;
    let ui = Ui::new(&resolved.settings().ui);
    match name {
        "dir" => super::print(&format!("{}\n", place.folder.display()))?,
        "stats" => stats(matches, &place)?,
        "verify" => return verify(&place),
        "prune" => prune(matches, &place)?,
        _ => clean(&place, ui)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// There is no folder to remember in.
pub(super) fn nowhere() -> CliError {
    CliError::user("no folder to remember in: neither XDG_CACHE_HOME nor HOME is set")
        .hint("--cache-dir DIR names one")
}

/// Where it is, though it may not be wanted now.
struct Place {
    folder: PathBuf,
    options: StoreOptions,
}

impl Place {
    fn of(resolved: &Resolved) -> Result<Self, CliError> {
        let mut settings = resolved.settings().clone();
        settings.cache.enabled = true;
        let options = cache_options(&settings);
        let named = options.and_then(|options| Some((options.folder?, options.store)));
        let usual = || Some((cache_folder()?, StoreOptions::default()));
        match named.or_else(usual) {
            Some((folder, options)) => Ok(Self { folder, options }),
            None => Err(nowhere()),
        }
    }

    /// The store, where there is one.
    fn open(&self) -> Result<Option<Store>, CliError> {
        if !Store::file_in(&self.folder).exists() {
            return Ok(None);
        }
        let opened = Store::open(&self.folder, self.options);
        opened
            .map(Some)
            .map_err(|error| CliError::user(error.to_string()))
    }
}

fn stats(matches: &ArgMatches, place: &Place) -> Result<(), CliError> {
    let stats = match place.open()? {
        Some(store) => store.stats().ok_or_else(|| broken(&store))?,
        None => infiniloom::host::Stats::default(),
    };
    let info = results::cache::info(&place.folder, &stats, place.options.limit);
    if super::wants_json(matches) {
        return super::print_json(&info);
    }
    super::print(&text(&info))
}

fn text(info: &StoreInfo) -> String {
    let mut out = String::new();
    let bytes = |bytes: u64| size(usize::try_from(bytes).unwrap_or(usize::MAX));
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

fn verify(place: &Place) -> Result<ExitCode, CliError> {
    let index = verify_search_index(&place.folder).map_err(|error| {
        CliError::io(
            &format!("cannot remove from {}", shown(&place.folder)),
            &error,
        )
    })?;
    let of_store = match index.files {
        0 => verify_store(place)?,
        // There is something beside the store, which may not be there.
        _ => match Store::file_in(&place.folder).exists() {
            true => verify_store(place)?,
            false => ExitCode::SUCCESS,
        },
    };
    let files = plural(index.files, "file", "files");
    let is_right = index.wrong == 0;
    if !is_right {
        let wrong = number(index.wrong);
        super::print(&format!(
            "{files} of the index, of which {wrong} were not right and were removed\n"
        ))?;
    } else if index.files > 0 {
        super::print(&format!("{files} of the index, all right\n"))?;
    }
    Ok(match is_right {
        true => of_store,
        false => ExitCode::FAILURE,
    })
}

fn verify_store(place: &Place) -> Result<ExitCode, CliError> {
    let Some(store) = place.open()? else {
        super::print("nothing is remembered\n")?;
        return Ok(ExitCode::SUCCESS);
    };
    let verified = store.verify().ok_or_else(|| broken(&store))?;
    if verified.was_broken {
        super::print("the database was broken, and was removed\n")?;
        return Ok(ExitCode::FAILURE);
    }
    let values = plural(verified.values, "value", "values");
    if verified.wrong > 0 {
        let wrong = number(verified.wrong);
        super::print(&format!(
            "{values}, of which {wrong} were not right and were removed\n"
        ))?;
        return Ok(ExitCode::FAILURE);
    }
    super::print(&format!("{values}, all right\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn prune(matches: &ArgMatches, place: &Place) -> Result<(), CliError> {
    let limit = matches
        .get_one("to")
        .copied()
        .unwrap_or(place.options.limit);
    // The index of searches is one piece: it goes where the limit does not hold it.
    let mut searches = search_index_bytes(&place.folder);
    let failed = |error: std::io::Error| {
        CliError::io(&format!("cannot remove {}", shown(&place.folder)), &error)
    };
    let mut freed = Store::remove_earlier(&place.folder).map_err(failed)?;
    if searches > limit {
        freed += remove_search_index(&place.folder).map_err(failed)?;
        searches = 0;
    }
    let mut pruned = infiniloom::host::Pruned::default();
    if let Some(store) = place.open()? {
        pruned = store.prune(limit - searches);
        if store.trouble().is_some() {
            return Err(broken(&store));
        }
    }
    pruned.bytes += freed;
    super::print(&format!(
        "removed {} ({})\n",
        plural(pruned.contents, "content", "contents"),
        size(usize::try_from(pruned.bytes).unwrap_or(usize::MAX))
    ))
}

fn clean(place: &Place, ui: Ui) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        CliError::io(&format!("cannot remove {}", shown(&place.folder)), &error)
    };
    let freed = Store::remove(&place.folder).map_err(failed)?
        + remove_search_index(&place.folder).map_err(failed)?;
    ui.say(&format!(
        "removed {} from {}",
        size(usize::try_from(freed).unwrap_or(usize::MAX)),
        shown(&place.folder)
    ));
    Ok(())
}

fn shown(folder: &Path) -> String {
    folder.display().to_string()
}

fn broken(store: &Store) -> CliError {
    let why = store
        .trouble()
        .unwrap_or_else(|| "no reason is known".to_owned());
    CliError::user(format!("the store cannot be used: {why}"))
        .hint("`infiniloom cache clean` removes it; nothing but time is lost")
}
