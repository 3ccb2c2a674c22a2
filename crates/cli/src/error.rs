//! Errors for people: a message, its causes and a hint. The kind decides the exit code.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use infiniloom::ErrorKind;

use super::ui::Ui;

/// Category of a failure; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitKind {
    /// Wrong usage or invalid input.
    User,
    /// The run succeeded, but exceeded a limit.
    Refused,
    /// The disk or the system failed.
    Internal,
    /// The reader closed standard output.
    BrokenPipe,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl ExitKind {
    pub(super) fn exit_code(self) -> ExitCode {
        match self {
            Self::Refused => ExitCode::from(1),
            Self::User | Self::Internal => ExitCode::from(2),
            Self::BrokenPipe => ExitCode::SUCCESS,
            Self::Interrupted => ExitCode::from(130),
        }
    }

    /// Returns true if a message would have no reader.
    pub(super) fn is_silent(self) -> bool {
        matches!(self, Self::BrokenPipe | Self::Interrupted)
    }
}

/// An error that ends a command.
#[derive(Debug)]
pub(super) struct CliError {
    pub(super) kind: ExitKind,
    pub(super) lines: Vec<Line>,
    /// Options of messages, once the settings are known.
    pub(super) ui: Option<Ui>,
    /// True if git does not know a revision, or the directory is not in a repository.
    pub(super) is_about_history: bool,
}

/// A line of an error.
#[derive(Debug)]
pub(super) enum Line {
    /// A message.
    Error(String),
    /// Advice about the message before it.
    Hint(String),
}

impl CliError {
    /// Returns the error in one line, for callers without a terminal.
    pub(super) fn in_words(&self) -> String {
        let words = self.lines.iter().map(|line| match line {
            Line::Error(text) => text.clone(),
            Line::Hint(text) => format!("({text})"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn user(message: impl Into<String>) -> Self {
        Self::new(ExitKind::User, message)
    }

    pub(super) fn new(kind: ExitKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            lines: vec![Line::Error(message.into())],
            ui: None,
            is_about_history: false,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.lines.push(Line::Hint(hint.into()));
        self
    }

    /// Replaces the kind.
    pub(super) fn of_kind(mut self, kind: ExitKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the options of messages.
    pub(super) fn told_by(mut self, ui: Ui) -> Self {
        self.ui = Some(ui);
        self
    }

    /// Shows the error and returns its exit code.
    pub(super) fn report(&self) -> ExitCode {
        let ui = self.ui.unwrap_or_else(Ui::fallback);
        let lines = self.lines.iter().filter(|_| !self.kind.is_silent());
        lines.for_each(|line| match line {
            Line::Error(text) => ui.show_error(text),
            Line::Hint(text) => ui.show_hint(text),
        });
        self.kind.exit_code()
    }

    /// Creates an error of the system, with its causes.
    pub(super) fn internal(error: &dyn Error) -> Self {
        Self::new(ExitKind::Internal, chain(error))
    }

    /// Creates an I/O error with the failed action.
    pub(super) fn io(doing: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::BrokenPipe => ExitKind::BrokenPipe,
            _ => ExitKind::Internal,
        };
        Self::new(kind, format!("{doing}: {error}"))
    }
}

/// Joins a message and its causes.
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

/// Maximum number of findings in a refusal; `infiniloom scan` lists all.
const LISTED: usize = 20;

impl From<infiniloom::Error> for CliError {
    fn from(error: infiniloom::Error) -> Self {
        let kind = match error.kind() {
            // The result is correct, but the existing file must stay.
            _ if error.code() == "file_exists" => ExitKind::User,
            ErrorKind::Refused => ExitKind::Refused,
            ErrorKind::Cancelled => ExitKind::Interrupted,
            _ if error.is_broken_pipe() => ExitKind::BrokenPipe,
            ErrorKind::Invalid | ErrorKind::NotFound => ExitKind::User,
            _ => ExitKind::Internal,
        };
        let problems = error.problems();
        if matches!(error.code(), "invalid_settings" | "invalid_values") && !problems.is_empty() {
            let lines = problems.iter().flat_map(|problem| {
                let hint = problem.hint.clone().map(Line::Hint);
                [Line::Error(problem.message.clone())]
                    .into_iter()
                    .chain(hint)
            });
            return Self {
                kind,
                lines: lines.collect(),
                ui: None,
                is_about_history: false,
            };
        }
        let mut lines = vec![Line::Error(error.chain())];
        let listed = problems.iter().take(LISTED);
        lines.extend(listed.map(|problem| Line::Error(problem.message.clone())));
        if problems.len() > LISTED {
            lines.push(Line::Error(format!("{} more", problems.len() - LISTED)));
        }
        let hint = own_hint(error.code()).or_else(|| error.hint());
        let hint = hint.or_else(|| flag_hint(error.code()));
        lines.extend(hint.map(|hint| Line::Hint(hint.to_owned())));
        Self {
            kind,
            lines,
            ui: None,
            is_about_history: error.code() == "no_history",
        }
    }
}

/// Returns a hint with flags, which replaces the library's.
fn own_hint(code: &str) -> Option<&'static str> {
    Some(match code {
        "file_exists" => "--force replaces it",
        "refused_output" => "name another file with -o, or leave the settings out with --no-config",
        "same_output" => "name another file with -o or --report",
        "unnamed_parts" => "name them with -o: repo.xml gives repo.1.xml, repo.2.xml and so on",
        "no_cache_directory" => "--cache-dir DIR names one",
        "unusable_cache" => "`infiniloom cache clean` removes it; nothing but time is lost",
        "no_cache" => "leave out --no-cache, or set cache.enabled to true",
        "untrusted_model" => "choose it yourself: --model NAME",
        "counted_exactly" => "name a model whose tokens are estimated, such as --model sonnet",
        _ => return None,
    })
}

/// Returns a hint with flags and commands, if the library has none.
fn flag_hint(code: &str) -> Option<&'static str> {
    Some(match code {
        "invalid_settings" => {
            "`infiniloom config path` shows the files, --no-config leaves them out"
        }
        "several_models" => "`infiniloom tokens` takes several models",
        "unknown_setting" => "`infiniloom config list` names them all",
        "unusable_baseline" => {
            "`infiniloom scan --write-baseline FILE` makes one of what is found now"
        }
        "secrets_found" => {
            "nothing was written; --secrets redact takes them out, `infiniloom scan` lists them all"
        }
        _ => return None,
    })
}
