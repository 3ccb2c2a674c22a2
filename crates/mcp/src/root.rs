//! A folder that is served: its name, and the repository that answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use infiniloom::{Control, IndexState, Layer, Redactor, Repository, Snapshot};

use crate::opener::Opener;
use crate::wrong::{Wrong, in_words};

/// What is made before anybody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// The index.
    Index,
    /// The index, and what contexts and maps need: much memory, so not for many folders.
    Contexts,
}

/// A folder that is served.
pub(crate) struct Root {
    /// As calls name it, without secrets.
    pub(crate) name: String,
    path: PathBuf,
    /// The same folder as the user named it, where that leads through links.
    also: Option<PathBuf>,
    repository: Repository,
    /// The way from the top of the repository to the root, with its last slash.
    pub(crate) prefix: String,
    ahead: Ahead,
}

/// A folder to open.
pub(crate) struct Place {
    /// Without links.
    pub(crate) path: PathBuf,
    /// As the user named it.
    pub(crate) also: Option<PathBuf>,
    /// What is made before anybody asks.
    pub(crate) ahead: Ahead,
}

/// A snapshot with a layer that takes long to build.
#[derive(Debug)]
pub(crate) struct Warm {
    pub(crate) snapshot: Snapshot,
    /// Whether it is of the files as they are now.
    pub(crate) is_current: bool,
}

impl Root {
    /// The folder at a place. `name` makes what calls name it of what takes secrets out.
    ///
    /// # Errors
    /// What is wrong with it, in words.
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
            ahead: place.ahead,
        }))
    }

    /// Makes the index in the background, so that nobody waits. It ends with the root.
    pub(crate) fn start(&self) {
        let layers = match self.ahead {
            Ahead::Index => &[Layer::Search, Layer::Symbols][..],
            Ahead::Contexts => &Layer::ALL,
        };
        self.repository.keep_warm(layers.iter().copied());
    }

    /// The directories that paths of answers start at.
    pub(crate) fn tops(&self) -> Vec<PathBuf> {
        self.repository.roots()
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The same as the user named it, where that leads through links.
    pub(crate) fn also(&self) -> Option<&Path> {
        self.also.as_deref()
    }

    /// The repository that answers.
    pub(crate) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The files and settings as they are now.
    ///
    /// # Errors
    /// What is wrong with the folder, in words.
    pub(crate) fn settle(&self, control: &Control) -> Result<Snapshot, String> {
        let snapshot = self.repository.snapshot_with(control);
        snapshot.map_err(|error| in_words(&error))
    }

    /// How many steps of how many are done until the index is there; `None` when all are.
    pub(crate) fn indexing(&self) -> Option<(usize, usize)> {
        match self.repository.index_state() {
            IndexState::Ready => None,
            IndexState::Building { done, steps, .. } => Some((done, steps)),
            _ => Some((0, 0)),
        }
    }

    /// Waits for the index, but not long, and not after a stop; says whether it is there.
    pub(crate) fn wait(&self, time: Duration, control: &Control) -> bool {
        let is_there = || self.indexing().is_none();
        let control = control.clone().with_timeout(time);
        is_there() || self.repository.wait_for_index(&control).is_ok()
    }

    /// The snapshot with a layer, as far as it can be had in this time: else the one before
    /// that has it; `None` where there is none yet.
    pub(crate) fn warm(
        &self,
        layer: Layer,
        time: Duration,
        control: &Control,
    ) -> Result<Option<Warm>, Wrong> {
        let snapshot = self.repository.snapshot_with(control)?;
        snapshot.build(Layer::Search, control)?;
        self.repository.keep_warm([layer]);
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

/// The way from the top of a source to a folder in it, with its last slash.
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
