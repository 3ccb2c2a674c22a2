//! What all kinds of searches answer alike: the exit code, and hits with their scores.

use std::process::ExitCode;

use clap::ArgMatches;
use infiniloom::{ErrorKind, RankedSearch};
use loom_settings::Group;

use crate::error::{CliError, ExitKind};
use crate::library::{self, Opened};
use crate::search_output::{self, ShownPaths};

/// The settings that a search has flags for.
pub(super) const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets];

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
pub(super) fn answer_ranked(
    matches: &ArgMatches,
    query: RankedSearch,
) -> Result<ExitCode, CliError> {
    let query = match matches.get_one("limit") {
        Some(limit) => query.limit(*limit),
        None => query,
    };
    let paths = super::paths(matches);
    let opened = Opened::open(matches, GROUPS, &paths)?;
    let (ui, snapshot) = (opened.ui, opened.snapshot()?);
    let found = query.run_with(&snapshot, &library::control(ui));
    let info = found.map_err(|error| match error.kind() {
        // 1 says that nothing was found.
        ErrorKind::Refused => CliError::from(error).of_kind(ExitKind::User),
        _ => CliError::from(error),
    })?;
    let notices = &info.notices;
    ui.tell(notices);
    if !is_silent(matches) {
        if super::wants_json(matches) {
            super::print_json(&info)?;
        } else {
            let shown = ShownPaths::new(&opened.repository.roots(), &paths);
            let text = search_output::ranked_text(&info.hits, &shown, opened.output_ui());
            super::print(&text)?;
        }
        super::check_secrets(&opened, notices)?;
    }
    if let Some(notice) = notices.iter().find(|notice| notice.code == "no_match") {
        ui.hint(&format!(
            "{notice}; without --semantic it is found as it stands"
        ));
    }
    Ok(code(info.hits.len()))
}
