//! What all kinds of searches answer alike: the exit code, and hits with their scores.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgMatches;
use infiniloom::host::{Packer, RankedHit};
use loom_settings::Resolved;

use crate::error::CliError;
use crate::search_output::{self, ShownPaths};
use crate::ui::Ui;

/// Whether the exit code is all that is asked for, as with `rg -q`. A setting that keeps
/// messages back does not mean answers.
pub(super) fn is_silent(matches: &ArgMatches) -> bool {
    matches.get_flag("ui.quiet")
}

/// 0 where so many were found, 1 where none was.
pub(super) fn code(found: usize) -> ExitCode {
    match found {
        0 => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// Shows the answer to a question, and says where secrets are in it.
pub(super) fn print_ranked(
    matches: &ArgMatches,
    hits: &[RankedHit],
    packer: &Packer,
    paths: &[PathBuf],
    resolved: &Resolved,
) -> Result<(), CliError> {
    if is_silent(matches) {
        return Ok(());
    }
    if super::wants_json(matches) {
        super::print_json(&infiniloom::results::search::ranked_info(hits))?;
    } else {
        let shown = ShownPaths::new(packer.source(), paths);
        let ui = Ui::on_standard_output(&resolved.settings().ui);
        super::print(&search_output::ranked_text(hits, &shown, ui))?;
    }
    let secrets = hits.iter().filter(|hit| hit.has_secret).count();
    super::tell_secrets(packer, secrets, Ui::new(&resolved.settings().ui))
}
