//! The source of a piece of context, so that every byte that a model sees can be traced to a file
//! and its version.

use crate::{ByteSpan, ContentHash, LineSpan, RepoPath};

/// Source of one piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// File, relative to its repository.
    pub path: RepoPath,
    /// Byte range in the decoded text.
    pub bytes: ByteSpan,
    /// Line range in the decoded text.
    pub lines: LineSpan,
    /// Hash of the file's contents.
    pub content: ContentHash,
}
