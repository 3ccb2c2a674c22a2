//! The entries of a directory, on disk or in a commit.

use gix::ObjectId;
use loom_base::Stamp;

use crate::outcome::SpecialKind;

/// One entry of a directory.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: EntryKind,
    /// Object in a commit.
    pub(crate) object: Option<ObjectId>,
    /// Stamp of a plain file on disk, if requested.
    pub(crate) stamp: Option<Stamp>,
}

/// Whether listing a directory also reads the stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamps {
    Take,
    Skip,
}

/// Kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    Link,
    /// A submodule; a commit contains only its name.
    Submodule,
    Special(SpecialKind),
}
