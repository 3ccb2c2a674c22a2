//! The error of the library: a kind for the caller's next step, a stable code, a message with its
//! causes, and a hint. Exit codes and the layout of messages belong to edges.

mod conversions;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use loom_wire::ErrorInfo;

/// The result of a call of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The category of an error, by which a caller decides its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is wrong: correct it.
    Invalid,
    /// A path, a revision or a name does not exist.
    NotFound,
    /// The input is valid, but the result is not allowed: the budget is too small, or the files
    /// contain secrets.
    Refused,
    /// A file, a disk, a provider or another part of the system failed.
    Unavailable,
    /// The caller cancelled the run.
    Cancelled,
    /// A defect of the library.
    Internal,
}

impl ErrorKind {
    /// Returns the name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not_found",
            Self::Refused => "refused",
            Self::Unavailable => "unavailable",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }
}

/// The reason why a call failed.
///
/// `Display` prints the message without its causes, which [`source`](StdError::source) has;
/// [`Error::chain`] prints both.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    code: &'static str,
    hint: Option<String>,
    problems: Vec<ErrorProblem>,
    needed: Option<usize>,
    place: Option<Box<ErrorPlace>>,
    cause: Box<dyn StdError + Send + Sync>,
}

/// A message without a cause.
#[derive(Debug)]
struct Message(String);

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl StdError for Message {}

/// An error that several callers get.
#[derive(Debug)]
struct Shared(Arc<Error>);

impl fmt::Display for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl StdError for Shared {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

/// A failed system operation.
#[derive(Debug)]
struct Failed {
    doing: String,
    cause: std::io::Error,
}

impl fmt::Display for Failed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.doing)
    }
}

impl StdError for Failed {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.cause)
    }
}

/// One of several problems of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorProblem {
    /// The problem and its location.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
}

/// The part of a query that an error is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorPlace {
    /// The query, or the pattern in it.
    pub text: String,
    /// The first byte of the part.
    pub start: usize,
    /// The end of the part, exclusive.
    pub end: usize,
}

impl Error {
    fn new(
        kind: ErrorKind,
        code: &'static str,
        cause: impl StdError + Send + Sync + 'static,
    ) -> Self {
        Self {
            kind,
            code,
            hint: None,
            problems: Vec::new(),
            needed: None,
            place: None,
            cause: Box::new(cause),
        }
    }

    /// Creates an error of the library with a message.
    pub(crate) fn with_message(
        kind: ErrorKind,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self::new(kind, code, Message(message.into()))
    }

    /// Wraps an error of another crate, with a code of the library.
    pub(crate) fn with_cause(
        kind: ErrorKind,
        code: &'static str,
        cause: impl StdError + Send + Sync + 'static,
    ) -> Self {
        Self::new(kind, code, cause)
    }

    /// Creates the error for a cache without a known directory.
    pub(crate) fn no_cache_directory() -> Self {
        let message = "no directory for the cache: neither XDG_CACHE_HOME nor HOME is set";
        Self::with_message(ErrorKind::Unavailable, "no_cache_directory", message)
            .with_hint("name a directory".to_owned())
    }

