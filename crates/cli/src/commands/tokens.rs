//! `infiniloom tokens`: how many tokens files have, for one model or several, and
//! where they go.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{
    Chosen, Endpoint, FileMeta, NoProgress, PackOptions, Packer, Source, Survey, apply_calibration,
    chosen_models, pack_options_for, treemap, write_atomically,
};
use loom_models::{Fit, Model};
use loom_settings::{Group, Resolved};
use loom_wire::{FORMAT_VERSION, FileTokens, ModelTokens, TokensInfo};

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::outputs::Outputs;
use crate::ui::Ui;
use crate::{exact, flags, summary, token_report};

const GROUPS: &[Group] = &[Group::Scan, Group::Model, Group::Privacy, Group::Secrets];

pub(super) fn command() -> Command {
    let command = Command::new("tokens")
        .about("Count the tokens of files, and show where they go")
        .after_help(
            "Examples:\n  infiniloom tokens\n  infiniloom tokens src --model gpt-5,sonnet,qwen --cost\n  \
             infiniloom tokens --tree --html tokens.html\n  git diff | infiniloom tokens -",
        )
        .arg(super::paths_arg("Folders or files, or - for standard input; the current folder when none is given"))
        .arg(super::switch("tree", "Show folders and files with their shares"))
        .arg(super::switch("cost", "Show what a prompt of all files costs"))
        .arg(exact::arg())
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .default_value("10")
                .help("Name the N largest files"),
        )
        .arg(
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Write a page that draws where tokens go, for a browser"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = super::paths(matches);
    let html = html_path(matches)?;
    if paths == [Path::new("-")] {
        return standard_input(matches);
    }
    check_dash(&paths)?;
    let source = Source::open(&paths)?;
    let resolved = resolve(matches, Some(&source))?;
    let ui = Ui::new(&resolved.settings().ui);
    let mut outputs = Outputs::locate(resolved.settings(), &source).all();
    // The page of the run before is no part of the repository.
    outputs.extend(html.cloned());
    let mut counts = Vec::new();
    for mut asked in asked(matches, &resolved, ui)? {
        let note = apply_calibration(&source, &mut asked.chosen.model);
        note.iter().for_each(|note| ui.warn(note));
        let name = Name::of(&asked.chosen);
        let options = pack_options_for(asked.chosen, &resolved, &outputs)?;
        counts.push(survey(&paths, name, options, asked.endpoint.as_ref(), ui)?);
    }
    counts
        .first()
        .into_iter()
        .for_each(|first| say_left_out(&first.survey, ui));
    if let Some(path) = html
        && let Some(first) = counts.first()
    {
        let model = &first.model.name;
        let page = treemap(&first.survey.overview, first.survey.files(), model);
        write_atomically(path, &page)
            .map_err(|error| CliError::io(&format!("cannot write {}", path.display()), &error))?;
        let which = match counts.len() {
            1 => String::new(),
            _ => format!(", which shows the tokens for {model}"),
        };
        ui.say(&format!("wrote {}{which}", path.display()));
    }
    tell(
        matches,
        &answer(&counts, matches.get_flag("cost")),
        Some(&counts),
        &resolved,
    )
}

/// Standard input is counted alone.
fn check_dash(paths: &[PathBuf]) -> Result<(), CliError> {
    if paths.iter().all(|path| path != Path::new("-")) {
        return Ok(());
    }
    let error = CliError::user("standard input cannot be counted together with paths");
    Err(error.hint("name - alone, or ./- for a file of that name"))
}

fn say_left_out(survey: &Survey, ui: Ui) {
    survey.warnings.iter().for_each(|warning| ui.warn(warning));
    let shares = summary::shares(survey);
    if !shares.is_empty() {
        ui.say(&format!(
            "left out: {shares} (`infiniloom why PATH` tells the rule)"
        ));
    }
}

/// The file of the page.
fn html_path(matches: &ArgMatches) -> Result<Option<&PathBuf>, CliError> {
    let path = matches.get_one::<PathBuf>("html");
    match path.filter(|path| path.as_path() == Path::new("-")) {
        Some(_) => Err(CliError::user("--html needs the name of a file, found -")
            .hint("--format json writes to standard output")),
        None => Ok(path),
    }
}

