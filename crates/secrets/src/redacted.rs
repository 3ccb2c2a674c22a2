//! A value that is never shown: it goes through logs, errors and reports as a
//! fixed word.

use std::fmt;

/// Keeps a secret out of everything that is written down.
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
    /// Takes a secret in.
    pub fn new(secret: T) -> Self {
        Self(secret)
    }

    /// The secret, for the one who needs it.
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
