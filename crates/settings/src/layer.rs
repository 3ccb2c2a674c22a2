//! One layer of settings as typed: the values of one file, the environment or the command line,
//! each parsed and validated, but not merged.

mod environment;
mod flags;
mod line_index;
mod models;
mod reader;
mod rules;
mod toml;

pub use environment::unknown_variables;
pub(crate) use models::{DOC as OWN_MODELS_DOC, KEYS as OWN_MODEL_KEYS};
pub use rules::{CompressRule, TransformRule};
pub(crate) use rules::{Rules, TABLES as RULE_TABLES};

use std::fmt;

use loom_models::OwnModel;

use crate::setting::Parsed;
use crate::value::InvalidValue;
use crate::{Origin, Problem, Setting};

/// Values of one source.
#[derive(Clone, Debug)]
pub struct Layer {
    pub(crate) rank: Rank,
    pub(crate) assignments: Vec<Assignment>,
    /// Models that the user describes.
    pub(crate) models: Vec<OwnModel>,
    /// Rules for some files.
    pub(crate) rules: Rules,
}

/// Precedence of a layer, in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    User,
    Repository,
    Environment,
    Flags,
    Program,
}

/// Setting with its value in a layer.
#[derive(Clone)]
pub(crate) struct Assignment {
    pub(crate) setting: &'static Setting,
    pub(crate) origin: Origin,
    pub(crate) value: Parsed,
}

impl Layer {
    /// Creates the layer, or returns all of its problems.
    fn new(
        rank: Rank,
        assignments: Vec<Assignment>,
        problems: Vec<Problem>,
    ) -> Result<Self, Vec<Problem>> {
        match problems.is_empty() {
            true => Ok(Self {
                rank,
                assignments,
                models: Vec::new(),
                rules: Rules::default(),
            }),
            false => Err(problems),
        }
    }

    /// Sorts assignments by declaration, for sources whose own order has no meaning.
    fn in_declared_order(mut self) -> Self {
        let position = |assignment: &Assignment| {
            let is_it = |setting: &Setting| setting.key == assignment.setting.key;
            crate::all().iter().position(is_it)
        };
        self.assignments.sort_by_key(position);
        self
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {}", self.setting.key, self.origin)
    }
}

impl InvalidValue {
    fn into_problem(self, setting: &Setting, origin: Origin) -> Problem {
        Problem::WrongValue {
            origin,
            key: setting.key,
            expected: self.expected,
            found: self.found,
            nearest: self.nearest,
        }
    }
}

#[cfg(test)]
mod tests;
