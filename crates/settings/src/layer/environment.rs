//! The layer of environment variables. The caller passes them in.

use std::ffi::{OsStr, OsString};

use super::{Assignment, Layer, Rank};
use crate::nearest::nearest;
use crate::quote::plain;
use crate::setting::{VARIABLE_PREFIX, Written, all};
use crate::{Origin, Problem, Setting};

impl Layer {
    /// Parses the variables that are named after a setting and ignores all others. A variable with
    /// an empty value counts as not set. [`unknown_variables`] finds misspelt ones.
    ///
    /// # Errors
    /// Returns every wrong value.
    pub fn from_env(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut assignments = Vec::new();
        let mut problems = Vec::new();
        for (name, value) in ours(variables) {
            let Some(setting) = all().iter().find(|setting| setting.variable() == name) else {
                continue;
            };
            match assign(setting, name, &value) {
                Ok(assignment) => assignments.push(assignment),
                Err(problem) => problems.push(problem),
            }
        }
        let layer = Self::new(Rank::Environment, assignments, problems)?;
        Ok(layer.in_declared_order())
    }
}

/// Finds unknown variables whose names start with `INFINILOOM_`: no setting has the name, and
/// `others` does not list it. Each is a [`Problem::UnknownVariable`], which is only a warning:
/// another program, a build script or a later version may have set the variable, so it must not
/// stop a run.
pub fn unknown_variables(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
    others: &[&str],
) -> Vec<Problem> {
    let settings = all().iter().map(Setting::variable);
    let known: Vec<String> = settings
        .chain(others.iter().map(|&name| name.to_owned()))
        .collect();
    let names = ours(variables).into_iter().map(|(name, _)| name);
    names
        .filter(|name| !known.contains(name))
        .map(|name| Problem::UnknownVariable {
            nearest: nearest_variable(&name, &known),
            name: plain(&name),
        })
        .collect()
}

/// Finds the known variable nearest to `name`. It ignores the prefix, which all of them have.
fn nearest_variable(name: &str, known: &[String]) -> Option<String> {
    let known = known.iter().map(|name| without_prefix(name));
    let found = nearest(without_prefix(name), known);
    found.map(|found| format!("{VARIABLE_PREFIX}{found}"))
}

fn without_prefix(name: &str) -> &str {
    name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name)
}

/// Returns the variables with our prefix. They are sorted, because their order differs between runs
/// and messages should not.
fn ours(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<(String, OsString)> {
    let mut ours: Vec<(String, OsString)> = variables
        .into_iter()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, value)| name.starts_with(VARIABLE_PREFIX) && !value.is_empty())
        .collect();
    ours.sort();
    ours
}

fn assign(setting: &'static Setting, name: String, value: &OsStr) -> Result<Assignment, Problem> {
    let origin = Origin::Environment(name);
    match (setting.access.read)(Written::Text(value)) {
        Ok(value) => Ok(Assignment {
            setting,
            origin,
            value,
        }),
        Err(unfit) => Err(unfit.into_problem(setting, origin)),
    }
}
