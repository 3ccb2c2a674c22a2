//! The entries of a directory, on disk, in a commit or in memory.

use gix::ObjectId;
use loom_base::{ContentHash, Stamp};

use crate::outcome::SpecialKind;

/// One entry of a directory.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: EntryKind,
    pub(crate) contents: Contents,
}

/// The version of an entry's contents, as far as a listing knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// The object in which a commit keeps it.
    pub(crate) object: Option<ObjectId>,
    /// The stamp of a plain file on disk, if it was requested.
    pub(crate) stamp: Option<Stamp>,
    /// The hash of a text in memory.
    pub(crate) text_hash: Option<ContentHash>,
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