fn resolve(matches: &ArgMatches, source: Option<&Source>) -> Result<Resolved, CliError> {
    let layer = flags::layer(matches, GROUPS);
    super::config::resolve(matches, source, layer)
}

/// A model that was asked for, and who counts for it.
struct Asked {
    chosen: Chosen,
    endpoint: Option<Endpoint>,
}

/// The models that the settings name, commas between them. Whether each can be counted
/// as it should is known before any text is sent for one.
fn asked(matches: &ArgMatches, resolved: &Resolved, ui: Ui) -> Result<Vec<Asked>, CliError> {
    let chosen = chosen_models(resolved)?;
    let notes = chosen.iter().flat_map(|chosen| &chosen.notes);
    notes.for_each(|note| ui.warn(note));
    let asked = chosen.into_iter().map(|chosen| {
        let endpoint = exact::endpoint(matches, resolved, &chosen)?;
        Ok(Asked { chosen, endpoint })
    });
    asked.collect()
}

/// What a model was called.
struct Name {
    typed: String,
    fit: Option<Fit>,
}

impl Name {
    fn of(chosen: &Chosen) -> Self {
        Self {
            typed: chosen.typed.clone(),
            fit: chosen.fit,
        }
    }
}

/// What was found for a model.
struct Counts {
    model: Model,
    name: Name,
    survey: Survey,
    total: Total,
}

/// The tokens of everything.
struct Total {
    band: Band,
    /// The host that counted them, where one was asked.
    counted_by: Option<String>,
}

/// A number of tokens, and what it lies between.
#[derive(Clone, Copy, Default)]
struct Band {
    tokens: usize,
    lower: usize,
    upper: usize,
}

impl Band {
    fn of(file: &FileMeta) -> Self {
        Self {
            tokens: file.tokens,
            lower: file.lower,
            upper: file.upper,
        }
    }
}

impl Total {
    fn of(band: Band) -> Self {
        Self {
            band,
            counted_by: None,
        }
    }

    /// What the provider counts, in the place of an estimate.
    fn ask(endpoint: &Endpoint, text: &str, what: &str, ui: Ui) -> Result<Self, CliError> {
        let tokens = exact::count(endpoint, text, what, ui)?;
        Ok(Self {
            band: Band {
                tokens,
                lower: tokens,
                upper: tokens,
            },
            counted_by: Some(endpoint.host().to_owned()),
        })
    }
}

fn survey(
    paths: &[PathBuf],
    name: Name,
    options: PackOptions,
    endpoint: Option<&Endpoint>,
    ui: Ui,
) -> Result<Counts, CliError> {
    let model = options.model.clone();
    let packer = Packer::open(paths, options.counting())?;
    let survey = packer.survey(&NoProgress, &cancel_on_interrupt())?;
    ui.warn_of_cache(&packer);
    let total = match endpoint {
        Some(endpoint) => {
            let files = exact::files(survey.files().len());
            Total::ask(endpoint, &packer.joined(&survey)?, &files, ui)?
        }
        None => Total::of(Band {
            tokens: survey.overview.tokens,
            lower: survey.files().map(|file| file.lower).sum(),
            upper: survey.files().map(|file| file.upper).sum(),
        }),
    };
    Ok(Counts {
        model,
        name,
        survey,
        total,
    })
}

fn standard_input(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    if matches.contains_id("html") {
        return Err(CliError::user(
            "--html draws files; standard input is one text",
        ));
    }
    let resolved = resolve(matches, None)?;
    let text = super::standard_input()?.text;
    let ui = Ui::new(&resolved.settings().ui);
    let (mut counts, mut totals) = (Vec::new(), Vec::new());
    for Asked { chosen, endpoint } in asked(matches, &resolved, ui)? {
        let counted = chosen.model.tokenizer.count(&text);
        let band = Band {
            tokens: counted.likely(),
            lower: counted.lower(),
            upper: counted.upper(),
        };
        let total = match endpoint {
            Some(endpoint) => {
                let options = pack_options_for(chosen.clone(), &resolved, &[])?;
                let clean = options.secrets.cleaned("(standard input)", &text)?;
                Total::ask(&endpoint, &clean, "standard input", ui)?
            }
            None => Total::of(band),
        };
        counts.push(total.band);
        let wants_cost = matches.get_flag("cost");
        let name = Name::of(&chosen);
        totals.push(model_tokens(&chosen.model, &name, &total, wants_cost));
    }
    let file = file_tokens("-", &counts, totals.iter().any(|model| model.estimated));
    let answer = TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: file.tokens,
        models: totals,
        files: vec![file],
    };
    tell(matches, &answer, None, &resolved)
}

