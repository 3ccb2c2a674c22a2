//! `infiniloom tokens`: how many tokens files have, for one model or several, and
//! where they go.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use loom_host::{
    Chosen, Endpoint, FileMeta, NoProgress, PackOptions, Packer, SecretsMode, SecretsOptions,
    Source, Survey, apply_calibration, chosen_models, pack_options_for, treemap, write_atomically,
};
use loom_models::Model;
use loom_settings::{Group, Resolved};
use loom_wire::{FORMAT_VERSION, FileTokens, ModelTokens, TokensInfo};

use crate::cli::error::CliError;
use crate::cli::interrupt::cancel_on_interrupt;
use crate::cli::outputs::Outputs;
use crate::cli::ui::Ui;
use crate::cli::{exact, flags, summary, token_report};

const GROUPS: &[Group] = &[Group::Scan, Group::Model];

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
    for mut chosen in chosen(&resolved, ui)? {
        let endpoint = exact::endpoint(matches, &resolved, &chosen)?;
        let note = apply_calibration(&source, &mut chosen.model);
        note.iter().for_each(|note| ui.warn(note));
        let mut options = pack_options_for(chosen, &resolved, &outputs)?;
        // Figures are of the files as they are; what a provider gets to see is not.
        if endpoint.is_none() {
            options.secrets = SecretsOptions::new(SecretsMode::Off);
        }
        counts.push(survey(&paths, options, endpoint.as_ref(), ui)?);
    }
    counts
        .first()
        .into_iter()
        .for_each(|first| say_left_out(&first.survey, ui));
    if let Some(path) = html
        && let Some(first) = counts.first()
    {
        let page = treemap(&first.survey.overview, first.survey.files());
        write_atomically(path, &page)
            .map_err(|error| CliError::io(&format!("cannot write {}", path.display()), &error))?;
        ui.say(&format!("wrote {}", path.display()));
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
    Ok(super::config::config_files(matches).resolve(source, layer)?)
}

/// The models that the settings name, commas between them.
fn chosen(resolved: &Resolved, ui: Ui) -> Result<Vec<Chosen>, CliError> {
    let chosen = chosen_models(resolved)?;
    let notes = chosen.iter().flat_map(|chosen| &chosen.notes);
    notes.for_each(|note| ui.warn(note));
    Ok(chosen)
}

/// What was found for a model.
struct Counts {
    model: Model,
    survey: Survey,
    total: Total,
}

/// The tokens of everything.
struct Total {
    tokens: usize,
    upper: usize,
    /// The host that counted them, where one was asked.
    counted_by: Option<String>,
}

impl Total {
    fn of(tokens: usize, upper: usize) -> Self {
        Self {
            tokens,
            upper,
            counted_by: None,
        }
    }

    /// What the provider counts, in the place of an estimate.
    fn ask(endpoint: &Endpoint, text: &str, what: &str, ui: Ui) -> Result<Self, CliError> {
        let tokens = exact::count(endpoint, text, what, ui)?;
        Ok(Self {
            tokens,
            upper: tokens,
            counted_by: Some(endpoint.host().to_owned()),
        })
    }
}

fn survey(
    paths: &[PathBuf],
    mut options: PackOptions,
    endpoint: Option<&Endpoint>,
    ui: Ui,
) -> Result<Counts, CliError> {
    let model = options.model.clone();
    // No text is read a second time, so that none has to be kept.
    options.max_memory = 0;
    let packer = Packer::open(paths, options)?;
    let survey = packer.survey(&NoProgress, &cancel_on_interrupt())?;
    let total = match endpoint {
        Some(endpoint) => {
            let files = exact::files(survey.files().len());
            Total::ask(endpoint, &packer.joined(&survey)?, &files, ui)?
        }
        None => {
            let upper = survey.files().map(|file| file.upper).sum();
            Total::of(survey.overview.tokens, upper)
        }
    };
    Ok(Counts {
        model,
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
    let text = super::standard_input()?;
    let ui = Ui::new(&resolved.settings().ui);
    let (mut counts, mut totals) = (Vec::new(), Vec::new());
    for chosen in chosen(&resolved, ui)? {
        let total = match exact::endpoint(matches, &resolved, &chosen)? {
            Some(endpoint) => {
                let options = pack_options_for(chosen.clone(), &resolved, &[])?;
                let clean = options.secrets.cleaned("(standard input)", &text)?;
                Total::ask(&endpoint, &clean, "standard input", ui)?
            }
            None => {
                let counted = chosen.model.tokenizer.count(&text);
                Total::of(counted.likely(), counted.upper())
            }
        };
        counts.push(total.tokens);
        totals.push(model_tokens(
            &chosen.model,
            &total,
            matches.get_flag("cost"),
        ));
    }
    let file = file_tokens("-", counts);
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
        .map(|counts| model_tokens(&counts.model, &counts.total, wants_cost));
    let mut files: Vec<(String, Vec<usize>)> = Vec::new();
    for (nth, counts) in counts.iter().enumerate() {
        if nth == 0 {
            let each = |file: &FileMeta| (file.path.to_string(), vec![file.tokens]);
            files.extend(counts.survey.files().map(each));
            continue;
        }
        // Each model has a scan of its own, and files come and go.
        let tokens = counts
            .survey
            .files()
            .map(|file| (file.path.to_string(), file.tokens));
        let tokens: HashMap<String, usize> = tokens.collect();
        for (path, by_model) in &mut files {
            by_model.push(tokens.get(path).copied().unwrap_or(0));
        }
    }
    TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: counts.first().map_or(0, |counts| counts.total.tokens),
        models: totals.collect(),
        files: files
            .into_iter()
            .map(|(path, tokens)| file_tokens(&path, tokens))
            .collect(),
    }
}

fn model_tokens(model: &Model, total: &Total, wants_cost: bool) -> ModelTokens {
    let cost = model.prices.input_cost(total.tokens).filter(|_| wants_cost);
    ModelTokens {
        model: model.name.clone(),
        tokenizer: model.tokenizer.label().into_owned(),
        estimated: !model.tokenizer.is_exact() && total.counted_by.is_none(),
        counted_by: total.counted_by.clone(),
        total_tokens: total.tokens,
        total_tokens_upper: total.upper,
        window: model.limits.window,
        prompt_limit: model.limits.prompt(),
        effective_budget: model.limits.effective_budget(),
        cost: cost.map(loom_models::Cost::dollars),
    }
}

fn file_tokens(path: &str, tokens: Vec<usize>) -> FileTokens {
    FileTokens {
        path: path.to_owned(),
        tokens: tokens.first().copied().unwrap_or(0),
        by_model: if tokens.len() > 1 { tokens } else { Vec::new() },
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
            text.push_str(&token_report::tree(&first.survey.overview.tree, ui));
        }
        Some(_) => text.push_str(&token_report::largest(answer, top, ui)),
        None => {}
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
