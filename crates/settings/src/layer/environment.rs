//! The layer of environment variables. The caller passes them in.

use std::ffi::{OsStr, OsString};

use super::{Assignment, Layer, Rank};
use crate::nearest::nearest;
use crate::setting::{VARIABLE_PREFIX, all};
use crate::value::{Written, plain};
use crate::{Origin, Problem, Setting};

impl Layer {
    /// Reads the variables whose names start with `INFINILOOM_` and passes over
    /// all others. A variable with an empty value counts as not set. `reserved`
    /// names variables with the prefix that are not settings.
    ///
    /// # Errors
    /// Every unknown name and every wrong value.
    pub fn from_env(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        reserved: &[&str],
    ) -> Result<Self, Vec<Problem>> {
        let mut assignments = Vec::new();
        let mut problems = Vec::new();
        for (name, value) in ours(variables, reserved) {
            match assign(&name, &value) {
                Ok(assignment) => assignments.push(assignment),
                Err(problem) => problems.push(problem),
            }
        }
        let layer = Self::new(Rank::Environment, assignments, problems)?;
        Ok(layer.in_declared_order())
    }
}

/// The variables that concern us, sorted, because their order differs between
/// runs and messages should not.
fn ours(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
    reserved: &[&str],
) -> Vec<(String, OsString)> {
    let mut ours: Vec<(String, OsString)> = variables
        .into_iter()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, value)| name.starts_with(VARIABLE_PREFIX) && !value.is_empty())
        .filter(|(name, _)| !reserved.contains(&name.as_str()))
        .collect();
    ours.sort();
    ours
}

fn assign(name: &str, value: &OsStr) -> Result<Assignment, Problem> {
    let has_name = |setting: &&Setting| setting.variable() == name;
    let Some(setting) = all().iter().find(has_name) else {
        return Err(unknown(name));
    };
    let origin = Origin::Environment(name.to_owned());
    match (setting.access.read)(Written::Text(value)) {
        Ok(value) => Ok(Assignment {
            setting,
            origin,
            value,
        }),
        Err(unfit) => Err(unfit.into_problem(setting, origin)),
    }
}

fn unknown(name: &str) -> Problem {
    let names: Vec<String> = all().iter().map(Setting::variable).collect();
    let nearest = nearest(name, names.iter().map(String::as_str));
    Problem::UnknownVariable {
        name: plain(name),
        nearest: nearest.map(ToOwned::to_owned),
    }
}
