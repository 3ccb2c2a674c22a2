//! `--exact`: the provider's own count of what would otherwise be an estimate. How a
//! provider is asked is the business of the host.

use std::cell::RefCell;
use std::io::{self, Write};

use clap::{Arg, ArgAction, ArgMatches};
use infiniloom::host::{Chosen, Endpoint, ProviderError};
use loom_settings::{FileTrust, Origin, Resolved};
use loom_wire::SendingInfo;

use super::error::CliError;
use super::numbers::{number, plural, size};
use super::ui::Ui;

/// `--exact`.
pub(super) fn arg() -> Arg {
    Arg::new("exact")
        .long("exact")
        .action(ArgAction::SetTrue)
        .help("Have the provider count what is estimated here; sends it the text")
        .long_help(
            "Have the provider count what is estimated here; sends it the text\n\n\
             For Claude and Gemini, with the key in ANTHROPIC_API_KEY, or in GEMINI_API_KEY or \
             GOOGLE_API_KEY. The total is then exact; figures of single files stay estimates. \
             For models that are counted exactly here it changes nothing.",
        )
}

/// The endpoint that is to count; `None` where that was not asked for, or the model
/// is counted exactly here.
pub(super) fn endpoint(
    matches: &ArgMatches,
    resolved: &Resolved,
    Chosen { model, typed, .. }: &Chosen,
) -> Result<Option<Endpoint>, CliError> {
    if !matches.get_flag("exact") || model.tokenizer.is_exact() {
        return Ok(None);
    }
    check_choice(resolved)?;
    Ok(Some(Endpoint::from_environment(model, typed)?))
}

/// Who gets to see the text is the user's choice, not the repository's.
pub(super) fn check_choice(resolved: &Resolved) -> Result<(), CliError> {
    match resolved.origin("model.name") {
        Some(Origin::File { file, .. }) if file.trust == FileTrust::Repository => {
            let message = "the model is chosen by the repository's settings, and with it who gets to see the text";
            Err(CliError::user(message).hint("choose it yourself: --model NAME"))
        }
        _ => Ok(()),
    }
}

/// The provider's count of `text`, which is `what`. Says first what is sent where.
pub(super) fn count(
    endpoint: &Endpoint,
    text: &str,
    what: &str,
    ui: Ui,
) -> Result<usize, CliError> {
    ProviderError::check_size(text.len())?;
    let (size, host) = (size(text.len()), endpoint.host());
    ui.say(&format!("sending {what}, {size}, to {host} to be counted"));
    Ok(endpoint.count(text)?)
}

/// What is sent where.
pub(super) fn told(sending: &SendingInfo) -> String {
    let SendingInfo { host, model, .. } = sending;
    let files = files(sending.files.unwrap_or(0));
    let size = size(sending.bytes);
    let what = match sending.subject.as_str() {
        "samples" => {
            let samples = match sending.requests {
                1 => "the text",
                _ => "samples",
            };
            let requests = plural(sending.requests, "request", "requests");
            return format!(
                "sending {samples} of {files}, {size} in {requests}, to {host} to be counted for {model}"
            );
        }
        "files" => files,
        "text" => "standard input".to_owned(),
        _ => "the pack".to_owned(),
    };
    format!("sending {what}, {size}, to {host} to be counted")
}

/// How many files, in words.
pub(super) fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        count => format!("{} files", number(count)),
    }
}

/// An output that is kept while it is written, to be counted afterwards.
#[derive(Debug)]
pub(super) struct Kept {
    endpoint: Endpoint,
    bytes: RefCell<Vec<u8>>,
    /// How much there was in all; what is too much for a request is not kept.
    total: RefCell<usize>,
}

impl Kept {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            bytes: RefCell::default(),
            total: RefCell::default(),
        }
    }

    /// Writes to `out`, and keeps what is written.
    pub(super) fn beside<'a>(&'a self, out: &'a mut dyn Write) -> impl Write + 'a {
        Beside { out, kept: self }
    }

    pub(super) fn host(&self) -> &str {
        self.endpoint.host()
    }

    /// The provider's count of all that was written.
    pub(super) fn count(&self, ui: Ui) -> Result<usize, CliError> {
        ProviderError::check_size(*self.total.borrow())?;
        let bytes = self.bytes.borrow();
        count(
            &self.endpoint,
            &String::from_utf8_lossy(&bytes),
            "the pack",
            ui,
        )
    }
}

struct Beside<'a> {
    out: &'a mut dyn Write,
    kept: &'a Kept,
}

impl Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let mut total = self.kept.total.borrow_mut();
        *total += written;
        if ProviderError::check_size(*total).is_ok() {
            let mut kept = self.kept.bytes.borrow_mut();
            kept.extend_from_slice(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
