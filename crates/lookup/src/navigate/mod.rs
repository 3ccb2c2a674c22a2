//! Finds definitions, references, implementations and calls by name. Results come from syntax and
//! are marked as approximate. An exact index can replace [`Navigator`] by implementing
//! [`Navigate`].

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

/// Queries on an index of code. Results are ordered: best first, or in the order of locations.
pub trait Navigate {
    /// Returns the precision of the results.
    fn precision(&self) -> Precision;

    /// Returns the definitions that the target can refer to.
    fn definitions(&self, target: &Target) -> Vec<Definition>;

    /// Returns the uses of these definitions, resolved ones before possible ones.
    fn references(&self, of: &[Definition]) -> Vec<Use>;

    /// Returns the definitions that implement, inherit from or override one of these.
    fn implementations(&self, of: &[Definition]) -> Vec<Definition>;

    /// Returns the callers of these definitions, and their callers up to `depth` steps.
    fn callers(&self, of: &[Definition], depth: usize) -> Calls;

    /// Returns the callees of these definitions, and their callees up to `depth` steps.
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
