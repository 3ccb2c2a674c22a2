//! The layer of flags, in the order of the command line. The command line defines and parses the
//! flags of a command.

use std::ffi::{OsStr, OsString};

use super::{Assignment, Layer, Rank};
use crate::setting::{Parsed, Written};
use crate::value::InvalidValue;
use crate::{FlagValue, Origin, Problem, Setting};

impl Layer {
    /// Creates the layer of flags, in the order of the command line: the order decides between
    /// `--include` and `--exclude`, and a later flag overrides an earlier one.
    ///
    /// # Errors
    /// Returns every wrong value.
    pub fn from_flags(
        flags: impl IntoIterator<Item = (&'static Setting, FlagValue)>,
    ) -> Result<Self, Vec<Problem>> {
        let origin = |setting: &Setting, given: &FlagValue| Origin::Flag(spelling(setting, given));
        read_all(Rank::Flags, flags, origin)
    }

    /// Creates the layer of values that a calling program sets, in their order. It overrides all
    /// other layers.
    ///
    /// # Errors
    /// Returns every wrong value.
    pub fn from_program(
        values: impl IntoIterator<Item = (&'static Setting, FlagValue)>,
    ) -> Result<Self, Vec<Problem>> {
        read_all(Rank::Program, values, |_, _| Origin::Program)
    }
}

fn read_all(
    rank: Rank,
    values: impl IntoIterator<Item = (&'static Setting, FlagValue)>,
    origin: impl Fn(&Setting, &FlagValue) -> Origin,
) -> Result<Layer, Vec<Problem>> {
    let mut assignments = Vec::new();
    let mut problems = Vec::new();
    for (setting, given) in values {
        let origin = origin(setting, &given);
        match read(setting, given) {
            Ok(value) => assignments.push(Assignment {
                setting,
                origin,
                value,
            }),
            Err(unfit) => problems.push(unfit.into_problem(setting, origin)),
        }
    }
    Layer::new(rank, assignments, problems)
}

fn read(setting: &Setting, given: FlagValue) -> Result<Parsed, InvalidValue> {
    let text = match given {
        FlagValue::Switch(value) => OsString::from(value.to_string()),
        FlagValue::Times(count) => OsString::from(count.to_string()),
        FlagValue::Value(text) => text,
    };
    (setting.access.read)(Written::Text(OsStr::new(&text)))
}

/// Returns the flag as the user typed it: a switch may be the opposite one.
fn spelling(setting: &Setting, given: &FlagValue) -> String {
    match (setting.flag, given) {
        (Some(flag), FlagValue::Switch(value)) if *value != flag.sets => flag.opposite(),
        (Some(flag), _) => flag.long.to_owned(),
        (None, _) => setting.key.to_owned(),
    }
}
