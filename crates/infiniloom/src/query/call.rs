//! Queries as calls of `wire`: values that can be stored, sent and run elsewhere.

use std::path::Path;

use loom_settings::FlagValue;
use loom_wire::{QueryCall, SettingCall, SettingValue};

use crate::session::Choices;
use crate::values::Values;
use crate::{Control, Error, Infiniloom, Model, Result, Snapshot};

mod sealed {
    pub trait Sealed {}
}

pub(crate) use sealed::Sealed;

/// A query that runs on a snapshot. The library implements it for all of its queries.
///
/// A call is a query as data of [`wire`](crate::wire), which serialises as JSON. It has only
/// the values that were set, so it means the same on each snapshot.
pub trait Query: Sealed + Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The result.
    type Output;

    /// Runs the query under the control of the caller.
    ///
    /// # Errors
    /// If a value of the query is invalid (all invalid values at once), the files do not allow
    /// a result, or the run is cancelled.
    fn run_with(&self, snapshot: &Snapshot, control: &Control) -> Result<Self::Output>;

    /// Returns the query as data.
    ///
    /// # Errors
    /// If a path of the query is not valid UTF-8.
    fn to_call(&self) -> Result<QueryCall>;

    /// Builds a query from data. `engine` resolves the names of models.
    ///
    /// # Errors
    /// If the call belongs to another query, or a name in it is unknown.
    fn from_call(call: &QueryCall, engine: &Infiniloom) -> Result<Self>;
}

/// Implements [`Query`] for a query with the methods `call` and `of_call`.
macro_rules! callable {
    ($query:ident => $output:ty) => {
        impl $crate::query::call::Sealed for $query {}

        impl $crate::query::Query for $query {
            type Output = $output;

            fn run_with(
                &self,
                snapshot: &$crate::Snapshot,
                control: &$crate::Control,
            ) -> $crate::Result<$output> {
                $query::run_with(self, snapshot, control)
            }

            fn to_call(&self) -> $crate::Result<loom_wire::QueryCall> {
                Ok(loom_wire::QueryCall::$query(self.call()?))
            }

            fn from_call(
                call: &loom_wire::QueryCall,
                engine: &$crate::Infiniloom,
            ) -> $crate::Result<Self> {
                match call {
                    loom_wire::QueryCall::$query(call) => Self::of_call(call, engine),
                    other => Err($crate::query::call::other_query(stringify!($query), other)),
                }
            }
        }
    };
}

pub(crate) use callable;

pub(crate) fn other_query(expected: &str, call: &QueryCall) -> Error {
    let message = format!("expected a call of {expected}, found {}", call.name());
    Error::invalid("other_query", message)
}

/// Returns the text of a path.
pub(crate) fn path_text(path: &Path) -> Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| not_text(&path.display().to_string()))
}

fn not_text(shown: &str) -> Error {
    let message = format!("{shown} is no text, so it cannot be part of a call");
    Error::invalid("not_serialisable", message)
}

/// Returns the name that resolves to the model.
pub(crate) fn model_name(model: Option<&Model>) -> Option<String> {
    model.map(|model| model.requested_name().to_owned())
}

/// Resolves the name of a model.
pub(crate) fn model_named(name: Option<&String>, engine: &Infiniloom) -> Result<Option<Model>> {
    name.map(|name| engine.model(name)).transpose()
}

/// Parses an optional choice.
pub(crate) fn choice<T: std::str::FromStr<Err = Error>>(
    name: Option<&String>,
) -> Result<Option<T>> {
    name.map(|name| name.parse()).transpose()
}

/// Returns the error for an unknown word.
pub(crate) fn unknown_word(field: &str, word: &str, expected: &str) -> Error {
    let error = Error::invalid("unknown_value", format!("unknown {field} {word:?}"));
    error.with_hint(format!("expected one of {expected}"))
}

impl Values {
    pub(crate) fn call(&self) -> Result<Vec<SettingCall>> {
        let call = |(key, value): (&str, &FlagValue)| {
            let value = match value {
                FlagValue::Switch(is_on) => SettingValue::Switch(*is_on),
                FlagValue::Times(times) => SettingValue::Text(times.to_string()),
                FlagValue::Value(text) => {
                    let shown = || not_text(&text.to_string_lossy());
                    SettingValue::Text(text.to_str().ok_or_else(shown)?.to_owned())
                }
            };
            let key = key.to_owned();
            Ok(SettingCall { key, value })
        };
        self.iter().map(call).collect()
    }

    pub(crate) fn of_call(calls: &[SettingCall]) -> Self {
        let mut values = Self::default();
        for SettingCall { key, value } in calls {
            match value {
                SettingValue::Switch(is_on) => values.switch(key, *is_on),
                SettingValue::Text(text) => values.set(key, text),
            }
        }
        values
    }
}

impl Choices {
    pub(crate) fn of_call(
        settings: &[SettingCall],
        model: Option<&String>,
        engine: &Infiniloom,
    ) -> Result<Self> {
        Ok(Self {
            values: Values::of_call(settings),
            model: model_named(model, engine)?,
        })
    }
}
