//! The errors of the crates below as errors of the library: their kinds, codes and hints.

use std::error::Error as StdError;

use loom_host::{
    AddressError, CalibrationError, ChunkOptionsError, ConfigError, FitError, FoundSecret,
    InvalidGlob, Limit, MapError, OpenError, PackError, ProviderError, RemoteError, SearchError,
    TemplateError, UnknownModel, WhyError,
};

use super::{Error, ErrorKind, ErrorProblem};

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        let (code, hint) = match &error {
            ConfigError::Template(_) => return Self::template(error),
            ConfigError::UnknownModel { error, .. } => ("unknown_model", Some(error.hint())),
            ConfigError::Chunk { origin, error } if origin.starts_with("flag ") => {
                ("invalid_chunks", Some(chunk_hint(error)))
            }
            ConfigError::Models {
                count: 2..,
                expected: "one",
                ..
            } => ("several_models", None),
            ConfigError::Baseline { .. } => ("unusable_baseline", None),
            ConfigError::UserText { .. } | ConfigError::Vocabulary { .. } => {
                ("unusable_file", None)
            }
            _ => ("invalid_settings", None),
        };
        let problems = match &error {
            ConfigError::Problems(problems) => problems.iter(),
            _ => [].iter(),
        };
        let problems = problems.map(|problem| ErrorProblem {
            message: problem.to_string(),
            hint: problem.hint(),
        });
        let problems = problems.collect();
        Self {
            problems,
            ..Self::new(ErrorKind::Invalid, code, error).with_hint(hint)
        }
    }
}

fn chunk_hint(error: &ChunkOptionsError) -> String {
    match error {
        ChunkOptionsError::Overlap { tokens, most, .. } => format!(
            "with --tokens {tokens}, --overlap takes 0 to {most}; without it, a sixteenth repeats"
        ),
        _ => "without --tokens, a chunk has at most 8,000".to_owned(),
    }
}

impl Error {
    fn template(error: impl StdError + Send + Sync + 'static) -> Self {
        let hint = "docs/guides/templates.md names what a template is given";
        Self::new(ErrorKind::Invalid, "invalid_template", error).with_hint(hint.to_owned())
    }

    fn secrets(found: &[FoundSecret]) -> Vec<ErrorProblem> {
        let problem = |one: &FoundSecret| ErrorProblem {
            message: crate::results::scan::line(&one.to_wire()),
            hint: None,
        };
        found.iter().map(problem).collect()
    }
}

impl From<TemplateError> for Error {
    fn from(error: TemplateError) -> Self {
        Self::template(error)
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        let hint = match &error {
            OpenError::Objects(error) => error.hint(),
            _ => None,
        };
        Self::new(ErrorKind::NotFound, "cannot_open", error).with_hint(hint)
    }
}

impl From<AddressError> for Error {
    fn from(error: AddressError) -> Self {
        let hint = "a local path starts with ./".to_owned();
        Self::new(ErrorKind::Invalid, "invalid_url", error).with_hint(hint)
    }
}

impl From<RemoteError> for Error {
    fn from(error: RemoteError) -> Self {
        if matches!(error, RemoteError::Cancelled) {
            return Self::new(ErrorKind::Cancelled, "cancelled", error);
        }
        let hint = error.hint();
        Self::new(ErrorKind::Unavailable, "remote_failed", error).with_hint(hint)
    }
}

impl From<ProviderError> for Error {
    fn from(error: ProviderError) -> Self {
        let hint = error.hint();
        if matches!(error, ProviderError::NoHttp) {
            return Self::new(ErrorKind::Unavailable, "feature_missing", error).with_hint(hint);
        }
        Self::new(ErrorKind::Unavailable, "provider_failed", error).with_hint(hint)
    }
}

impl From<CalibrationError> for Error {
    fn from(error: CalibrationError) -> Self {
        Self::new(ErrorKind::Unavailable, "unusable_calibration", error)
    }
}

impl From<UnknownModel> for Error {
    fn from(error: UnknownModel) -> Self {
        // The hint has the names that the message would suggest.
        Self::invalid("unknown_model", error.message()).with_hint(error.hint())
    }
}

impl From<InvalidGlob> for Error {
    fn from(error: InvalidGlob) -> Self {
        Self::new(ErrorKind::Invalid, "invalid_glob", error)
    }
}

impl From<WhyError> for Error {
    fn from(error: WhyError) -> Self {
        Self::new(ErrorKind::Invalid, "outside_root", error)
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Pack(error) => error.into(),
            error => Self::new(ErrorKind::Invalid, "bad_query", error),
        }
    }
}

impl From<PackError> for Error {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Open(error) => error.into(),
            PackError::Template(error) => error.into(),
            PackError::History { ref source, .. } => {
                let hint = source.hint();
                Self::new(ErrorKind::Invalid, "no_history", error).with_hint(hint)
            }
            PackError::BudgetTooSmall {
                budget, smallest, ..
            } => {
                let hint = match budget {
                    Limit::Tokens(_) => format!("give it {smallest} tokens or more"),
                    _ => format!("give it {smallest}b or more"),
                };
                Self::too_small(error, smallest, hint)
            }
            PackError::Map(MapError::BudgetTooSmall { smallest, .. })
            | PackError::Context(FitError::BudgetTooSmall { smallest, .. }) => Self::too_small(
                error,
                smallest,
                format!("give it {smallest} tokens or more"),
            ),
            PackError::Secrets { ref found } => Self {
                problems: Self::secrets(found),
                ..Self::new(ErrorKind::Refused, "secrets_found", error)
            },
            PackError::Cancelled => Self::new(ErrorKind::Cancelled, "cancelled", error),
            PackError::ReaderStopped => Self::new(ErrorKind::Internal, "panic", error),
            PackError::Gone(_) => Self::new(ErrorKind::NotFound, "no_such_path", error),
            error => Self::new(ErrorKind::Unavailable, "unavailable", error),
        }
    }
}

impl Error {
    fn too_small(error: PackError, smallest: usize, hint: String) -> Self {
        Self {
            needed: Some(smallest),
            ..Self::new(ErrorKind::Refused, "budget_too_small", error).with_hint(hint)
        }
    }
}
