//! Secrets that were found, and lists of those that are allowed. No secret is in them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// What the answer of `infiniloom scan` says about its origin.
pub const SCAN_GENERATOR: &str = "infiniloom scan";

/// What a baseline says about its origin.
pub const BASELINE_GENERATOR: &str = "infiniloom baseline";

/// A secret that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SecretInfo {
    /// The file, or what else it stood in.
    pub path: String,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The character of the line where it begins, counted from 1.
    pub column: usize,
    /// The character behind it on its last line, for formats that need it. Version 1 of the
    /// JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub end_column: usize,
    /// What it is taken for, such as `github-token`, `password` or `private-key`.
    pub kind: String,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// Why it is taken for a secret, in words.
    pub reasons: Vec<String>,
    /// What stands in its place; left out where nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// The commit that brought it in, where history was scanned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// What a pack did about secrets.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SecretsInfo {
    /// `redact`, `fail`, `warn` or `off`.
    pub mode: String,
    /// The secrets, in the order of the output.
    pub findings: Vec<SecretInfo>,
}

/// The answer of `infiniloom scan`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScanInfo {
    /// [`SCAN_GENERATOR`].
    pub generator: &'static str,
    /// The version of this shape.
    pub format_version: u32,
    /// How many texts were scanned: files, or versions of files in history.
    pub scanned: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The secrets, ordered by path and line, in history by commit.
    pub findings: Vec<SecretInfo>,
    /// Files that could not be scanned, with the reason.
    pub skipped: Vec<SkippedInfo>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A file that could not be scanned.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SkippedInfo {
    /// Its path.
    pub path: String,
    /// The reason's short name.
    pub reason: String,
}

/// A list of findings that are known and allowed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BaselineFile {
    /// [`BASELINE_GENERATOR`].
    pub generator: String,
    /// The version of this shape.
    pub format_version: u32,
    /// The findings, ordered by path.
    pub findings: Vec<BaselineEntry>,
}

/// One finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineEntry {
    /// The file.
    pub path: String,
    /// What it is taken for.
    pub kind: String,
    /// Of path, kind and secret: 4 hexadecimal digits, too few to confirm a guess.
    pub fingerprint: String,
}
