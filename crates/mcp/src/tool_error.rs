//! The error of a call, as the model reads it.

use infiniloom::{Error, ErrorKind};

/// What is wrong with a call, and what to do about it, for the model.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub(crate) struct ToolError(pub(crate) String);

impl ToolError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A call that nobody waits for.
    pub(crate) fn interrupted() -> Self {
        Self::new("interrupted")
    }
}

/// Of findings that stop an answer, so many are named.
const NAMED: usize = 3;

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled {
            return Self::interrupted();
        }
        if error.code() == "secrets_found" {
            let places = error.problems().iter().take(NAMED);
            let places: Vec<&str> = places.map(|one| place(&one.message)).collect();
            let more = if error.problems().len() > NAMED {
                ", …"
            } else {
                ""
            };
            return Self(format!(
                "{error} ({}{more}), and the settings want nothing shown then (secrets = fail). \
                 `infiniloom scan` lists them; `secrets = redact` shows the rest.",
                places.join(", ")
            ));
        }
        match error.needed() {
            Some(smallest) if error.kind() == ErrorKind::Refused => {
                // What the engine counts is not all that is told.
                let needed = smallest.saturating_mul(3) / 2;
                Self(format!(
                    "this takes more than `budget`: about {needed} would do, or pin and name less"
                ))
            }
            _ => Self(error.chain()),
        }
    }
}

/// The path and line of a finding, `PATH:LINE:COLUMN: KIND`.
fn place(finding: &str) -> &str {
    let place = finding.split(": ").next().unwrap_or(finding);
    place.rsplit_once(':').map_or(place, |(place, _)| place)
}

/// What is wrong with a folder or its settings, in one line, with what to do.
pub(crate) fn in_words(error: &Error) -> String {
    let hinted = |text: String, hint: Option<&str>| match hint {
        Some(hint) => format!("{text} ({hint})"),
        None => text,
    };
    if error.code() == "invalid_settings" && !error.problems().is_empty() {
        let problems = error.problems().iter();
        let problems = problems.map(|one| hinted(one.message.clone(), one.hint.as_deref()));
        return problems.collect::<Vec<_>>().join(" ");
    }
    hinted(error.chain(), error.hint())
}
