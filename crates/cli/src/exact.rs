//! `--exact`: the provider counts tokens that would otherwise be estimates. The host contains the
//! requests to providers.

use clap::{Arg, ArgAction};
use loom_wire::SendingInfo;

use super::numbers::{plural, size};

/// Creates `--exact`.
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

/// Describes the text that is sent to a provider, and the host.
pub(super) fn sending_message(sending: &SendingInfo) -> String {
    let SendingInfo { host, model, .. } = sending;
    let files = plural(sending.files.unwrap_or(0), "file", "files");
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