fn answer(counts: &[Counts], wants_cost: bool) -> TokensInfo {
    let totals = counts
        .iter()
        .map(|counts| model_tokens(&counts.model, &counts.name, &counts.total, wants_cost));
    let mut files: Vec<(String, Vec<Band>)> = Vec::new();
    for (nth, counts) in counts.iter().enumerate() {
        let of = |file: &FileMeta| (file.path.to_string(), Band::of(file));
        let bands = counts.survey.files().map(of);
        if nth == 0 {
            files.extend(bands.map(|(path, band)| (path, vec![band])));
            continue;
        }
        // Each model has a scan of its own, and files come and go.
        let bands: HashMap<String, Band> = bands.collect();
        for (path, by_model) in &mut files {
            by_model.push(bands.get(path).copied().unwrap_or_default());
        }
    }
    let has_bands = counts
        .iter()
        .any(|counts| !counts.model.tokenizer.is_exact());
    TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: counts.first().map_or(0, |counts| counts.total.band.tokens),
        models: totals.collect(),
        files: files
            .into_iter()
            .map(|(path, bands)| file_tokens(&path, &bands, has_bands))
            .collect(),
    }
}

fn model_tokens(model: &Model, name: &Name, total: &Total, wants_cost: bool) -> ModelTokens {
    let Band {
        tokens,
        lower,
        upper,
    } = total.band;
    let cost = model.prices.input_cost(tokens).filter(|_| wants_cost);
    let is_estimate = !model.tokenizer.is_exact();
    ModelTokens {
        model: model.name.clone(),
        asked: name.typed.clone(),
        matched: name.fit.map_or("none", Fit::name).to_owned(),
        tokenizer: model.tokenizer.label().into_owned(),
        estimated: is_estimate && total.counted_by.is_none(),
        files_estimated: is_estimate,
        counted_by: total.counted_by.clone(),
        total_tokens: tokens,
        total_tokens_lower: lower,
        total_tokens_upper: upper,
        window: model.limits.window,
        prompt_limit: model.limits.prompt(),
        effective_budget: model.limits.effective_budget(),
        cost: cost.map(loom_models::Cost::dollars),
    }
}

fn file_tokens(path: &str, bands: &[Band], has_bands: bool) -> FileTokens {
    let tokens: Vec<usize> = bands.iter().map(|band| band.tokens).collect();
    let edges = bands.iter().map(|band| [band.lower, band.upper]);
    FileTokens {
        path: path.to_owned(),
        tokens: tokens.first().copied().unwrap_or(0),
        by_model: if tokens.len() > 1 { tokens } else { Vec::new() },
        bands: edges.filter(|_| has_bands).collect(),
    }
}

fn tell(
    matches: &ArgMatches,
    answer: &TokensInfo,
    counts: Option<&[Counts]>,
    resolved: &Resolved,
) -> Result<ExitCode, CliError> {
    if super::wants_json(matches) {
        super::print_json(answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    let mut text = token_report::models(answer, matches.get_flag("cost"), ui);
    let top = matches.get_one::<usize>("top").copied().unwrap_or(0);
    if counts.is_some() && (top > 0 || matches.get_flag("tree")) {
        text.push_str(token_report::note_on_files(answer));
    }
    match counts.and_then(<[_]>::first) {
        Some(first) if matches.get_flag("tree") => {
            text.push_str(&token_report::tree(answer, &first.survey.overview.tree, ui));
        }
        Some(_) => text.push_str(&token_report::largest(answer, top, ui)),
        None => {}
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
