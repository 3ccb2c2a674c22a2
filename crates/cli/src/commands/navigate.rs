//! `infiniloom def`, `refs`, `impls`, `callers`, `callees`: from a name or a place to
//! where it is defined, used, implemented and called.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::host::{
    Call, Certainty, CodePlace, Definition, IndexUse, Searcher, SymbolKind, SyntaxNavigator,
    Target, Use,
};
use infiniloom::results::navigation::{Navigation, NavigationOptions, Related, Relation};
use loom_settings::Group;
use loom_wire::NavigationInfo;

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

pub(super) fn definitions(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Relation::Definitions)
}

pub(super) fn references(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Relation::References)
}

pub(super) fn implementations(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Relation::Implementations)
}

pub(super) fn callers(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Relation::Callers)
}

pub(super) fn callees(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Relation::Callees)
}

fn run(matches: &ArgMatches, relation: Relation) -> Result<ExitCode, CliError> {
    let typed = matches
        .get_one::<String>("name")
        .cloned()
        .unwrap_or_default();
    let target =
        Target::parse(&typed).ok_or_else(|| CliError::user(format!("no name in {typed:?}")))?;
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let packer = Arc::new(packer);
    let cancel = cancel_on_interrupt();
    let searcher = {
        let progress = ProgressLine::new(Ui::new(&resolved.settings().ui));
        Searcher::open(Arc::clone(&packer), IndexUse::Update, &progress, &cancel)?
    };
    let navigator = SyntaxNavigator::new(&searcher);
    let options = options(matches);
    let found = Navigation::find(&navigator, &target, &typed, relation, options);
    Ui::new(&resolved.settings().ui).warn_of(&packer, &searcher.unread(), searcher.warnings());
    let limit = matches.get_one::<usize>("limit").copied();
    let is_empty = found.is_empty() || limit == Some(0);
    let answer = Answer::new(found, limit);
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    if super::wants_json(matches) {
        super::print_json(&answer.info)?;
    } else {
        let shown = ShownPaths::new(packer.source(), &paths);
        super::print(&answer.text(&shown, ui))?;
        let ui = Ui::new(&resolved.settings().ui);
        match relation {
            _ if answer.candidates.is_empty() => ui.hint(&nothing(&target, &typed)),
            // All of them are the answer.
            Relation::Definitions => {}
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
    Ok(match is_empty {
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

fn options(matches: &ArgMatches) -> NavigationOptions {
    // Not every relation has both flags.
    let depth = matches.try_get_one::<u8>("depth").ok().flatten();
    NavigationOptions {
        depth: depth.map_or(1, |depth| usize::from(*depth)),
        is_resolved_only: matches!(matches.try_get_one::<bool>("resolved"), Ok(Some(true))),
    }
}

impl Answer {
    fn new(found: Navigation, limit: Option<usize>) -> Self {
        let info = found.info(limit);
        let is_capped = found.is_capped();
        let mut lines: Vec<Line> = match found.related {
            Related::Definitions => found.definitions.iter().map(definition_line).collect(),
            Related::References(uses) => uses.into_iter().map(use_line).collect(),
            Related::Implementations(found) => found.iter().map(definition_line).collect(),
            Related::Calls(found) => found.calls.into_iter().map(call_line).collect(),
        };
        lines.truncate(limit.unwrap_or(usize::MAX));
        Self {
            info,
            lines,
            candidates: found.candidates,
            is_capped,
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

fn call_line(call: Call) -> Line {
    let indent = "  ".repeat(call.step - 1);
    let caller = call.caller.unwrap_or_else(|| "(top level)".to_owned());
    let mark = mark(call.certainty);
    Line {
        text: format!("{indent}{mark}{caller} -> {}  {}", call.callee, call.text),
        place: call.place,
        has_secret: call.has_secret,
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
