//! `infiniloom tokens`: how many tokens files have, for one model or several, and
//! where they go.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{
    Chosen, Endpoint, NoProgress, PackOptions, Packer, Source, Survey, apply_calibration,
    chosen_models, pack_options_for, treemap, write_atomically,
};
use infiniloom::results::{
    self,
    tokens::{FileCount, ModelCounts, Prices, TokenRange, TotalTokens},
};
use loom_settings::{Group, Resolved};
use loom_wire::TokensInfo;

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
    for mut asked in requested(matches, &resolved, ui)? {
        let note = apply_calibration(&source, &mut asked.chosen.model);
        note.iter().for_each(|note| ui.warn(note));
        let options = pack_options_for(asked.chosen.clone(), &resolved, &outputs)?;
        counts.push(survey(
            &paths,
            asked.chosen,
            options,
            asked.endpoint.as_ref(),
            ui,
        )?);
    }
    counts
        .first()
        .into_iter()
        .for_each(|first| say_left_out(&first.survey, ui));
    if let Some(path) = html
        && let Some(first) = counts.first()
    {
        let model = &first.counted.model.name;
        let page = treemap(&first.survey.overview, first.survey.files(), model);
        write_atomically(path, &page)
            .map_err(|error| CliError::io(&format!("cannot write {}", path.display()), &error))?;
        let which = match counts.len() {
            1 => String::new(),
            _ => format!(", which shows the tokens for {model}"),
        };
        ui.say(&format!("wrote {}{which}", path.display()));
    }
    let counted: Vec<ModelCounts> = counts.iter().map(|one| one.counted.clone()).collect();
    let answer = results::tokens::info(&counted, prices(matches));
    tell(matches, &answer, counts.first(), &resolved)
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
struct RequestedModel {
    chosen: Chosen,
    endpoint: Option<Endpoint>,
}

/// The models that the settings name, commas between them. Whether each can be counted
/// as it should is known before any text is sent for one.
fn requested(
    matches: &ArgMatches,
    resolved: &Resolved,
    ui: Ui,
) -> Result<Vec<RequestedModel>, CliError> {
    let chosen = chosen_models(resolved)?;
    let notes = chosen.iter().flat_map(|chosen| &chosen.notes);
    notes.for_each(|note| ui.warn(note));
    let asked = chosen.into_iter().map(|chosen| {
        let endpoint = exact::endpoint(matches, resolved, &chosen)?;
        Ok(RequestedModel { chosen, endpoint })
    });
    asked.collect()
}

/// What was found for a model.
struct Counts {
    counted: ModelCounts,
    survey: Survey,
}

/// Has the provider count, in the place of an estimate.
fn counted_by(
    endpoint: &Endpoint,
    text: &str,
    what: &str,
    ui: Ui,
) -> Result<TotalTokens, CliError> {
    Ok(TotalTokens {
        range: TokenRange::exact(exact::count(endpoint, text, what, ui)?),
        counted_by: Some(endpoint.host().to_owned()),
    })
}

fn counted_here(range: TokenRange) -> TotalTokens {
    TotalTokens {
        range,
        counted_by: None,
    }
}

fn survey(
    paths: &[PathBuf],
    chosen: Chosen,
    options: PackOptions,
    endpoint: Option<&Endpoint>,
    ui: Ui,
) -> Result<Counts, CliError> {
    let packer = Packer::open(paths, options.counting())?;
    let survey = packer.survey(&NoProgress, &cancel_on_interrupt())?;
    ui.warn_of_cache(&packer);
    let total = match endpoint {
        Some(endpoint) => {
            let files = exact::files(survey.files().len());
            counted_by(endpoint, &packer.joined(&survey)?, &files, ui)?
        }
        None => counted_here(TokenRange {
            tokens: survey.overview.tokens,
            lower: survey.files().map(|file| file.lower).sum(),
            upper: survey.files().map(|file| file.upper).sum(),
        }),
    };
    let files = survey.files().map(|file| FileCount {
        path: file.path.to_string(),
        range: TokenRange::from(file),
    });
    let counted = ModelCounts {
        has_estimated_files: !chosen.model.tokenizer.is_exact(),
        files: files.collect(),
        model: chosen.model,
        typed: chosen.typed,
        fit: chosen.fit,
        total,
    };
    Ok(Counts { counted, survey })
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
    let mut counts = Vec::new();
    for RequestedModel { chosen, endpoint } in requested(matches, &resolved, ui)? {
        let count = chosen.model.tokenizer.count(&text);
        let total = match endpoint {
            Some(endpoint) => {
                let options = pack_options_for(chosen.clone(), &resolved, &[])?;
                let clean = options.secrets.cleaned("(standard input)", &text)?;
                counted_by(&endpoint, &clean, "standard input", ui)?
            }
            None => counted_here(TokenRange {
                tokens: count.likely(),
                lower: count.lower(),
                upper: count.upper(),
            }),
        };
        counts.push(ModelCounts {
            has_estimated_files: !chosen.model.tokenizer.is_exact() && total.counted_by.is_none(),
            files: vec![FileCount {
                path: "-".to_owned(),
                range: total.range,
            }],
            model: chosen.model,
            typed: chosen.typed,
            fit: chosen.fit,
            total,
        });
    }
    let answer = results::tokens::info(&counts, prices(matches));
    tell(matches, &answer, None, &resolved)
}

fn prices(matches: &ArgMatches) -> Prices {
    match matches.get_flag("cost") {
        true => Prices::Shown,
        false => Prices::Hidden,
    }
}

fn tell(
    matches: &ArgMatches,
    answer: &TokensInfo,
    first: Option<&Counts>,
    resolved: &Resolved,
) -> Result<ExitCode, CliError> {
    if super::wants_json(matches) {
        super::print_json(answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    let mut text = token_report::models(answer, matches.get_flag("cost"), ui);
    let top = matches.get_one::<usize>("top").copied().unwrap_or(0);
    if first.is_some() && (top > 0 || matches.get_flag("tree")) {
        text.push_str(token_report::note_on_files(answer));
    }
    match first {
        Some(first) if matches.get_flag("tree") => {
            text.push_str(&token_report::tree(answer, &first.survey.overview.tree, ui));
        }
        Some(_) => text.push_str(&token_report::largest(answer, top, ui)),
        None => {}
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
