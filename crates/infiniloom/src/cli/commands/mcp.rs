//! `infiniloom mcp`: serves repositories to agents.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};
use loom_host::{Packer, Source, pack_options};
use loom_mcp::{Opener, Roots, Server, serve_stdio};
use loom_settings::Group;

use crate::cli::error::CliError;
use crate::cli::flags;
use crate::cli::outputs::Outputs;

const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets, Group::Model];

pub(super) fn command() -> Command {
    let command = Command::new("mcp")
        .about("Serve repositories to agents over the Model Context Protocol")
        .after_help(
            "Speaks over standard input and output. Without ROOT, the folders that the client names \
             are served, or the current one. Nothing is written to a repository, nothing outside the \
             roots is read, and secrets are taken out.\n\nExamples:\n  infiniloom mcp\n  infiniloom mcp ~/shop ~/lib",
        )
        .arg(super::paths_arg("Folders to serve"));
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let roots = Arc::new(Roots::new(opener(matches)));
    let named = matches.get_many::<std::path::PathBuf>("path");
    for path in named.into_iter().flatten() {
        roots.add(path).map_err(CliError::user)?;
    }
    serve_stdio(Server::new(roots)).map_err(|error| CliError::user(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// Opens a folder with the settings that hold there.
fn opener(matches: &ArgMatches) -> Opener {
    let matches = matches.clone();
    Arc::new(move |path: &Path| {
        let opened = || -> Result<Packer, CliError> {
            let source = Source::open(&[path])?;
            let layer = flags::layer(&matches, GROUPS);
            let files = super::config::config_files(&matches);
            let resolved = files.resolve(Some(&source), layer)?;
            let outputs = Outputs::locate(resolved.settings(), &source).all();
            let options = pack_options(&resolved, &outputs)?;
            Ok(Packer::new(source, options))
        };
        opened().map_err(|error| error.in_words())
    })
}
