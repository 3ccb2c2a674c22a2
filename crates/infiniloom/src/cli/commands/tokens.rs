//! `infiniloom tokens`: how many tokens files have, for one model or several, and
//! where they go.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use loom_host::{
    Chosen, FileMeta, NoProgress, PackOptions, Packer, Source, Survey, chosen_models,
    pack_options_for, treemap, write_atomically,
};
use loom_models::{Counted, Model};
use loom_settings::{Group, Resolved};
use loom_wire::{FORMAT_VERSION, FileTokens, ModelTokens, TokensInfo};

use crate::cli::error::CliError;
use crate::cli::interrupt::cancel_on_interrupt;
use crate::cli::outputs::Outputs;
use crate::cli::ui::Ui;
use crate::cli::{flags, token_report};

const GROUPS: &[Group] = &[Group::Scan, Group::Model];

/// The largest text that is taken from standard input.
const STDIN_LIMIT: u64 = 1 << 30;

pub(super) fn command() -> Command {
    let command = Command::new("tokens")
        .about("Count the tokens of files, and show where they go")
        .after_help(
            "Examples:\n  infiniloom tokens\n  infiniloom tokens src --model gpt-5,sonnet,qwen --cost\n  \
             infiniloom tokens --tree --html tokens.html\n  git diff | infiniloom tokens -",
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::AnyPath)
                .num_args(0..)
                .help("Folders or files, or - for standard input; the current folder when none is given"),
        )
        .arg(switch("tree", "Show folders and files with their shares"))
        .arg(switch("cost", "Show what a prompt of all files costs"))
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

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths: Vec<PathBuf> = matches
        .get_many("path")
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    if paths == [Path::new("-")] {
        return standard_input(matches);
    }
    let paths = if paths.is_empty() {
        vec![PathBuf::from(".")]
    } else {
        paths
    };
    let source = Source::open(&paths)?;
    let resolved = resolve(matches, Some(&source))?;
    let ui = Ui::new(&resolved.settings().ui);
    let outputs = Outputs::locate(resolved.settings(), &source).all();
    let mut counts = Vec::new();
    for chosen in chosen_models(&resolved)? {
        chosen.notes.iter().for_each(|note| ui.warn(note));
        let options = pack_options_for(chosen, &resolved, &outputs)?;
        counts.push(survey(&paths, options)?);
    }
    if let Some(path) = matches.get_one::<PathBuf>("html")
        && let Some((_, survey)) = counts.first()
    {
        let page = treemap(&survey.overview, survey.files());
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

fn resolve(matches: &ArgMatches, source: Option<&Source>) -> Result<Resolved, CliError> {
    let layer = flags::layer(matches, GROUPS);
    Ok(super::config::config_files(matches).resolve(source, layer)?)
}

/// The models that the settings name, commas between them.
fn chosen(resolved: &Resolved, ui: Ui) -> Result<Vec<Model>, CliError> {
    let chosen = chosen_models(resolved)?;
    let model = |Chosen { model, notes }: Chosen| {
        notes.iter().for_each(|note| ui.warn(note));
        model
    };
    Ok(chosen.into_iter().map(model).collect())
}

fn survey(paths: &[PathBuf], mut options: PackOptions) -> Result<(Model, Survey), CliError> {
    let model = options.model.clone();
    // No text is read a second time, so that none has to be kept.
    options.max_memory = 0;
    let packer = Packer::open(paths, options)?;
    let survey = packer.survey(&NoProgress, &cancel_on_interrupt())?;
    Ok((model, survey))
}

fn standard_input(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let resolved = resolve(matches, None)?;
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(STDIN_LIMIT + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| CliError::io("cannot read standard input", &error))?;
    if bytes.len() as u64 > STDIN_LIMIT {
        let error = CliError::user("standard input has more than 1 GiB");
        return Err(error.hint("name the files instead"));
    }
    let text = String::from_utf8_lossy(&bytes);
    let models = chosen(&resolved, Ui::new(&resolved.settings().ui))?;
    let counts: Vec<Counted> = models
        .iter()
        .map(|model| model.tokenizer.count(&text))
        .collect();
    let wants_cost = matches.get_flag("cost");
    let totals = models
        .iter()
        .zip(&counts)
        .map(|(model, count)| model_tokens(model, count.likely(), count.upper(), wants_cost));
    let file = file_tokens("-", counts.iter().map(Counted::likely).collect());
    let answer = TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: file.tokens,
        models: totals.collect(),
        files: vec![file],
    };
    tell(matches, &answer, None, &resolved)
}

fn answer(counts: &[(Model, Survey)], wants_cost: bool) -> TokensInfo {
    let totals = counts.iter().map(|(model, survey)| {
        let upper = survey.files().map(|file| file.upper).sum();
        model_tokens(model, survey.overview.tokens, upper, wants_cost)
    });
    let mut files: Vec<(String, Vec<usize>)> = Vec::new();
    for (nth, (_, survey)) in counts.iter().enumerate() {
        if nth == 0 {
            let each = |file: &FileMeta| (file.path.to_string(), vec![file.tokens]);
            files.extend(survey.files().map(each));
            continue;
        }
        // Each model has a scan of its own, and files come and go.
        let tokens = survey
            .files()
            .map(|file| (file.path.to_string(), file.tokens));
        let tokens: HashMap<String, usize> = tokens.collect();
        for (path, by_model) in &mut files {
            by_model.push(tokens.get(path).copied().unwrap_or(0));
        }
    }
    TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: counts
            .first()
            .map_or(0, |(_, survey)| survey.overview.tokens),
        models: totals.collect(),
        files: files
            .into_iter()
            .map(|(path, tokens)| file_tokens(&path, tokens))
            .collect(),
    }
}

fn model_tokens(model: &Model, tokens: usize, upper: usize, wants_cost: bool) -> ModelTokens {
    let cost = model.prices.input_cost(tokens).filter(|_| wants_cost);
    ModelTokens {
        model: model.name.clone(),
        tokenizer: model.tokenizer.label().into_owned(),
        estimated: !model.tokenizer.is_exact(),
        total_tokens: tokens,
        total_tokens_upper: upper,
        window: model.limits.window,
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
    counts: Option<&[(Model, Survey)]>,
    resolved: &Resolved,
) -> Result<ExitCode, CliError> {
    if super::wants_json(matches) {
        super::print_json(answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    let mut text = token_report::models(answer, matches.get_flag("cost"), ui);
    let top = matches.get_one::<usize>("top").copied().unwrap_or(0);
    match counts.and_then(<[_]>::first) {
        Some((_, survey)) if matches.get_flag("tree") => {
            text.push_str(&token_report::tree(&survey.overview.tree, ui));
        }
        Some(_) => text.push_str(&token_report::largest(answer, top, ui)),
        None => {}
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
