//! `infiniloom sanitize`: redacts secrets in standard input and writes the result to standard
//! output.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::{Confidence, Sanitizer};

use crate::error::CliError;
use crate::numbers::plural;
use crate::ui::Ui;

pub(super) fn command() -> Command {
    Command::new("sanitize")
        .about("Take the secrets out of a text on its way: standard input to standard output")
        .long_about(
            "Take the secrets out of a text on its way: standard input to standard output\n\n\
             Text is passed on as soon as it can no longer be part of a secret. Remarks in the \
             text allow nothing.",
        )
        .after_help("Example:\n  build-prompt | infiniloom sanitize | ask-a-model")
        .arg(
            Arg::new("confidence")
                .long("confidence")
                .value_name("LEVEL")
                .value_parser(["low", "medium", "high"])
                .default_value("medium")
                .help("Take out what is a secret with at least this confidence"),
        )
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let least = matches.get_one::<String>("confidence");
    let least = least.map(|name| name.parse::<Confidence>()).transpose()?;
    let mut sanitizer = Sanitizer::with_confidence(least.unwrap_or(Confidence::Medium));
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let mut buffer = vec![0; 1 << 16];
    let failed = |error| CliError::io("cannot write the result", &error);
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CliError::io("cannot read standard input", &error)),
        };
        let safe = sanitizer.push_bytes(&buffer[..read]);
        out.write_all(safe.as_bytes())
            .and_then(|()| out.flush())
            .map_err(failed)?;
    }
    let rest = sanitizer.finish();
    out.write_all(rest.as_bytes())
        .and_then(|()| out.flush())
        .map_err(failed)?;
    if sanitizer.found() > 0 {
        let secrets = plural(sanitizer.found(), "secret", "secrets");
        Ui::fallback().say(&format!("{secrets} redacted"));
    }
    Ok(ExitCode::SUCCESS)
}
