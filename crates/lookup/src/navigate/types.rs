//! Results of navigation queries.

use loom_base::RepoPath;
use loom_syntax::{SymbolKind, Visibility};

/// Precision of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// By names and syntax: results may be missing, or belong to another definition with the same
    /// name.
    Approximate,
    /// By an index from a compiler or a similar tool.
    Exact,
}

/// Confidence that an occurrence refers to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Scopes, imports, qualifiers and declared types resolve to the definition.
    Resolved,
    /// The name is the same, and nothing indicates another meaning.
    Possible,
}

impl Certainty {
    /// Returns the name for output.
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
    /// Its location.
    pub place: CodePlace,
    /// Its name.
    pub name: String,
    /// Its name with the enclosing names.
    pub qualified: String,
    /// Kind of symbol.
    pub kind: SymbolKind,
    /// Its visibility.
    pub visibility: Visibility,
    /// Its declaration in one line.
    pub signature: String,
    /// Its documentation comment.
    pub doc: Option<String>,
    /// Its last line.
    pub end_line: usize,
    /// True if it is a test, or in a test file.
    pub is_test: bool,
    /// True if it only declares a function, as C headers do.
    pub is_declaration: bool,
    /// True for a parameter or local variable.
    pub is_local: bool,
    /// True if it contains a secret, hidden or not.
    pub has_secret: bool,
}

/// A location in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodePlace {
    /// The file.
    pub path: RepoPath,
    /// Id of its language.
    pub language: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The name at the location: the target, or an alias under which a file imports it.
    pub name: String,
    /// Its location.
    pub place: CodePlace,
    /// Kind of use: `call`, `type`, `inherit`, `implement`, `import`, or `name`.
    pub kind: &'static str,
    /// Confidence that it refers to the target.
    pub certainty: Certainty,
    /// Qualified name of the symbol that contains the use.
    pub from: Option<String>,
    /// The line, redacted if secrets are hidden.
    pub text: String,
    /// True if the line contains a secret, hidden or not.
    pub has_secret: bool,
}

/// Calls, and whether the list is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The calls, nearest first.
    pub calls: Vec<Call>,
    /// True if calls are missing, beyond the maximum depth or number.
    pub is_cut: bool,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Distance from the target in steps, from 1.
    pub step: usize,
    /// Qualified name of the caller; `None` for code outside of functions.
    pub caller: Option<String>,
    /// Name of the callee.
    pub callee: String,
    /// Location of the call.
    pub place: CodePlace,
    /// Confidence that it calls the target.
    pub certainty: Certainty,
    /// The line, redacted if secrets are hidden.
    pub text: String,
    /// True if the line contains a secret, hidden or not.
    pub has_secret: bool,
    /// Possible definitions of the callee, for a query for callees.
    pub definitions: Vec<Definition>,
}
