//! `infiniloom tokens`: how many tokens files have, for one model or several, and
//! where they go.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::{Control, OutputFile, Root, Tokens};
use loom_settings::Group;
use loom_wire::TokensInfo;

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::numbers::skipped;
use crate::ui::Ui;
use crate::{exact, flags, token_report};

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
        .arg(
            Arg::new("depth")
                .long("depth")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .requires("tree")
                .help("With --tree, show N levels"),
        )
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
    let mut options = library::options(matches, GROUPS);
    if let Some(path) = html {
        // The page of the run before is no part of the repository.
        options = options.output(path);
    }
    let engine = library::builder(matches, options).build_unchecked();
    let roots = paths.iter().map(Root::from);
    let opened = Opened::open_roots(&engine, roots, &Control::new())?;
    let ui = opened.ui;
    let query = query(matches).page(html.is_some());
    let info = query.run_with(&opened.snapshot()?, &library::control(ui))?;
    ui.tell(&info.notices);
    say_left_out(&info, ui);
    if let (Some(path), Some(page)) = (html, &info.page) {
        OutputFile::write(path, page)?;
        let which = match info.models.as_slice() {
            [first, _, ..] => format!(", which shows the tokens for {}", first.model),
            _ => String::new(),
        };
        ui.say(&format!("wrote {}{which}", path.display()));
    }
    tell(matches, &info, opened.output_ui())
}

fn query(matches: &ArgMatches) -> Tokens {
    let query = Tokens::new().cost(matches.get_flag("cost"));
    query.exact(matches.get_flag("exact"))
}

/// Standard input is counted alone.
fn check_dash(paths: &[PathBuf]) -> Result<(), CliError> {
    if paths.iter().all(|path| path != Path::new("-")) {
        return Ok(());
    }
    let error = CliError::user("standard input cannot be counted together with paths");
    Err(error.hint("name - alone, or ./- for a file of that name"))
}

fn say_left_out(info: &TokensInfo, ui: Ui) {
    let shares = info.left_out.iter();
    let shares: Vec<String> = shares.map(skipped).collect();
    if !shares.is_empty() {
        let shares = shares.join(", ");
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

fn standard_input(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    if matches.contains_id("html") {
        return Err(CliError::user(
            "--html draws files; standard input is one text",
        ));
    }
    let engine = library::engine(matches, GROUPS)?;
    let text = super::input_text("-")?;
    let settings = engine.settings();
    let ui = library::ui(&settings);
    let info = query(matches).run_text(&engine, &text, &library::control(ui))?;
    ui.tell(&info.notices);
    let ui = Ui::on_standard_output(&settings.resolved().settings().ui);
    tell(matches, &info, ui)
}

/// Returns the number of levels that the tree shows.
fn depth(matches: &ArgMatches) -> usize {
    matches.get_one("depth").copied().unwrap_or(usize::MAX)
}

fn tell(matches: &ArgMatches, info: &TokensInfo, ui: Ui) -> Result<ExitCode, CliError> {
    if super::wants_json(matches) {
        super::print_json(info)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = token_report::models(info, matches.get_flag("cost"), ui);
    let top = matches.get_one::<usize>("top").copied().unwrap_or(0);
    let is_tree = matches.get_flag("tree");
    if let Some(tree) = &info.tree {
        if top > 0 || is_tree {
            text.push_str(token_report::note_on_files(info));
        }
        text.push_str(&match is_tree {
            true => token_report::tree(info, tree, depth(matches), ui),
            false => token_report::largest(info, top, ui),
        });
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
