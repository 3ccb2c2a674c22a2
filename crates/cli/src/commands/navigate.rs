//! `infiniloom def`, `refs`, `impls`, `callers`, `callees`: from a name or a place to
//! where it is defined, used, implemented and called.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::host::{
    Call, Calls, Certainty, CodePlace, Definition, IndexUse, Navigate, Precision, Searcher,
    SymbolKind, SyntaxNavigator, Target, Use,
};
use loom_settings::Group;
use loom_wire::{CallInfo, DefinitionInfo, FORMAT_VERSION, NavigationInfo, UseInfo};

use crate::error::CliError;
use crate::flags;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::ProgressLine;
use crate::search_output::{ShownPaths, steered};
use crate::ui::Ui;

const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets];

pub(super) fn def_command() -> Command {
    command("def", "Show where a name is defined")
}

pub(super) fn refs_command() -> Command {
    command("refs", "Show where a name is used").arg(resolved())
}

pub(super) fn impls_command() -> Command {
    command(
        "impls",
        "Show what implements a type, or overrides a method",
    )
}

pub(super) fn callers_command() -> Command {
    command("callers", "Show who calls a function")
        .arg(depth())
        .arg(resolved())
}

pub(super) fn callees_command() -> Command {
    command("callees", "Show what a function calls").arg(depth())
}

fn command(name: &'static str, about: &'static str) -> Command {
    let command = Command::new(name)
        .about(about)
        .after_help(
            "NAME is a name, a qualified name such as Parser::parse or shop.Shop.sell, or a place: \
             FILE:LINE:COL. Answers come from the syntax of files and are approximate.\n\n\
             Exit codes: 0 found, 1 nothing found.",
        )
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .required(true)
                .help("A name, a qualified name, or FILE:LINE:COL"),
        )
        .arg(super::paths_arg(
            "Folders or files; the current folder when none is given",
        ))
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help("Show at most N"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

fn depth() -> Arg {
    Arg::new("depth")
        .long("depth")
        .value_name("N")
        .value_parser(value_parser!(u8).range(1..=10))
        .default_value("1")
        .help("Follow calls N steps, at most 10")
}

fn resolved() -> Arg {
    Arg::new("resolved")
        .long("resolved")
        .action(ArgAction::SetTrue)
        .help("Leave out places that may mean something else of the same name")
}

/// What is asked about the definitions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Definitions,
    References,
    Implementations,
    Callers,
    Callees,
}

pub(super) fn definitions(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Question::Definitions)
}

pub(super) fn references(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Question::References)
}

pub(super) fn implementations(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Question::Implementations)
}

pub(super) fn callers(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Question::Callers)
}

pub(super) fn callees(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Question::Callees)
}

