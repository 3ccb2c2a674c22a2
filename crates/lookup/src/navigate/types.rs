//! What navigation answers with.

use loom_base::RepoPath;
use loom_syntax::{SymbolKind, Visibility};

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

/// Calls, and whether there are more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The nearest first.
    pub calls: Vec<Call>,
    /// Whether more are there, further away or too many to tell.
    pub is_cut: bool,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many steps it is away, from 1.
    pub step: usize,
    /// Who calls; `None` for code outside of functions.
    pub caller: Option<String>,
    /// The name that is called.
    pub callee: String,
    /// Where the call is.
    pub place: CodePlace,
    /// Whether it calls what was asked for.
    pub certainty: Certainty,
    /// The line, without secrets where they are hidden.
    pub text: String,
    /// Whether the line holds a secret, hidden or not.
    pub has_secret: bool,
    /// What the callee can mean, where callees were asked for.
    pub definitions: Vec<Definition>,
}