    /// Creates the error for a value that cannot be used.
    pub(crate) fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::with_message(ErrorKind::Invalid, code, message)
    }

    /// Creates the error of a cancelled run.
    pub fn cancelled() -> Self {
        Self::with_message(ErrorKind::Cancelled, "cancelled", "cancelled")
    }

    /// Replaces the smallest budget that would be enough.
    pub(crate) fn with_needed(self, needed: usize) -> Self {
        Self {
            needed: Some(needed),
            hint: Some(format!("give it {needed} tokens or more")),
            ..self
        }
    }

    pub(crate) fn of_deadline(self) -> Self {
        Self {
            code: "deadline",
            cause: Box::new(Message("the deadline passed".to_owned())),
            ..self
        }
    }

    pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = format!("a defect: {}", text.unwrap_or("no message"));
        Self::with_message(ErrorKind::Internal, "panic", message)
    }

    /// Returns the error for one more caller.
    pub(crate) fn shared(error: &Arc<Self>) -> Self {
        Self {
            kind: error.kind,
            code: error.code,
            hint: error.hint.clone(),
            problems: error.problems.clone(),
            needed: error.needed,
            place: error.place.clone(),
            cause: Box::new(Shared(Arc::clone(error))),
        }
    }

    /// Wraps an I/O error with the operation that failed.
    pub(crate) fn io(doing: impl Into<String>, cause: std::io::Error) -> Self {
        let doing = doing.into();
        Self::new(
            ErrorKind::Unavailable,
            "unavailable",
            Failed { doing, cause },
        )
    }

    pub(crate) fn with_place(self, place: ErrorPlace) -> Self {
        Self {
            place: Some(Box::new(place)),
            ..self
        }
    }

    /// Creates one error for several invalid values.
    pub(crate) fn with_problems(problems: Vec<ErrorProblem>) -> Self {
        let message = match problems.as_slice() {
            [one] => one.message.clone(),
            all => format!("{} invalid values", all.len()),
        };
        let hint = match problems.as_slice() {
            [one] => one.hint.clone(),
            _ => None,
        };
        Self {
            problems,
            ..Self::invalid("invalid_values", message).with_hint(hint)
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Returns the category of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns a stable name of the failure, such as `budget_too_small`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the remedy, if there is one.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Returns all problems, such as invalid settings or found secrets, if the message does not
    /// cover them.
    pub fn problems(&self) -> &[ErrorProblem] {
        &self.problems
    }

    /// Returns the invalid part of the query.
    pub fn place(&self) -> Option<&ErrorPlace> {
        self.place.as_deref()
    }

    /// Returns the smallest budget that would be enough, in tokens or bytes like the caller's
    /// budget.
    pub fn needed(&self) -> Option<usize> {
        self.needed
    }

    /// Returns the message with its causes, on one line.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }

    /// Returns whether the reader closed the pipe while the result was written.
    pub fn is_broken_pipe(&self) -> bool {
        let mut cause = self.source();
        while let Some(error) = cause {
            let io = error.downcast_ref::<std::io::Error>();
            if io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe) {
                return true;
            }
            cause = error.source();
        }
        false
    }

    /// Returns the error as data for programs.
    pub fn info(&self) -> ErrorInfo {
        ErrorInfo {
            kind: self.kind.name().to_owned(),
            code: self.code.to_owned(),
            message: self.chain(),
            hint: self.hint.clone(),
            needed: self.needed,
            problems: self
                .problems
                .iter()
                .map(|one| one.message.clone())
                .collect(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(formatter)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.source()
    }
}

#[cfg(test)]
mod tests {
    use loom_host::{Limit, PackError};

    use super::*;

    #[test]
    fn small_budget_is_refused_and_names_the_smallest() {
        let error = Error::from(PackError::BudgetTooSmall {
            budget: Limit::Tokens(10),
            smallest: 812,
        });
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert_eq!(error.code(), "budget_too_small");
        assert_eq!(error.needed(), Some(812));
        assert_eq!(error.hint(), Some("give it 812 tokens or more"));
        assert_eq!(error.info().needed, Some(812));
    }

    #[test]
    fn unknown_model_has_a_hint_and_no_cause() {
        let unknown = loom_host::model("sonet").unwrap_err();
        let error = Error::from(unknown);
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.hint().is_some_and(|hint| hint.contains("sonnet")));
        assert!(error.source().is_none());
    }

    #[test]
    fn closed_pipe_is_found_among_the_causes() {
        let closed = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let error = Error::from(PackError::Write(closed));
        assert!(error.is_broken_pipe());
        assert!(error.chain().starts_with("cannot write the output: "));
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert!(!Error::from(PackError::Write(full)).is_broken_pipe());
    }

    #[test]
    fn error_can_be_sent_to_another_thread() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }
}
