//! Secrets that were found, and lists of allowed findings. They never contain a secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// The value of `generator` in the output of `infiniloom scan`.
pub const SCAN_GENERATOR: &str = "infiniloom scan";

/// The value of `generator` in a baseline.
pub const BASELINE_GENERATOR: &str = "infiniloom baseline";

/// A finding: a text that looks like a secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SecretInfo {
    /// The file or other text that contains it.
    pub path: String,
    /// First line, counted from 1.
    pub line: usize,
    /// Last line.
    pub end_line: usize,
    /// Column of its first character, counted from 1.
    pub column: usize,
    /// Column after its last character, for formats that need it. Version 1 of the JSON has no such
    /// field.
    #[serde(skip)]
    #[schemars(skip)]
    pub end_column: usize,
    /// Kind of secret, such as `github-token`, `password` or `private-key`.
    pub kind: String,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// Evidence, in words.
    pub reasons: Vec<String>,
    /// The placeholder that replaces it; missing if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// The commit that added it, if history was scanned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// The secrets of a pack, and the mode of handling them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SecretsInfo {
    /// `redact`, `fail`, `warn` or `off`.
    pub mode: String,
    /// The secrets, in the order of the output.
    pub findings: Vec<SecretInfo>,
}

/// Output of `infiniloom scan`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScanInfo {
    /// [`SCAN_GENERATOR`].
    pub generator: String,
    /// The version of this shape.
    pub format_version: u32,
    /// Number of scanned texts: files, or versions of files in history.
    pub scanned: usize,
    /// Size of these texts in bytes.
    pub bytes: u64,
    /// The findings, ordered by path and line; in history by commit.
    pub findings: Vec<SecretInfo>,
    /// Files that could not be scanned, with the reason.
    pub skipped: Vec<SkippedInfo>,
    /// The findings as a baseline, which allows them later. Version 1 of the JSON has no such
    /// field.
    #[serde(skip)]
    #[schemars(skip)]
    pub baseline: BaselineFile,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A file that could not be scanned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedInfo {
    /// Path of the file.
    pub path: String,
    /// Short name of the reason.
    pub reason: String,
    /// The reason in words. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub detail: String,
    /// Whether the file is binary or special, and not unreadable. Version 1 of the JSON has no
    /// such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub is_expected: bool,
}

/// A list of known, allowed findings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Kind of secret.
    pub kind: String,
    /// Fingerprint of path, kind and secret: 4 hexadecimal digits, too few to confirm a guess.
    pub fingerprint: String,
}
