//! A served directory: its name, and the repository that answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use infiniloom::{Control, IndexState, Layer, Redactor, Repository, Snapshot};

use crate::opener::Opener;
use crate::tool_error::{ToolError, in_words};

/// Layers that are built before the first call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preload {
    /// The index.
    Index,
    /// The index, and the layers of contexts and maps, which need much memory.
    Contexts,
}

/// A served directory.
pub(crate) struct Root {
    /// Name in calls, without secrets.
    pub(crate) name: String,
    path: PathBuf,
    /// The path from the user, if it leads through links.
    also: Option<PathBuf>,
    repository: Repository,
    /// Path from the top of the repository to the root, with a final slash.
    pub(crate) prefix: String,
    preload: Preload,
}

/// A directory to open.
pub(crate) struct Place {
    /// Path without links.
    pub(crate) path: PathBuf,
    /// Path from the user.
    pub(crate) also: Option<PathBuf>,
    /// Layers that are built before the first call.
    pub(crate) preload: Preload,
}

/// A snapshot with a layer that takes long to build.
#[derive(Debug)]
pub(crate) struct Warm {
    pub(crate) snapshot: Snapshot,
    /// True if it is of the present files.
    pub(crate) is_current: bool,
}

impl Root {
    /// Opens the directory at a place. `name` chooses its name with the redactor.
    ///
    /// # Errors
    /// If the directory cannot be opened, in words.
    pub(crate) fn open(
        place: Place,
        name: impl FnOnce(&Redactor) -> String,
        opener: &Opener,
    ) -> Result<Arc<Self>, String> {
        let repository = opener(&place.path).map_err(|error| in_words(&error))?;
        Ok(Arc::new(Self {
            name: name(&repository.redactor()),
            prefix: way(&repository.roots(), &place.path),
            path: place.path,
            also: place.also,
            repository,
            preload: place.preload,
        }))
    }

    /// Builds the layers in the background. The work ends with the root.
    pub(crate) fn start(&self) {
        let layers = match self.preload {
            Preload::Index => &[Layer::Search, Layer::Symbols][..],
            Preload::Contexts => &Layer::ALL,
        };
        self.repository.keep_warm(layers.iter().copied());
    }

    /// Returns the directories at which paths of answers start.
    pub(crate) fn tops(&self) -> Vec<PathBuf> {
        self.repository.roots()
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path from the user, if it leads through links.
    pub(crate) fn also(&self) -> Option<&Path> {
        self.also.as_deref()
    }

    /// Returns the repository that answers.
    pub(crate) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Returns a snapshot of the present files and settings.
    ///
    /// # Errors
    /// If the directory cannot be read, in words.
    pub(crate) fn settle(&self, control: &Control) -> Result<Snapshot, String> {
        let snapshot = self.repository.snapshot_with(control);
        snapshot.map_err(|error| in_words(&error))
    }

    /// Returns the done and all steps until the index is there; `None` if it is.
    pub(crate) fn indexing(&self) -> Option<(usize, usize)> {
        match self.repository.index_state() {
            IndexState::Ready => None,
            IndexState::Building { done, steps, .. } => Some((done, steps)),
            _ => Some((0, 0)),
        }
    }

    /// Waits at most `time` for the index, and not after a cancellation. Returns true if it exists.
    pub(crate) fn wait(&self, time: Duration, control: &Control) -> bool {
        let is_there = || self.indexing().is_none();
        let control = control.clone().with_timeout(time);
        is_there() || self.repository.wait_for_index(&control).is_ok()
    }

    /// Returns the snapshot with a layer if it is built in time, else the previous snapshot that
    /// has it, else `None`. Waits `cold` for the first one, and `refresh` if there is a previous
    /// one.
    pub(crate) fn warm(
        &self,
        layer: Layer,
        cold: Duration,
        refresh: Duration,
        control: &Control,
    ) -> Result<Option<Warm>, ToolError> {
        let snapshot = self.repository.snapshot_with(control)?;
        snapshot.build(Layer::Search, control)?;
        self.repository.keep_warm([layer]);
        let time = match self.repository.latest_with(layer) {
            Some(_) => refresh,
            None => cold,
        };
        if !snapshot.has(layer)
            && let Err(error) = snapshot.build(layer, &control.clone().with_timeout(time))
        {
            if error.code() != "deadline" {
                return Err(error.into());
            }
            let earlier = self.repository.latest_with(layer);
            return Ok(earlier.map(|earlier| Warm {
                is_current: earlier.id() == snapshot.id(),
                snapshot: earlier,
            }));
        }
        Ok(Some(Warm {
            snapshot,
            is_current: true,
        }))
    }
}

/// Returns the path from the top of a source to a directory in it, with a final slash.
fn way(tops: &[PathBuf], folder: &Path) -> String {
    let mut tops = tops.iter();
    let below = tops.find_map(|top| folder.strip_prefix(top).ok()?.to_str());
    match below {
        None | Some("") => String::new(),
        Some(below) => format!("{below}/"),
    }
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Root")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests;
