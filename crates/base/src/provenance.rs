//! Where a piece of context came from, so that every byte a model sees can be
//! traced back to a file and a version of it.

use crate::{ByteSpan, ContentHash, LineSpan, RepoPath};

/// The source of one piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The file, relative to its repository.
    pub path: RepoPath,
    /// The bytes of the decoded text.
    pub bytes: ByteSpan,
    /// The same as lines.
    pub lines: LineSpan,
    /// The version of the file.
    pub content: ContentHash,
}
