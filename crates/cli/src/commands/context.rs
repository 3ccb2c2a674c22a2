//! `infiniloom context QUERY`: the right code for a question, inside a budget, with
//! reasons.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{
    Cancel, ContextAnswer, ContextRepository, ContextRequest, Embedder, FitError, Format,
    MapWanted, PackError, Packer, Run, SecretsMode, context_request, read_user_text,
    remote_embedder,
};
use infiniloom::results::{self, context::Detail};
use loom_settings::{Group, Settings};
use loom_wire::ContextInfo;

use crate::context_output::{self, Base};
use crate::error::{CliError, Kind};
use crate::flags;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::ProgressLine;
use crate::ui::Ui;

const GROUPS: &[Group] = &[
    Group::Scan,
    Group::Context,
    Group::Privacy,
    Group::Secrets,
    Group::Model,
];

pub(super) fn command() -> Command {
    let command = Command::new("context")
        .about("Show the code that a question or an issue is about, within a budget of tokens")
        .after_help(
            "Examples:\n  infiniloom context \"how are sessions renewed?\"\n  \
             infiniloom context --query-file issue.md --budget 32k src\n  \
             gh issue view 42 | infiniloom context - --format json --explain\n  \
             infiniloom context \"retry fails\" --pin src/http.rs --hot src/client.rs",
        )
        .arg(
            Arg::new("query")
                .value_name("QUERY")
                .required_unless_present("query-file")
                .allow_hyphen_values(true)
                .help("The question, or an issue with all that it quotes; - reads standard input"),
        )
        .arg(super::paths_arg(
            "Folders or files; the current folder when none is given",
        ))
        .arg(
            Arg::new("query-file")
                .long("query-file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Read the question from FILE, or standard input with -; then all words are paths"),
        )
        .arg(super::list_arg(
            "hot",
            "FILE",
            "Files that are open or being edited",
        ))
        .arg(
            Arg::new("previous")
                .long("previous")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("The JSON of an earlier answer: what it showed counts a little more"),
        )
        .arg(super::list_arg(
            "pin",
            "WHAT",
            "Show this in any case: a file, FILE:FIRST-LAST, or the name of a definition",
        ))
        .arg(super::switch(
            "explain",
            "Say why everything was chosen, in words and numbers",
        ));
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let (query, paths) = asked(matches)?;
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let settings = resolved.settings();
    let ui = Ui::new(&settings.ui);
    let cancel = cancel_on_interrupt();
    let mut request = context_request(settings, query);
    // Without meanings to compare nobody is asked for vectors.
    if request.compares_meanings() {
        let embedder = remote_embedder(settings);
        let embedder = embedder.map_err(PackError::from)?;
        request.embedder = embedder.map(|one| Arc::new(one) as Arc<dyn Embedder>);
    }
    let base = Base::new(packer.source(), &paths);
    request.below = base.paths().below().to_owned();
    if let Some(file) = matches.get_one::<PathBuf>("previous") {
        request.previous = base.shown_in(&previous(file)?);
    }
    // The process ends with the answer: what it read is not given back piece by piece.
    let progress = Arc::new(ProgressLine::new(ui));
    let run = Run::new().with_progress(Arc::<ProgressLine>::clone(&progress));
    let repository = packer.context_repository(&run, &cancel);
    progress.finish();
    let mut repository = ManuallyDrop::new(repository?);
    given(matches, &packer, &base, &repository, &mut request)?;
    let answer = packer.context(&repository, &request, &run, &cancel);
    repository.release_cache();
    let answer = answer.map_err(|error| refused(error, settings))?;
    for name in &answer.missing {
        ui.hint(&format!("--hot {name}: no such file is here"));
    }
    ui.warn_of(&packer, &run.unread(), run.warnings());
    if answer.has_no_match {
        return tell_no_match(&packer, &base, &repository, &request, &answer, &cancel);
    }
    if repository.corpus().files.is_empty() {
        ui.hint("there are no files to choose from");
    } else if answer.fitted.pieces.is_empty() {
        ui.hint("no code fits into the budget; a larger --budget shows some");
    } else if answer.selection.is_general {
        ui.hint("no word of the query is in the files: showing what much of the code uses");
    }
    tell_of_secrets(&packer, answer.secrets, ui);
    tell_of_changes(&answer, ui);
    let explains = matches.get_flag("explain");
    if request.format == Format::Json {
        let detail = match explains {
            true => Detail::Explained,
            false => Detail::Pieces,
        };
        let info = info(&packer, &base, &repository, &request, &answer, detail);
        super::print_json(&info)?;
        return Ok(ExitCode::SUCCESS);
    }
    super::print(answer.fitted.context.text())?;
    ui.say(&context_output::summary(&repository, &request, &answer));
    if explains {
        ui.say(&context_output::reasons(&base, &answer));
    }
    Ok(ExitCode::SUCCESS)
}

