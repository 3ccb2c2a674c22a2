//! `infiniloom sanitize`: standard input to standard output, without its secrets.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::host::{Confidence, Sanitizer};

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
    let name = matches.get_one::<String>("confidence");
    let level = |level: &Confidence| name.is_some_and(|name| name == level.name());
    let least = Confidence::ALL.into_iter().find(level);
    let mut sanitizer = Sanitizer::at_least(least.unwrap_or(Confidence::Medium));
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 1 << 16];
    let failed = |error| CliError::io("cannot write the result", &error);
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CliError::io("cannot read standard input", &error)),
        };
        let safe = sanitizer.push(&decoder.push(&buffer[..read]));
        out.write_all(safe.as_bytes())
            .and_then(|()| out.flush())
            .map_err(failed)?;
    }
    let rest = sanitizer.push(&decoder.finish()) + &sanitizer.finish();
    out.write_all(rest.as_bytes())
        .and_then(|()| out.flush())
        .map_err(failed)?;
    if sanitizer.found() > 0 {
        let secrets = plural(sanitizer.found(), "secret", "secrets");
        Ui::fallback().say(&format!("{secrets} redacted"));
    }
    Ok(ExitCode::SUCCESS)
}

/// UTF-8 in pieces; what is none becomes U+FFFD.
#[derive(Default)]
struct Decoder {
    /// The start of a character.
    held: Vec<u8>,
}

impl Decoder {
    fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::with_capacity(self.held.len());
        loop {
            match std::str::from_utf8(&self.held) {
                Ok(rest) => {
                    text.push_str(rest);
                    self.held.clear();
                    return text;
                }
                Err(error) => {
                    let (valid, rest) = self.held.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(valid));
                    let Some(broken) = error.error_len() else {
                        self.held = rest.to_vec();
                        return text;
                    };
                    text.push('\u{fffd}');
                    self.held = rest[broken..].to_vec();
                }
            }
        }
    }

    fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.held)).into_owned()
    }
}
