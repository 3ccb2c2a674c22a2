//! The values that a caller sets. They override all other settings, and are parsed and checked when
//! a query runs: setters never fail.

use std::ffi::OsString;

use loom_host::ConfigError;
use loom_settings::{FlagValue, Layer, Problem, nearest_key, setting};

use crate::Result;

/// Values by the keys of their settings, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    set: Vec<(String, FlagValue)>,
}

impl Values {
    /// Sets a value as text.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<OsString>) {
        self.set
            .push((key.to_owned(), FlagValue::Value(value.into())));
    }

    /// Sets a value that is a list of words, with commas between them.
    pub(crate) fn set_words<'w>(&mut self, key: &str, words: impl Iterator<Item = &'w str>) {
        self.set(key, words.collect::<Vec<_>>().join(","));
    }

    /// Sets a value that is on or off.
    pub(crate) fn switch(&mut self, key: &str, is_on: bool) {
        self.set.push((key.to_owned(), FlagValue::Switch(is_on)));
    }

    /// Returns all values with their keys, in the order in which they were set.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &FlagValue)> {
        self.set.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Returns whether `is_such` accepts the keys of all values.
    pub(crate) fn all(&self, is_such: impl Fn(&str) -> bool) -> bool {
        self.set.iter().all(|(key, _)| is_such(key))
    }

    /// Returns whether a value of this key was set.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.set.iter().any(|(set, _)| set == key)
    }

    /// Parses all values.
    ///
    /// # Errors
    /// If a key is unknown or a value is invalid: all of them at once.
    pub(crate) fn layer(&self) -> Result<Layer, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut known = Vec::new();
        for (key, value) in &self.set {
            match setting(key) {
                Some(setting) => known.push((setting, value.clone())),
                None => problems.push(Problem::UnknownKey {
                    origin: loom_settings::Origin::Program,
                    key: key.clone(),
                    nearest: nearest_key(key).map(str::to_owned),
                }),
            }
        }
        match Layer::from_program(known) {
            Ok(layer) if problems.is_empty() => Ok(layer),
            Ok(_) => Err(problems),
            Err(wrong) => {
                problems.extend(wrong);
                Err(problems)
            }
        }
    }

    /// Parses all values, with one error of the library.
    pub(crate) fn checked_layer(&self) -> Result<Layer> {
        Ok(self.layer().map_err(ConfigError::Problems)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invalid_value_is_reported_at_once() {
        let mut values = Values::default();
        values.set("pack.budget", "many");
        values.set("pack.bugdet", "10");
        values.set("pack.format", "sarif");
        values.switch("pack.tree", true);
        let error = values.checked_layer().unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Invalid);
        let messages: Vec<&str> = error
            .problems()
            .iter()
            .map(|problem| problem.message.as_str())
            .collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages[0].contains("`pack.bugdet`"), "{messages:?}");
        assert_eq!(
            error.problems()[0].hint.as_deref(),
            Some("did you mean `pack.budget`?")
        );
    }
}
