//! Definitions, references, implementations and calls by name. Answers come from the
//! syntax of files and say that they are approximate; an exact index can take the place
//! of [`Navigator`] behind [`Navigate`].

mod aside;
mod calls;
mod certainty;
mod definitions;
mod family;
mod file;
mod linked;
mod local;
mod navigator;
mod seen;
mod target;
mod types;
mod uses;

pub use navigator::{KeptSyntax, Navigator};
pub use target::Target;
pub use types::{Call, Calls, Certainty, CodePlace, Definition, Precision, Use};

use crate::CodeFiles;

/// What an index of code can be asked. All answers are ordered, the best or the first
/// first.
pub trait Navigate {
    /// How far its answers can be relied on.
    fn precision(&self) -> Precision;

    /// What the target can mean.
    fn definitions(&self, target: &Target) -> Vec<Definition>;

    /// Where one of these is used: what is certain before what is possible.
    fn references(&self, of: &[Definition]) -> Vec<Use>;

    /// What implements, inherits from or overrides one of these.
    fn implementations(&self, of: &[Definition]) -> Vec<Definition>;

    /// Who calls one of these, and who calls those, so many steps far.
    fn callers(&self, of: &[Definition], depth: usize) -> Calls;

    /// What they call, in the same way.
    fn callees(&self, of: &[Definition], depth: usize) -> Calls;
}

impl<F: CodeFiles> Navigate for Navigator<F> {
    fn precision(&self) -> Precision {
        Precision::Approximate
    }

    fn definitions(&self, target: &Target) -> Vec<Definition> {
        self.definitions_of(target)
    }

    fn references(&self, of: &[Definition]) -> Vec<Use> {
        self.uses(of)
    }

    fn implementations(&self, of: &[Definition]) -> Vec<Definition> {
        let mut found = self.implementing(of);
        found.sort_by_cached_key(definitions::order);
        found.dedup();
        found
    }

    fn callers(&self, of: &[Definition], depth: usize) -> Calls {
        self.calls_of(of, depth)
    }

    fn callees(&self, of: &[Definition], depth: usize) -> Calls {
        self.called_by(of, depth)
    }
}
