//! `infiniloom models`: what is known about models.

use std::fmt::Write;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::host::{file_kind, registry, vocabulary_files};
use infiniloom::results;
use loom_models::{CacheRule, Model, ModelMatch, NameMatch, Price, Tier, UnknownModel};
use loom_wire::ModelInfo;

use crate::error::CliError;
use crate::flags;
use crate::numbers::number;
use crate::ui::Ui;

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
    let resolved =
        super::config::config_files(matches).resolve(None, flags::layer(matches, &[]))?;
    let registry = registry(&resolved)?;
    let names: Vec<&String> = matches.get_many("name").into_iter().flatten().collect();
    let found = names
        .iter()
        .map(|name| Ok((Some(*name), registry.find(name)?)));
    let found: Vec<Shown<'_>> = found
        .collect::<Result<_, UnknownModel>>()
        .map_err(|unknown| CliError::user(unknown.message()).hint(unknown.hint()))?;
    let ui = Ui::new(&resolved.settings().ui);
    for (name, ModelMatch { model, fit }) in &found {
        if let Some(name) = name.filter(|_| *fit == NameMatch::Part) {
            ui.warn(&format!(
                "no model {name:?} is known; taken as {}",
                model.name
            ));
        }
    }
    let all = by_vendor(registry.models());
    if super::wants_json(matches) {
        let infos: Vec<ModelInfo> = match names.is_empty() {
            true => all
                .iter()
                .map(|model| results::models::info(model))
                .collect(),
            false => found.iter().map(info).collect(),
        };
        super::print_json(&infos)?;
    } else if names.is_empty() {
        super::print(&table(&all))?;
    } else {
        let texts = found.iter().map(|(_, found)| describe(found.model));
        super::print(&texts.collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A model, and the name that it was asked for by.
type Shown<'a> = (Option<&'a String>, ModelMatch<'a>);

fn info((name, found): &Shown<'_>) -> ModelInfo {
    results::models::match_info(name.map_or("", String::as_str), found)
}

/// The models of each vendor together; vocabularies last.
fn by_vendor(models: &[Model]) -> Vec<&Model> {
    let mut models: Vec<&Model> = models.iter().collect();
    models.sort_by_key(|model| {
        (
            model.vendor.is_empty(),
            model.vendor.clone(),
            model.name.clone(),
        )
    });
    models
}

fn table(models: &[&Model]) -> String {
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

fn describe(model: &Model) -> String {
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
    out.push_str(&vocabulary_lines(model));
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

/// The file that the model can be counted exactly by, and where the user has one.
fn vocabulary_lines(model: &Model) -> String {
    let mut out = String::new();
    if let Some(kind) = file_kind(model.tokenizer) {
        let files = kind.files();
        let _ = writeln!(out, "  exact with        --vocabulary FILE: {files}");
        for path in vocabulary_files(kind).iter().take(3) {
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
