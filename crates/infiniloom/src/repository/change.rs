//! Changes that a caller makes or knows of. Edits and removals need not be saved: the next
//! snapshot has them, and the files on disk do not change.

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

    /// Puts an unsaved text in the place of the file at `path`, which need not exist.
    pub fn edit(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self::new(path, Kind::Edit(text.into()))
    }

    /// Removes the file or directory at `path` from later snapshots.
    pub fn remove(path: impl Into<PathBuf>) -> Self {
        Self::new(path, Kind::Remove)
    }

    /// Forgets the edits and removals at `path` and below it: the files of the root count
    /// again, as they are after a save or a revert.
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
        // A root itself is no file.
        path.filter(|path| source.contains(path)).ok_or_else(|| {
            let message = format!("{} is outside the repository", self.path.display());
            Error::invalid("outside_root", message)
        })
    }
}
