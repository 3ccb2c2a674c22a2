//! `infiniloom def`, `refs`, `impls`, `callers`, `callees`: find the definitions, references,
//! implementations and calls of a name or location.

use std::mem::ManuallyDrop;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::Navigate;
use loom_settings::Group;
use loom_wire::{CallInfo, DefinitionInfo, NavigationInfo, UseInfo};

use crate::error::CliError;
use crate::flags;
use crate::library::{self, Opened};
use crate::progress;
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
    run(matches, Navigate::definitions)
}

pub(super) fn references(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Navigate::references)
}

pub(super) fn implementations(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Navigate::implementations)
}

pub(super) fn callers(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Navigate::callers)
}

pub(super) fn callees(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    run(matches, Navigate::callees)
}

fn run(matches: &ArgMatches, query: fn(String) -> Navigate) -> Result<ExitCode, CliError> {
    let typed = matches.get_one::<String>("name");
    let query = with_flags(query(typed.cloned().unwrap_or_default()), matches);
    let paths = super::paths(matches);
    let opened = Opened::open(matches, GROUPS, &paths)?;
    let ui = opened.ui;
    let snapshot = ManuallyDrop::new(opened.snapshot()?);
    let found = progress::follow(ui, &library::control(ui), |control| {
        query.run_with(&snapshot, control)
    });
    let info = found?;
    let notices = &info.notices;
    ui.tell(notices);
    let lines = lines(&info);
    if super::wants_json(matches) {
        super::print_json(&info)?;
    } else {
        let shown = ShownPaths::new(&opened.repository.roots(), &paths);
        super::print(&text(&lines, &shown, opened.output_ui()))?;
        match notices.iter().find(|notice| notice.code == "no_definition") {
            Some(notice) => ui.hint(&notice.message),
            // All definitions are the result.
            None if is_definitions(&info) => {}
            None => tell_candidates(&info, &shown, ui),
        }
        if info.capped {
            ui.hint("there are more calls: fewer steps, or FILE:LINE:COL for one definition");
        } else if info.cut {
            ui.hint("there is more: --limit N shows N");
        }
    }
    super::check_secrets(&opened, notices)?;
    Ok(match lines.is_empty() {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

fn with_flags(query: Navigate, matches: &ArgMatches) -> Navigate {
    // Some relations lack these flags.
    let depth = matches.try_get_one::<u8>("depth").ok().flatten();
    let query = match depth {
        Some(depth) => query.depth(usize::from(*depth)),
        None => query,
    };
    let query = match matches.try_get_one::<bool>("resolved") {
        Ok(Some(is_resolved)) => query.resolved(*is_resolved),
        _ => query,
    };
    match matches.get_one::<usize>("limit") {
        Some(limit) => query.limit(*limit),
        None => query,
    }
}

/// Returns whether the definitions are the result, and not the start of a relation.
fn is_definitions(info: &NavigationInfo) -> bool {
    info.references.is_none() && info.implementations.is_none() && info.calls.is_none()
}

/// Line of a result.
struct Line<'i> {
    path: &'i str,
    line: usize,
    column: usize,
    text: String,
}

fn lines(info: &NavigationInfo) -> Vec<Line<'_>> {
    let uses = info.references.iter().flatten().map(use_line);
    let implementations = info.implementations.iter().flatten().map(definition_line);
    let calls = info.calls.iter().flatten().map(call_line);
    let definitions = info.definitions.iter().map(definition_line);
    let definitions = definitions.filter(|_| is_definitions(info));
    let related = uses.chain(implementations).chain(calls);
    related.chain(definitions).collect()
}

fn text(lines: &[Line<'_>], paths: &ShownPaths, ui: Ui) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&paths.place(line.path, line.line, line.column, ui));
        text.push_str(&format!(": {}\n", steered(line.text.trim_end())));
    }
    text
}

/// Lists the definitions of an ambiguous name, and explains how to choose one.
fn tell_candidates(info: &NavigationInfo, paths: &ShownPaths, ui: Ui) {
    // A longer list does not help to choose, and the hint works without it.
    const SHOWN: usize = 10;
    let typed = &info.target;
    // An implementation of a type is not another meaning of its name.
    let candidates = info.definitions.iter().take(info.candidates);
    let candidates: Vec<_> = candidates.filter(|one| one.kind != "impl").collect();
    if candidates.len() < 2 {
        return;
    }
    let count = candidates.len();
    ui.say(&format!("{typed} has {count} definitions:"));
    for one in candidates.into_iter().take(SHOWN) {
        let place = paths.place(&one.path, one.line, one.column, Ui::plain());
        ui.say(&format!("  {place}  {} {}", one.kind, one.qualified_name));
    }
    if count > SHOWN {
        ui.say(&format!(
            "  and {} more: `infiniloom def` lists all",
            count - SHOWN
        ));
    }
    ui.hint("name one by its qualified name or its place, as above");
}

/// Returns the prefix of a line that may belong to another definition.
fn mark(certainty: &str) -> &'static str {
    match certainty {
        "possible" => "(possible) ",
        _ => "",
    }
}

fn use_line(one: &UseInfo) -> Line<'_> {
    Line {
        path: &one.path,
        line: one.line,
        column: one.column,
        text: format!("{}{}", mark(&one.certainty), one.text),
    }
}

fn call_line(call: &CallInfo) -> Line<'_> {
    let indent = "  ".repeat(call.step - 1);
    let caller = call.caller.as_deref().unwrap_or("(top level)");
    let mark = mark(&call.certainty);
    Line {
        path: &call.path,
        line: call.line,
        column: call.column,
        text: format!("{indent}{mark}{caller} -> {}  {}", call.callee, call.text),
    }
}

fn definition_line(one: &DefinitionInfo) -> Line<'_> {
    let signature = one.signature.lines().next().unwrap_or_default();
    Line {
        path: &one.path,
        line: one.line,
        column: one.column,
        text: format!("{} {}  {signature}", one.kind, one.qualified_name),
    }
}
