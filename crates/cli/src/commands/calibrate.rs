//! `infiniloom calibrate`: has a provider count samples of a repository, and corrects
//! estimates for it from then on.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use infiniloom::Calibrate;
use loom_base::printable;
use loom_settings::Group;
use loom_wire::CalibrationInfo;

use crate::error::CliError;
use crate::flags;
use crate::library::{self, Opened};
use crate::numbers::number;

const GROUPS: &[Group] = &[Group::Scan, Group::Model];

pub(super) fn command() -> Command {
    let command = Command::new("calibrate")
        .about("Correct the token estimates for a repository by counts of the provider")
        .long_about(
            "Correct the token estimates for a repository by counts of the provider\n\n\
             Sends two samples of at most 200 kB of its files to the provider's counting \
             endpoint, or one where there is little text, and keeps the factor in your own data folder. \
             The key is read from ANTHROPIC_API_KEY, or from GEMINI_API_KEY or GOOGLE_API_KEY; \
             ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL name a gateway.",
        )
        .after_help("Examples:\n  infiniloom calibrate --model sonnet\n  infiniloom calibrate --model sonnet --forget")
        .arg(super::paths_arg("Folders or files of one repository; the current folder when none is given"))
        .arg(
            Arg::new("forget")
                .long("forget")
                .action(ArgAction::SetTrue)
                .help("Forget what is known for the repository and model; nothing is sent"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let opened = Opened::open(matches, GROUPS, &super::paths(matches))?;
    let (ui, snapshot) = (opened.ui, opened.snapshot()?);
    let query = Calibrate::new();
    if matches.get_flag("forget") {
        let info = query.remove(&snapshot)?;
        ui.tell(&info.notices);
        let words = match info.removed {
            true => "forgot the calibration of",
            false => "there is no calibration of",
        };
        let name = name(&info.estimator, &info.directory);
        ui.say(&format!("{words} {name}"));
        return Ok(ExitCode::SUCCESS);
    }
    let info = query.run_with(&snapshot, &library::control(ui))?;
    ui.tell(&info.notices);
    match super::wants_json(matches) {
        true => super::print_json(&info)?,
        false => super::print(&describe(&info))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(info: &CalibrationInfo) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let spread = match info.spread {
        Some(spread) => format!("the two samples differ by {}", percent(spread)),
        None => "one sample".to_owned(),
    };
    format!(
        "{}: estimated ~{} tokens, counted {}\nfactor {:.3}, band ±{} ({spread})\n\
         kept for {}; --forget removes it\n",
        info.model,
        number(info.estimated_tokens),
        number(info.counted_tokens),
        info.factor,
        percent(info.band),
        name(&info.estimator, &info.directory),
    )
}

/// Names the estimator and the directory of a calibration.
fn name(estimator: &str, directory: &str) -> String {
    format!("{estimator} in {}", printable(directory))
}
