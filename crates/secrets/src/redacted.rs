//! A value that is never printed: logs, errors and reports show a fixed word.

use std::fmt;

/// A wrapper that keeps a secret out of all output.
///
/// ```
/// use loom_secrets::Redacted;
///
/// let key = Redacted::new("hunter2".to_owned());
/// assert_eq!(format!("{key} {key:?}"), "[REDACTED] [REDACTED]");
/// assert_eq!(key.expose(), "hunter2");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Redacted<T>(T);

impl<T> Redacted<T> {
    /// Wraps a secret.
    pub fn new(secret: T) -> Self {
        Self(secret)
    }

    /// Returns the secret.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Redacted<T> {
    fn from(secret: T) -> Self {
        Self(secret)
    }
}

impl<T> fmt::Debug for Redacted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[REDACTED]")
    }
}

impl<T> fmt::Display for Redacted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[REDACTED]")
    }
}