fn run(matches: &ArgMatches, question: Question) -> Result<ExitCode, CliError> {
    let typed = matches
        .get_one::<String>("name")
        .cloned()
        .unwrap_or_default();
    let target =
        Target::parse(&typed).ok_or_else(|| CliError::user(format!("no name in {typed:?}")))?;
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let cancel = cancel_on_interrupt();
    let searcher = {
        let progress = ProgressLine::new(Ui::new(&resolved.settings().ui));
        Searcher::open(&packer, IndexUse::Update, &progress, &cancel)?
    };
    let navigator = SyntaxNavigator::new(&searcher);
    let mut answer = ask(&navigator, &target, &typed, question, matches);
    Ui::new(&resolved.settings().ui).warn_of(&packer, &searcher.unread(), searcher.warnings());
    if let Some(limit) = matches.get_one::<usize>("limit") {
        answer.cut(*limit);
    }
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    if super::wants_json(matches) {
        super::print_json(&answer.info)?;
    } else {
        let shown = ShownPaths::new(packer.source(), &paths);
        super::print(&answer.text(&shown, ui))?;
        let ui = Ui::new(&resolved.settings().ui);
        match question {
            _ if answer.candidates.is_empty() => ui.hint(&nothing(&target, &typed)),
            // All of them are the answer.
            Question::Definitions => {}
            _ => answer.tell_candidates(&typed, &shown, ui),
        }
        if answer.is_capped {
            ui.hint("there are more calls: fewer steps, or FILE:LINE:COL for one definition");
        } else if answer.info.cut {
            ui.hint("there is more: --limit N shows N");
        }
    }
    let secrets = answer.lines.iter().filter(|line| line.has_secret).count();
    super::tell_secrets(&packer, secrets, Ui::new(&resolved.settings().ui))?;
    Ok(match answer.is_empty(question) {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

/// A line of an answer.
struct Line {
    place: CodePlace,
    text: String,
    /// Whether it holds a secret, hidden or not.
    has_secret: bool,
}

/// An answer, for programs and with the places for people.
struct Answer {
    info: NavigationInfo,
    lines: Vec<Line>,
    candidates: Vec<Definition>,
    /// Whether there are more calls than are looked for.
    is_capped: bool,
}

fn ask(
    navigator: &dyn Navigate,
    target: &Target,
    typed: &str,
    question: Question,
    matches: &ArgMatches,
) -> Answer {
    let found = navigator.definitions(target);
    // A place means the nearest one.
    let meant = match target {
        Target::Place { .. } => found.get(..1).unwrap_or_default(),
        Target::Name(_) => &found,
    };
    let depth = || {
        matches
            .get_one::<u8>("depth")
            .map_or(1, |depth| usize::from(*depth))
    };
    let is_strict = matches!(matches.try_get_one::<bool>("resolved"), Ok(Some(true)));
    let is_wanted = |certainty| !is_strict || certainty == Certainty::Resolved;
    let mut answer = Answer {
        info: NavigationInfo {
            format_version: FORMAT_VERSION,
            target: typed.to_owned(),
            approximate: navigator.precision() == Precision::Approximate,
            cut: false,
            definitions: found.iter().map(definition_info).collect(),
            references: None,
            implementations: None,
            calls: None,
        },
        lines: Vec::new(),
        candidates: meant.to_vec(),
        is_capped: false,
    };
    match question {
        Question::Definitions => answer.lines = found.iter().map(definition_line).collect(),
        Question::References => {
            let mut uses = navigator.references(meant);
            uses.retain(|one| is_wanted(one.certainty));
            answer.info.references = Some(uses.iter().map(use_info).collect());
            answer.lines = uses.into_iter().map(use_line).collect();
        }
        Question::Implementations => {
            let found = navigator.implementations(meant);
            answer.info.implementations = Some(found.iter().map(definition_info).collect());
            answer.lines = found.iter().map(definition_line).collect();
        }
        Question::Callers => {
            let mut found = navigator.callers(meant, depth());
            found.calls.retain(|one| is_wanted(one.certainty));
            answer.set_calls(found);
        }
        Question::Callees => answer.set_calls(navigator.callees(meant, depth())),
    }
    answer
}

impl Answer {
    fn set_calls(&mut self, found: Calls) {
        let calls = found.calls;
        self.is_capped = found.is_cut;
        self.info.cut = found.is_cut;
        self.info.calls = Some(calls.iter().map(call_info).collect());
        let line = |call: Call| {
            let indent = "  ".repeat(call.step - 1);
            let caller = call.caller.unwrap_or_else(|| "(top level)".to_owned());
            let mark = mark(call.certainty);
            Line {
                text: format!("{indent}{mark}{caller} -> {}  {}", call.callee, call.text),
                place: call.place,
                has_secret: call.has_secret,
            }
        };
        self.lines = calls.into_iter().map(line).collect();
    }

    fn cut(&mut self, limit: usize) {
        let info = &mut self.info;
        info.cut |= self.lines.len() > limit;
        self.lines.truncate(limit);
        match (
            &mut info.references,
            &mut info.implementations,
            &mut info.calls,
        ) {
            (Some(list), ..) => list.truncate(limit),
            (_, Some(list), _) => list.truncate(limit),
            (.., Some(list)) => list.truncate(limit),
            _ => info.definitions.truncate(limit),
        }
    }

    fn is_empty(&self, question: Question) -> bool {
        match question {
            Question::Definitions => self.info.definitions.is_empty(),
            _ => self.lines.is_empty(),
        }
    }

    fn text(&self, paths: &ShownPaths, ui: Ui) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let place = &line.place;
            text.push_str(&paths.place(&place.path, place.line, place.column, ui));
            text.push_str(&format!(": {}\n", steered(line.text.trim_end())));
        }
        text
    }

    /// Where a name has several meanings: which, and how to choose.
    fn tell_candidates(&self, typed: &str, paths: &ShownPaths, ui: Ui) {
        const SHOWN: usize = 10;
        // What implements a type is no other meaning of its name.
        let is_other = |one: &&Definition| one.kind != SymbolKind::Impl;
        let candidates: Vec<&Definition> = self.candidates.iter().filter(is_other).collect();
        if candidates.len() < 2 {
            return;
        }
        let count = candidates.len();
        ui.say(&format!("{typed} has {count} definitions:"));
        for one in candidates.into_iter().take(SHOWN) {
            let place = paths.place(
                &one.place.path,
                one.place.line,
                one.place.column,
                Ui::plain(),
            );
            ui.say(&format!("  {place}  {} {}", one.kind, one.qualified));
        }
        if count > SHOWN {
            ui.say(&format!(
                "  and {} more: `infiniloom def` lists all",
                count - SHOWN
            ));
        }
        ui.hint("name one by its qualified name or its place, as above");
    }
}

/// What to say where nothing is meant.
fn nothing(target: &Target, typed: &str) -> String {
    match target {
        Target::Name(names) if names.last().is_some_and(|last| last.parse::<u32>().is_ok()) => {
            format!("nothing here defines {typed}; a place has a column too: PATH:LINE:COLUMN")
        }
        Target::Name(_) => format!("nothing here defines {typed}"),
        Target::Place { .. } => {
            format!("no name whose definition is known stands at {typed}: PATH:LINE:COLUMN, from 1")
        }
    }
}

/// What stands before a line that may mean something else.
fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Resolved => "",
        Certainty::Possible => "(possible) ",
    }
}

