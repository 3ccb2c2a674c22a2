//! The entries of a folder, on disk or in a commit.

use gix::ObjectId;
use loom_base::Stamp;

use crate::outcome::SpecialKind;

/// One entry of a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: EntryKind,
    /// Where a commit keeps it.
    pub(crate) object: Option<ObjectId>,
    /// Of a plain file on disk, where it was asked for.
    pub(crate) stamp: Option<Stamp>,
}

/// Whether stamps are taken on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamps {
    Take,
    Skip,
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    Link,
    /// A submodule of which a commit has nothing but the name.
    Submodule,
    Special(SpecialKind),
}
