//! `infiniloom generate-docs DIR`: writes the reference pages from the declarations. The command is
//! hidden; `cargo xtask docs` calls it.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use infiniloom::OutputFile;
use loom_settings::{json_schema, reference_markdown};
use loom_wire::{
    BaselineFile, CalibrationInfo, ChunksInfo, ContextInfo, IndexInfo, MapInfo, McpDoctor,
    ModelInfo, NavigationInfo, RankedInfo, Report, ScanInfo, SearchInfo, StoreInfo, SymbolsInfo,
    TokensInfo, WhyInfo, schema,
};

use crate::error::CliError;

pub(super) fn command() -> Command {
    Command::new("generate-docs")
        .hide(true)
        .about("Write the reference pages")
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("Where to"),
        )
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let folder = matches
        .get_one::<PathBuf>("folder")
        .cloned()
        .unwrap_or_default();
    let pages = [
        ("cli.md", command_line()),
        ("settings.md", reference_markdown()),
        ("settings.schema.json", pretty(&json_schema())),
        (
            "navigation.schema.json",
            pretty(&schema::<NavigationInfo>()),
        ),
        ("ranked.schema.json", pretty(&schema::<RankedInfo>())),
        ("report.schema.json", pretty(&schema::<Report>())),
        ("why.schema.json", pretty(&schema::<WhyInfo>())),
        ("index.schema.json", pretty(&schema::<IndexInfo>())),
        ("mcp-doctor.schema.json", pretty(&schema::<McpDoctor>())),
        ("store.schema.json", pretty(&schema::<StoreInfo>())),
        ("search.schema.json", pretty(&schema::<SearchInfo>())),
        ("context.schema.json", pretty(&schema::<ContextInfo>())),
        ("map.schema.json", pretty(&schema::<MapInfo>())),
        ("symbols.schema.json", pretty(&schema::<SymbolsInfo>())),
        ("chunks.schema.json", pretty(&schema::<ChunksInfo>())),
        ("tokens.schema.json", pretty(&schema::<TokensInfo>())),
        (
            "calibration.schema.json",
            pretty(&schema::<CalibrationInfo>()),
        ),
        ("model.schema.json", pretty(&schema::<ModelInfo>())),
        ("scan.schema.json", pretty(&schema::<ScanInfo>())),
        ("baseline.schema.json", pretty(&schema::<BaselineFile>())),
    ];
    let failed = |error| CliError::io("cannot write the reference", &error);
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for (name, text) in pages {
        OutputFile::write(folder.join(name), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

fn command_line() -> String {
    let mut program = crate::command().version("VERSION").term_width(100);
    program.build();
    let mut page =
        "# Command line\n\nGenerated from the program by `cargo xtask docs`.\n".to_owned();
    section(&mut page, &mut program, "infiniloom");
    page
}

fn section(page: &mut String, command: &mut Command, name: &str) {
    let help = command.render_long_help().to_string();
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "\n## `{name}`\n\n```text\n{}\n```\n",
        lines.join("\n").trim_end()
    );
    for below in command
        .get_subcommands_mut()
        .filter(|below| !below.is_hide_set())
    {
        let name = format!("{name} {}", below.get_name());
        section(page, below, &name);
    }
}
