//! The client of a build without the feature `http`. No value of it exists, so no request can be
//! sent.

use crate::base::Base;

/// An answer, which never comes.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// A client that cannot exist.
pub(crate) enum Client {}

impl Client {
    /// Returns the reason for the missing client.
    pub(crate) fn new(base: &Base) -> Result<Self, String> {
        Self::with_limit(base, 0)
    }

    /// Returns the reason for the missing client.
    pub(crate) fn with_limit(_: &Base, _: u64) -> Result<Self, String> {
        Err("this build cannot open connections: it lacks the feature `http`".to_owned())
    }

    pub(crate) fn post(&self, _: &str, _: &[(&str, &str)], _: &str) -> Result<Answer, String> {
        match *self {}
    }
}
