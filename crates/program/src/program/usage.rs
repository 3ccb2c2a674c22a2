//! The usage of a name, which decides between definitions of several kinds.

use loom_syntax::{ReferenceKind, SymbolKind};

use super::{DefinitionId, Program};

/// The usage of a name at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Usage {
    /// The name is called.
    Call,
    /// The name is a type.
    Type,
    /// The name is a value, the begin of a path, or part of an import.
    Other,
}

impl Usage {
    /// Returns the usage for a kind of reference; `None` if the syntax does not tell it.
    pub(super) fn of_reference(kind: Option<ReferenceKind>) -> Self {
        match kind {
            Some(ReferenceKind::Call) => Self::Call,
            Some(_) => Self::Type,
            None => Self::Other,
        }
    }
}

impl Program {
    /// Keeps the definitions that fit the usage if there are some: types for a type, no modules for
    /// a call.
    pub(super) fn fitting(&self, found: Vec<DefinitionId>, usage: Usage) -> Vec<DefinitionId> {
        let fits = |id: &DefinitionId| {
            let kind = self.definition(*id).kind;
            let is_module = kind == SymbolKind::Module;
            match usage {
                Usage::Call => !is_module,
                Usage::Type => kind.is_type() || kind == SymbolKind::Type || is_module,
                Usage::Other => true,
            }
        };
        match found.iter().any(fits) {
            true => found.into_iter().filter(fits).collect(),
            false => found,
        }
    }

    /// Returns whether these definitions may hide another one of their name elsewhere. A module does
    /// not hide a function: `mod sell; pub use sell::sell;` defines both.
    pub(super) fn decide(&self, found: &[DefinitionId], usage: Usage) -> bool {
        let is_module = |id: &DefinitionId| self.definition(*id).kind == SymbolKind::Module;
        !found.is_empty() && (usage == Usage::Type || !found.iter().all(is_module))
    }
}
