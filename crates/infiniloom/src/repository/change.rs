//! Changes that a caller reports. Edits and removals need not be saved: the next snapshot includes
//! them, and the files on disk do not change.

use std::path::{Path, PathBuf};

use loom_host::{Edits, RepoPath, Source};

use crate::{Error, Result};

/// A change of a file. The path starts at the root; with several roots, at the name of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Edit(String),
    Remove,
    Save,
}

impl Change {
    fn new(path: impl Into<PathBuf>, kind: Kind) -> Self {
        Self {
            path: path.into(),
            kind,
        }
    }

    /// Replaces the text of the file at `path` by an unsaved one. The file need not exist.
    pub fn edit(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self::new(path, Kind::Edit(text.into()))
    }

    /// Removes the file or directory at `path` from later snapshots.
    pub fn remove(path: impl Into<PathBuf>) -> Self {
        Self::new(path, Kind::Remove)
    }

    /// Discards the edits and removals at `path` and below it, so that the files on disk count
    /// again. Use it after a save or a revert.
    pub fn save(path: impl Into<PathBuf>) -> Self {
        Self::new(path, Kind::Save)
    }

    /// Adds the change to `edits`.
    pub(super) fn apply(self, source: &Source, edits: &mut Edits) -> Result<()> {
        let path = self.target(source)?;
        match self.kind {
            Kind::Edit(text) => edits.edit(path, &text),
            Kind::Remove => edits.remove(path),
            Kind::Save => edits.forget(&path),
        }
        Ok(())
    }

    fn target(&self, source: &Source) -> Result<RepoPath> {
        let root = source.roots().next().unwrap_or(Path::new(""));
        let path = source.named(&self.path, root);
        // A change needs a path below the root, not the root itself.
        path.filter(|path| source.contains(path)).ok_or_else(|| {
            let message = format!("{} is outside the repository", self.path.display());
            Error::invalid("outside_root", message)
        })
    }
}