/// The answer for programs.
fn info(
    packer: &Packer,
    base: &Base,
    repository: &ContextRepository,
    request: &ContextRequest,
    answer: &ContextAnswer,
    detail: Detail,
) -> ContextInfo {
    let tokenizer = packer.options().model.tokenizer;
    let (base, budget) = (base.paths(), request.budget);
    results::context::info(base, repository, answer, tokenizer, budget, detail)
}

/// Prints that nothing matches, and the beginning of the map. Returns exit code 1.
fn tell_no_match(
    packer: &Packer,
    base: &Base,
    repository: &ContextRepository,
    request: &ContextRequest,
    answer: &ContextAnswer,
    cancel: &Cancel,
) -> Result<ExitCode, CliError> {
    let map = packer.map_repository(&MapWanted::default(), &Run::new(), cancel)?;
    let text = packer.no_match_text(answer.files, &map, request.budget);
    if request.format == Format::Json {
        let info = info(packer, base, repository, request, answer, Detail::Pieces);
        let tokenizer = packer.options().model.tokenizer;
        super::print_json(&results::context::no_match_info(info, tokenizer, &text))?;
    } else {
        super::print(&text)?;
    }
    Ok(ExitCode::FAILURE)
}

/// Takes what the user says about files, however they are named.
fn given(
    matches: &ArgMatches,
    packer: &Packer,
    base: &Base,
    repository: &ContextRepository,
    request: &mut ContextRequest,
) -> Result<(), CliError> {
    for typed in super::words(matches, "hot") {
        let file = base.file(packer.source(), repository, &typed);
        request.hot.push(file.unwrap_or(typed));
    }
    for typed in super::words(matches, "pin") {
        let pin = base.pin(packer.source(), repository, &typed);
        if !repository.has_pin(&pin) {
            let error = CliError::user(format!("--pin {typed}: nothing of that name is here"));
            return Err(error.hint(
                "a pin is a file, FILE:FIRST-LAST with lines that it has, or the name of a definition",
            ));
        }
        request.pins.push(pin);
    }
    Ok(())
}

/// Says what the response takes, where that leaves too little.
fn refused(error: PackError, settings: &Settings) -> CliError {
    match (&error, settings.context.reserve) {
        (PackError::Context(FitError::BudgetTooSmall { smallest, .. }), Some(reserve)) => {
            let (budget, reserve) = (settings.context.budget.tokens(), reserve.tokens());
            let wanted = (*smallest as u64).saturating_add(reserve);
            let told = format!(
                "the context takes {smallest} tokens at least, and of the budget of {budget} \
                 the reserve keeps {reserve} for the response"
            );
            CliError::new(Kind::Refused, told).hint(format!(
                "give --budget {wanted} or more, or a smaller --reserve"
            ))
        }
        _ => error.into(),
    }
}

/// Says what was done about secrets.
fn tell_of_secrets(packer: &Packer, secrets: usize, ui: Ui) {
    let what = match secrets {
        0 => return,
        1 => "1 secret".to_owned(),
        secrets => format!("{secrets} secrets"),
    };
    match packer.secrets_mode() {
        SecretsMode::Redact => ui.hint(&format!("{what} taken out of what is shown")),
        _ => ui.warn(&format!(
            "{what} in what is shown; `infiniloom scan` lists them"
        )),
    }
}

/// Says what changed while it was looked at.
fn tell_of_changes(answer: &ContextAnswer, ui: Ui) {
    let paths = answer.changed.iter().map(|path| path.display());
    let paths: Vec<_> = paths.take(5).collect();
    if !paths.is_empty() {
        let more = answer.changed.len() - paths.len();
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        ui.warn(&format!(
            "left out, since changed while it was read: {}{more}; ask again",
            paths.join(", ")
        ));
    }
}

/// An earlier answer.
fn previous(file: &Path) -> Result<ContextInfo, CliError> {
    let text = read_user_text(file).map_err(|error| CliError::unusable(&error))?;
    serde_json::from_str(&text).map_err(|error| {
        let file = file.display();
        CliError::user(format!(
            "{file} is no answer of `context --format json`: {error}"
        ))
    })
}

/// The question, and the paths to look in.
fn asked(matches: &ArgMatches) -> Result<(String, Vec<PathBuf>), CliError> {
    let first = matches.get_one::<String>("query").cloned();
    if let Some(file) = matches.get_one::<PathBuf>("query-file") {
        let text = match file.as_os_str() == "-" {
            true => super::standard_input()?.text,
            false => read_user_text(file).map_err(|error| CliError::unusable(&error))?,
        };
        let mut paths: Vec<PathBuf> = first.into_iter().map(PathBuf::from).collect();
        paths.extend(matches.get_many("path").into_iter().flatten().cloned());
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        return Ok((text, paths));
    }
    let query = match first.unwrap_or_default() {
        dash if dash == "-" => super::standard_input()?.text,
        text => text,
    };
    Ok((query, super::paths(matches)))
}
