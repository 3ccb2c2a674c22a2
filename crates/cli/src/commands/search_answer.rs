//! The output that all kinds of searches share: the exit code, and hits with their scores.

use std::process::ExitCode;

use clap::ArgMatches;
use infiniloom::{ErrorKind, RankedSearch};
use loom_settings::Group;

use crate::error::{CliError, ExitKind};
use crate::library::{self, Opened};
use crate::search_output::{self, ShownPaths};

/// Groups of settings with flags for a search.
pub(super) const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets];

/// Returns whether only the exit code is needed, as with `rg -q`. The setting `ui.quiet` does not
/// count: it silences messages, not results.
pub(super) fn is_silent(matches: &ArgMatches) -> bool {
    matches.get_flag("ui.quiet")
}

/// Returns exit code 0 if anything matched, else 1.
pub(super) fn code(found: usize) -> ExitCode {
    match found {
        0 => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints ranked hits, and reports their secrets.
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
        // Exit code 1 would mean that nothing matched.
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
