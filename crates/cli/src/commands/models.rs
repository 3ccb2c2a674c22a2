//! `infiniloom models`: lists models with their limits, tokenizers and prices.

use std::fmt::Write;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::Model;
use loom_models::{CacheRule, Price, Tier};

use crate::error::CliError;
use crate::numbers::number;
use crate::{flags, library};

pub(super) fn command() -> Command {
    let command = Command::new("models")
        .about("List the known models, or say what is known about some")
        .after_help("Examples:\n  infiniloom models\n  infiniloom models sonnet gpt-5\n  infiniloom models --format json")
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .num_args(0..)
                .help("Models by any name that people use; all when none is given"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, &[])
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let engine = library::engine(matches, &[])?;
    let names = matches.get_many::<String>("name").into_iter().flatten();
    let found: Vec<Model> = names
        .map(|name| engine.model(name))
        .collect::<Result<_, _>>()?;
    let ui = library::ui(&engine.settings());
    for model in found.iter().filter(|model| model.is_nearest()) {
        let (name, nearest) = (model.requested_name(), model.name());
        ui.warn(&format!("no model {name:?} is known; taken as {nearest}"));
    }
    let is_list = matches.get_one::<String>("name").is_none();
    let shown = match is_list {
        true => by_vendor(engine.models()),
        false => found,
    };
    if super::wants_json(matches) {
        let infos = shown.iter().map(|model| match is_list {
            true => model.entry_info(),
            false => model.info(),
        });
        super::print_json(&infos.collect::<Vec<_>>())?;
    } else if is_list {
        let entries: Vec<_> = shown.iter().map(Model::entry).collect();
        super::print(&table(&entries))?;
    } else {
        let texts = shown.iter().map(describe);
        super::print(&texts.collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Groups the models by vendor, with vocabularies last.
fn by_vendor(mut models: Vec<Model>) -> Vec<Model> {
    models.sort_by_key(|model| {
        let entry = model.entry();
        (
            entry.vendor.is_empty(),
            entry.vendor.clone(),
            entry.name.clone(),
        )
    });
    models
}

fn table(models: &[&loom_models::Model]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<36} {:<10} {:>11} {:>10} {:>14}  TOKENS",
        "MODEL", "VENDOR", "WINDOW", "OUTPUT", "$/M IN, OUT"
    );
    let mut is_first = true;
    for model in models {
        if model.is_vocabulary() && std::mem::take(&mut is_first) {
            let heading = "VOCABULARIES, which can be named in place of a model";
            let _ = writeln!(
                out,
                "\n{heading}; the limits are those of a model that has it"
            );
        }
        let rates = model.prices.rates(0);
        let price = |price: Option<Price>| price.map_or("-".to_owned(), |price| price.to_string());
        let _ = writeln!(
            out,
            "{:<36} {:<10} {:>11} {:>10} {:>14}  {}",
            model.name,
            model.vendor,
            number(model.limits.window),
            number(model.limits.output),
            format!("{}, {}", price(rates.input), price(rates.output)),
            model.tokenizer.label()
        );
    }
    out
}

fn describe(found: &Model) -> String {
    let model = found.entry();
    let limits = &model.limits;
    let mut out = model.name.clone();
    if !model.vendor.is_empty() {
        let _ = write!(out, " ({})", model.vendor);
    }
    let _ = writeln!(out, "\n  window            {}", number(limits.window));
    if let Some(input) = limits.input {
        let _ = writeln!(out, "  input limit       {}", number(input));
    }
    let _ = writeln!(out, "  longest answer    {}", number(limits.output));
    let _ = writeln!(
        out,
        "  effective budget  {}",
        number(limits.effective_budget())
    );
    let _ = writeln!(out, "  tokens            {}", model.tokenizer.label());
    out.push_str(&vocabulary_lines(found));
    let names: Vec<_> = model
        .modalities
        .iter()
        .map(|modality| modality.name())
        .collect();
    let _ = writeln!(out, "  reads             {}", names.join(", "));
    for tier in model.prices.tiers() {
        let _ = writeln!(out, "  price             {}", price_line(tier));
    }
    if let Some(rule) = &model.cache {
        let _ = writeln!(out, "  cache             {}", cache_line(rule));
    }
    if let Some(date) = &model.deprecated {
        let _ = writeln!(out, "  taken away        {date}");
    }
    if model.sources.is_empty() {
        let _ = writeln!(out, "  source            your settings");
    }
    for source in &model.sources {
        let _ = writeln!(
            out,
            "  source            {}: {} ({})",
            source.facts, source.title, source.date
        );
    }
    out
}

/// Formats the vocabulary file that counts the model exactly, and the paths of the user's copies.
fn vocabulary_lines(model: &Model) -> String {
    let mut out = String::new();
    if let Some(files) = model.info().vocabulary_file {
        let _ = writeln!(out, "  exact with        --vocabulary FILE: {files}");
        for path in model.vocabulary_files().iter().take(3) {
            let _ = writeln!(out, "  such as           {}", path.display());
        }
    }
    out
}

fn price_line(tier: &Tier) -> String {
    let rates = &tier.rates;
    let named = [
        ("in", rates.input),
        ("out", rates.output),
        ("cache read", rates.cache_read),
        ("cache write", rates.cache_write),
        ("for an hour", rates.cache_write_hour),
    ];
    let parts = named
        .iter()
        .filter_map(|(name, price)| Some(format!("${} {name}", (*price)?)));
    let parts: Vec<String> = parts.collect();
    let above = match tier.above {
        0 => String::new(),
        above => format!(", above {} tokens", number(above)),
    };
    format!("{} for a million{above}", parts.join(", "))
}

fn cache_line(rule: &CacheRule) -> String {
    let mut parts = vec![rule.kind.name().to_owned()];
    parts.extend(
        rule.least
            .map(|least| format!("from {} tokens", number(least))),
    );
    parts.extend(rule.step.map(|step| format!("in steps of {step}")));
    parts.extend(rule.marks.map(|marks| format!("{marks} break points")));
    let look_back = rule.look_back;
    parts.extend(look_back.map(|blocks| format!("looks back {blocks} blocks")));
    let lifetimes: Vec<_> = rule
        .lifetimes
        .iter()
        .map(|seconds| format!("{} min", seconds / 60))
        .collect();
    if !lifetimes.is_empty() {
        parts.push(format!("kept {}", lifetimes.join(" or ")));
    }
    parts.join(", ")
}
