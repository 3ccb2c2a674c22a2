//! The chunks of files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{LeftOutInfo, NoticeInfo};

/// Output of `infiniloom chunk --format json`. With `--format jsonl` each line is one of the
/// chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunksInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The chunks, ordered by path, then by position in the file.
    pub chunks: Vec<ChunkInfo>,
    /// Number of files, those without a chunk among them. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub files: usize,
    /// Size of the redacted texts in bytes. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub bytes: usize,
    /// Files that are not split because of a rule or their kind. Version 1 of the JSON has no such
    /// field.
    #[serde(skip)]
    #[schemars(skip)]
    pub left_out: Vec<LeftOutInfo>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A chunk of a file.
///
/// Spans are positions in the redacted text: the decoded file with its secrets replaced. `notes`
/// lists how that text differs from the file. The texts of the chunks of a file, each without its
/// first `overlap_bytes` bytes, are together the redacted text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunkInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// Stable identifier, derived from the path and the text after the overlap: an edit elsewhere
    /// in the file does not change it. 32 hexadecimal digits.
    pub id: String,
    /// The file; `-` for standard input.
    pub path: String,
    /// Whether `path` is quoted as git quotes names, because the name is not plain text. To get the
    /// name, remove the quotes and replace escapes such as `\\n` and `\\303` by their bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub path_quoted: bool,
    /// Position among the chunks of the file, from 0.
    pub index: usize,
    /// Number of chunks of the file.
    pub count: usize,
    /// Kind of text: `code`, `data`, `document`, `conversation` or `log`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The language, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The first byte of `text`.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
    /// The first line of `text`, counted from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// Number of bytes at the start of `text` that repeat the end of the previous chunk.
    pub overlap_bytes: usize,
    /// The tokens of `context` followed by `text`; if `estimated`, the upper end of the estimate.
    pub tokens: usize,
    /// Whether the model's tokenizer is not public.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The SHA-256 of `text`, in hexadecimal digits.
    pub sha256: String,
    /// Qualified names of the symbols that are defined after the overlap.
    pub symbols: Vec<String>,
    /// Roles of the speakers in a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Number of messages or records that the chunk contains, completely or partly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<usize>,
    /// Severity of the records of a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<SeverityInfo>,
    /// How the redacted text differs from the file, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The enclosing definitions, such as the line of the class, one per line. Read it before
    /// `text`; it is not part of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The text.
    pub text: String,
}

/// The severities of the records of a log: `trace`, `debug`, `info`, `notice`, `warning`, `error`,
/// `critical`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeverityInfo {
    /// The highest severity in the chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest: Option<String>,
    /// Number of records of each severity; records without a severity are not counted.
    pub counts: BTreeMap<String, usize>,
}