fn use_line(one: Use) -> Line {
    Line {
        text: format!("{}{}", mark(one.certainty), one.text),
        place: one.place,
        has_secret: one.has_secret,
    }
}

fn definition_line(one: &Definition) -> Line {
    let signature = one.signature.lines().next().unwrap_or_default();
    Line {
        place: one.place.clone(),
        text: format!("{} {}  {signature}", one.kind, one.qualified),
        has_secret: one.has_secret,
    }
}

fn definition_info(one: &Definition) -> DefinitionInfo {
    DefinitionInfo {
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        end_line: one.end_line,
        language: one.place.language.to_owned(),
        name: one.name.clone(),
        qualified_name: one.qualified.clone(),
        kind: one.kind.name().to_owned(),
        visibility: one.visibility.name().to_owned(),
        signature: one.signature.clone(),
        doc: one.doc.clone(),
    }
}

fn use_info(one: &Use) -> UseInfo {
    UseInfo {
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        kind: one.kind.to_owned(),
        certainty: one.certainty.name().to_owned(),
        from: one.from.clone(),
        text: one.text.clone(),
    }
}

fn call_info(one: &Call) -> CallInfo {
    CallInfo {
        step: one.step,
        caller: one.caller.clone(),
        callee: one.callee.clone(),
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        certainty: one.certainty.name().to_owned(),
        text: one.text.clone(),
        definitions: one.definitions.iter().map(definition_info).collect(),
    }
}
