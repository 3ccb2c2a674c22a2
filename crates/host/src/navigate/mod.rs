//! Definitions, references, implementations and calls by name. Answers come from the
//! syntax of files and say that they are approximate; an exact index can take the place
//! of [`SyntaxNavigator`] behind [`Navigate`].

mod calls;
mod certainty;
mod definitions;
mod file;
mod linked;
mod local;
mod seen;
mod target;
#[cfg(test)]
mod tests;
mod uses;

use loom_base::RepoPath;
use loom_syntax::{SymbolKind, Visibility};

pub use calls::{Call, Calls};
pub use definitions::{KeptSyntax, SyntaxNavigator};
pub use target::Target;

/// How far an answer can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// By names and syntax: something may be missing, something may be another one of
    /// the same name.
    Approximate,
    /// By an index that the compiler or its like made.
    Exact,
}

/// Whether a place means a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Scopes, imports, qualifiers and declared types lead there.
    Resolved,
    /// It has the name, and nothing says that it means something else.
    Possible,
}

impl Certainty {
    /// The word for programs and people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Possible => "possible",
        }
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Where it is.
    pub place: CodePlace,
    /// Its name.
    pub name: String,
    /// The same with the names around it.
    pub qualified: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Who may use it.
    pub visibility: Visibility,
    /// How it is declared, in one line.
    pub signature: String,
    /// What its documentation says.
    pub doc: Option<String>,
    /// Its last line.
    pub end_line: usize,
    /// Whether it is a test, or in a file of tests.
    pub is_test: bool,
    /// Whether it says only that there is such a function, as headers of C do.
    pub is_declaration: bool,
    /// Whether it is a parameter or variable that a function has for itself.
    pub is_local: bool,
    /// Whether it holds a secret, hidden or not.
    pub has_secret: bool,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodePlace {
    /// The file.
    pub path: RepoPath,
    /// The identifier of its language.
    pub language: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The name that stands there: the one that was looked for, or another under which a
    /// file imports it.
    pub name: String,
    /// Where it is.
    pub place: CodePlace,
    /// How it is used: `call`, `type`, `inherit`, `implement`, `import`, or `name`.
    pub kind: &'static str,
    /// Whether it means what was asked for.
    pub certainty: Certainty,
    /// The qualified name of the symbol that uses it.
    pub from: Option<String>,
    /// The line, without secrets where they are hidden.
    pub text: String,
    /// Whether the line holds a secret, hidden or not.
    pub has_secret: bool,
}

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
