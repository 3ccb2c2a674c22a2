//! The chunks of files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom chunk --format json`. With `--format jsonl` each line is one
/// of the chunks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChunksInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The chunks, ordered by path, those of a file in the order of its text.
    pub chunks: Vec<ChunkInfo>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A part of a file.
///
/// Spans are places in the text that is shown: the decoded file without its secrets.
/// `notes` says in what that text differs from the file. The texts of the chunks of a
/// file, each without its first `overlap_bytes` bytes, are that text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChunkInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// Depends on the path and on the text behind the overlap: an edit elsewhere in the
    /// file leaves it. 32 hexadecimal digits.
    pub id: String,
    /// The file; `-` for standard input.
    pub path: String,
    /// Whether `path` is quoted as git quotes names: the name is not plain text. Without
    /// its quotes, and with `\\n` and `\\303` turned back into the bytes that they stand
    /// for, it is the name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub path_quoted: bool,
    /// Its place among the chunks of the file, from 0.
    pub index: usize,
    /// How many chunks the file has.
    pub count: usize,
    /// What it is: `code`, `data`, `document`, `conversation` or `log`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The language, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The first byte of `text`.
    pub start_byte: usize,
    /// The byte behind the last one.
    pub end_byte: usize,
    /// The first line of `text`, counted from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// How many bytes at the start of `text` repeat the end of the chunk before it.
    pub overlap_bytes: usize,
    /// The tokens of `context` followed by `text`: the count, or, where `estimated`, the
    /// upper end of the estimate.
    pub tokens: usize,
    /// Whether the model's tokenizer is not public.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The SHA-256 of `text`, in hexadecimal digits.
    pub sha256: String,
    /// What is defined in it behind the overlap, by qualified names.
    pub symbols: Vec<String>,
    /// Who speaks, in a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// How many messages or records it holds, or holds a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<usize>,
    /// How severe the records of a log are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<SeverityInfo>,
    /// In what the text that is shown differs from the file, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the chunk lies in, such as the line of its class, a line each: to be read
    /// before `text`, and not part of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The text.
    pub text: String,
}

/// How severe the records of a log are: `trace`, `debug`, `info`, `notice`, `warning`,
/// `error`, `critical`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeverityInfo {
    /// The most severe that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest: Option<String>,
    /// How many records are how severe; those that do not tell are not counted.
    pub counts: BTreeMap<String, usize>,
}
