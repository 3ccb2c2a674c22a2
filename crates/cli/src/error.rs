//! What went wrong, for a person: a message, its causes, and what to do. The
//! kind picks the exit code.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use infiniloom::host::{
    AddressError, CalibrationError, ChunkOptionsError, ConfigError, FitError, Limit, MapError,
    OpenError, PackError, ProviderError, RemoteError, SearchError, TemplateError,
};

use super::summary::secret;
use super::ui::Ui;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Wrong use or unusable input.
    User,
    /// Everything works, and the answer is no: a limit does not hold.
    Refused,
    /// We could not do it: the disk, the system.
    Internal,
    /// The reader of our output went away.
    BrokenPipe,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

impl Kind {
    pub(super) fn exit_code(self) -> ExitCode {
        match self {
            Self::Refused => ExitCode::from(1),
            Self::User | Self::Internal => ExitCode::from(2),
            Self::BrokenPipe => ExitCode::SUCCESS,
            Self::Interrupted => ExitCode::from(130),
        }
    }

    /// Whether there is nobody to tell.
    pub(super) fn is_silent(self) -> bool {
        matches!(self, Self::BrokenPipe | Self::Interrupted)
    }
}

/// Something that ends a command.
#[derive(Debug)]
pub(super) struct CliError {
    pub(super) kind: Kind,
    pub(super) lines: Vec<Line>,
    /// How to tell it, once the settings are known.
    pub(super) ui: Option<Ui>,
}

/// A line for a person.
#[derive(Debug)]
pub(super) enum Line {
    /// What is wrong.
    Error(String),
    /// What to do about the error before it.
    Hint(String),
}

impl CliError {
    /// All of it in one line, for those who have no terminal.
    pub(super) fn in_words(&self) -> String {
        let words = self.lines.iter().map(|line| match line {
            Line::Error(text) => text.clone(),
            Line::Hint(text) => format!("({text})"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn user(message: impl Into<String>) -> Self {
        Self::new(Kind::User, message)
    }

    /// Something that the user named cannot be used, with the causes.
    pub(super) fn unusable(error: &dyn Error) -> Self {
        Self::user(chain(error))
    }

    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            lines: vec![Line::Error(message.into())],
            ui: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.lines.push(Line::Hint(hint.into()));
        self
    }

    /// The same with another exit code.
    pub(super) fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Told as the settings say.
    pub(super) fn told_by(mut self, ui: Ui) -> Self {
        self.ui = Some(ui);
        self
    }

    /// Something that the system did not let us do, with its causes.
    pub(super) fn internal(error: &dyn Error) -> Self {
        Self::new(Kind::Internal, chain(error))
    }

    /// An I/O error with what was being done.
    pub(super) fn io(doing: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::BrokenPipe => Kind::BrokenPipe,
            _ => Kind::Internal,
        };
        Self::new(kind, format!("{doing}: {error}"))
    }
}

fn lines(problem: &loom_settings::Problem) -> impl Iterator<Item = Line> + use<> {
    let hint = problem.hint().map(Line::Hint);
    [Line::Error(problem.to_string())].into_iter().chain(hint)
}

/// A message with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let config_hint = "`infiniloom config path` shows the files, --no-config leaves them out";
        match error {
            ConfigError::Problems(problems) => Self {
                kind: Kind::User,
                lines: problems.iter().flat_map(lines).collect(),
                ui: None,
            },
            ConfigError::Template(error) => error.into(),
            ConfigError::UserText { .. } | ConfigError::Vocabulary { .. } => {
                Self::user(chain(&error))
            }
            ConfigError::UnknownModel {
                error: ref unknown, ..
            } => Self::user(error.to_string()).hint(unknown.hint()),
            ConfigError::Models {
                count: 2..,
                expected: "one",
                ..
            } => Self::user(chain(&error)).hint("`infiniloom tokens` takes several models"),
            ConfigError::Baseline { .. } => Self::user(chain(&error))
                .hint("`infiniloom scan --write-baseline FILE` makes one of what is found now"),
            // What stands in a flag is in no file.
            ConfigError::Chunk { origin, error } if origin.starts_with("flag ") => {
                let hint = match error {
                    ChunkOptionsError::Overlap { tokens, most, .. } => format!(
                        "with --tokens {tokens}, --overlap takes 0 to {most}; without it, a sixteenth repeats"
                    ),
                    _ => "without --tokens, a chunk has at most 8,000".to_owned(),
                };
                Self::user(format!("{origin}: {error}")).hint(hint)
            }
            other => Self::user(chain(&other)).hint(config_hint),
        }
    }
}

impl From<OpenError> for CliError {
    fn from(error: OpenError) -> Self {
        let hint = match &error {
            OpenError::Objects(error) => error.hint(),
            _ => None,
        };
        let error = Self::user(chain(&error));
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl From<AddressError> for CliError {
    fn from(error: AddressError) -> Self {
        Self::user(chain(&error)).hint("a local path starts with ./")
    }
}

impl From<RemoteError> for CliError {
    fn from(error: RemoteError) -> Self {
        if matches!(error, RemoteError::Cancelled) {
            return Self::new(Kind::Interrupted, "interrupted");
        }
        let hint = error.hint();
        let error = Self::user(chain(&error));
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl From<ProviderError> for CliError {
    fn from(error: ProviderError) -> Self {
        let hint = error.hint();
        let error = Self::user(chain(&error));
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl From<CalibrationError> for CliError {
    fn from(error: CalibrationError) -> Self {
        Self::user(chain(&error))
    }
}

impl From<TemplateError> for CliError {
    fn from(error: TemplateError) -> Self {
        Self::user(chain(&error)).hint("docs/guides/templates.md names what a template is given")
    }
}

impl From<SearchError> for CliError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Pack(error) => error.into(),
            error => Self::user(chain(&error)),
        }
    }
}

impl From<PackError> for CliError {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Open(error) => error.into(),
            PackError::Template(error) => error.into(),
            PackError::History { ref source, .. } => {
                let hint = source.hint();
                let told = Self::user(chain(&error));
                match hint {
                    Some(hint) => told.hint(hint),
                    None => told,
                }
            }
            PackError::BudgetTooSmall {
                budget: Limit::Tokens(_),
                smallest,
            } => Self::new(Kind::Refused, chain(&error))
                .hint(format!("give it {smallest} tokens or more")),
            PackError::BudgetTooSmall { smallest, .. } => {
                Self::new(Kind::Refused, chain(&error)).hint(format!("give it {smallest}b or more"))
            }
            PackError::Map(MapError::BudgetTooSmall { smallest, .. })
            | PackError::Context(FitError::BudgetTooSmall { smallest, .. }) => {
                let hint = format!("give it {smallest} tokens or more");
                Self::new(Kind::Refused, chain(&error)).hint(hint)
            }
            PackError::Secrets { ref found } => {
                let mut told = Self::new(Kind::Refused, chain(&error));
                for one in found.iter().take(20) {
                    told.lines.push(Line::Error(secret(one, Ui::plain())));
                }
                if found.len() > 20 {
                    let more = format!("{} more", found.len() - 20);
                    told.lines.push(Line::Error(more));
                }
                told.hint("nothing was written; --secrets redact takes them out, `infiniloom scan` lists them all")
            }
            PackError::Cancelled => Self::new(Kind::Interrupted, "interrupted"),
            PackError::Write(ref cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                Self::new(Kind::BrokenPipe, chain(&error))
            }
            error => Self::new(Kind::Internal, chain(&error)),
        }
    }
}
