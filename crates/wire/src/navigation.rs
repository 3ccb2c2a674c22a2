//! Where names are defined, used, implemented and called.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom def`, `refs`, `impls`, `callers` and `callees`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NavigationInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// What was asked for, as typed.
    pub target: String,
    /// Whether the answer comes from names and syntax alone: something may be missing,
    /// something may be another one of the same name.
    pub approximate: bool,
    /// Whether there is more than is told: more than the limit, or calls that are too many
    /// or too far away.
    pub cut: bool,
    /// What the target can mean, the most likely first.
    pub definitions: Vec<DefinitionInfo>,
    /// With `refs`: where it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<UseInfo>>,
    /// With `impls`: what implements it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementations: Option<Vec<DefinitionInfo>>,
    /// With `callers` and `callees`: the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<CallInfo>>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A definition.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DefinitionInfo {
    /// The path of its file.
    pub path: String,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// The character of the line where the name begins, counted from 1.
    pub column: usize,
    /// The last line of the definition.
    pub end_line: usize,
    /// Its language.
    pub language: String,
    /// Its name.
    pub name: String,
    /// Its name with the names around it.
    pub qualified_name: String,
    /// What it is, such as `function` or `class`.
    pub kind: String,
    /// Who may use it: `public`, `internal`, `protected`, `private`.
    pub visibility: String,
    /// How it is declared, in one line.
    pub signature: String,
    /// What its documentation says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// A use of a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UseInfo {
    /// The path of the file.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
    /// How it is used: `call`, `type`, `inherit`, `implement`, `import`, `name`.
    pub kind: String,
    /// `resolved` where scopes, imports, qualifiers and declared types lead to what was
    /// asked for; `possible` where it has the name and nothing says that it means
    /// something else.
    pub certainty: String,
    /// The qualified name of the symbol that uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The line, without secrets.
    pub text: String,
}

/// A call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallInfo {
    /// How many steps it is away, from 1.
    pub step: usize,
    /// Who calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// What is called.
    pub callee: String,
    /// The path of the file.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
    /// With `callers`, whether it calls what was asked for: `resolved` or `possible`. With
    /// `callees`, whether it is known what it calls.
    pub certainty: String,
    /// The line, without secrets.
    pub text: String,
    /// With `callees`: what the callee can mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<DefinitionInfo>,
}
