//! Definitions, references, implementations and calls of names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom def`, `refs`, `impls`, `callers` and `callees`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NavigationInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The requested name or location, as typed.
    pub target: String,
    /// Whether the result comes from names and syntax only: results may be missing, and some may be
    /// a different symbol with the same name.
    pub approximate: bool,
    /// True if results are missing: over the limit, or beyond the caps on depth and calls.
    pub cut: bool,
    /// The definitions that the target can mean, most likely first.
    pub definitions: Vec<DefinitionInfo>,
    /// Number of definitions, from the first one, that the relation starts from: the nearest for a
    /// location, all for a name. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub candidates: usize,
    /// Whether calls are missing although no limit removed them: there are more than are
    /// followed. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub capped: bool,
    /// With `refs`: the references.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<UseInfo>>,
    /// With `impls`: the implementations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementations: Option<Vec<DefinitionInfo>>,
    /// With `callers` and `callees`: the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<CallInfo>>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionInfo {
    /// Path of the file.
    pub path: String,
    /// Line of the name, counted from 1.
    pub line: usize,
    /// Column of the name in characters, counted from 1.
    pub column: usize,
    /// Last line of the definition.
    pub end_line: usize,
    /// Language of the definition.
    pub language: String,
    /// Name of the symbol.
    pub name: String,
    /// Name with the names of the enclosing symbols.
    pub qualified_name: String,
    /// Kind of the symbol, such as `function` or `class`.
    pub kind: String,
    /// Visibility: `public`, `internal`, `protected`, `private`.
    pub visibility: String,
    /// The declaration in one line.
    pub signature: String,
    /// The documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// A reference to a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UseInfo {
    /// The path of the file.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// Kind of reference: `call`, `type`, `inherit`, `implement`, `import`, `name`.
    pub kind: String,
    /// `resolved` if scopes, imports, qualifiers and declared types lead to the target; `possible`
    /// if the name is equal and nothing shows that it means another symbol.
    pub certainty: String,
    /// The qualified name of the symbol that contains the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The name, as the line has it.
    #[serde(skip)]
    pub name: String,
    /// The redacted line.
    pub text: String,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallInfo {
    /// Distance from the target in calls, from 1.
    pub step: usize,
    /// The calling symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// The called symbol.
    pub callee: String,
    /// The path of the file.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// With `callers`, whether the call reaches the target: `resolved` or `possible`. With
    /// `callees`, whether the called symbol is known.
    pub certainty: String,
    /// The redacted line.
    pub text: String,
    /// With `callees`: the definitions that the callee can mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<DefinitionInfo>,
}
