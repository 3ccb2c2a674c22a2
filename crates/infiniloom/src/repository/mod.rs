//! The host object: it takes changes, and makes snapshots.

mod change;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_host::{Edits, Source};
use loom_wire::SettingsFileInfo;

use crate::options::Settings;
use crate::root::Root;
use crate::session::Reader;
use crate::settings_file::files;
use crate::snapshot::{Earlier, Files, Snapshot, SnapshotId};

use crate::config::Engine;
use crate::{Control, Result};
pub use change::Change;
pub use watch::{ChangeEvent, Watch};

/// One or several roots that a program works with. Clones share the state.
#[derive(Clone, Debug)]
pub struct Repository {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    engine: Arc<Engine>,
    /// None if an edge opened the source.
    roots: Vec<Root>,
    /// One caller refreshes, the others wait for its snapshot.
    latest: Mutex<Latest>,
}

#[derive(Debug)]
struct Latest {
    reader: Reader,
    snapshot: Option<Snapshot>,
    /// Unsaved changes of the caller.
    edits: Edits,
}

impl Repository {
    pub(crate) fn open(engine: &Arc<Engine>, roots: Vec<Root>, control: &Control) -> Result<Self> {
        let reader = Reader::open(engine, opened(engine, &roots, control)?)?;
        Ok(Self::new(engine, roots, reader))
    }

    pub(crate) fn from_source(engine: &Arc<Engine>, source: Source) -> Result<Self> {
        let reader = Reader::open(engine, source)?;
        Ok(Self::new(engine, Vec::new(), reader))
    }

    fn new(engine: &Arc<Engine>, roots: Vec<Root>, reader: Reader) -> Self {
        let latest = Latest {
            reader,
            snapshot: None,
            edits: Edits::default(),
        };
        Self {
            shared: Arc::new(Shared {
                engine: Arc::clone(engine),
                roots,
                latest: Mutex::new(latest),
            }),
        }
    }

    /// Returns the settings of the latest state.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.latest().reader.resolved))
    }

    /// Returns the directories that are read, as full paths: those that paths of results start
    /// at.
    pub fn roots(&self) -> Vec<PathBuf> {
        let packer = Arc::clone(&self.latest().reader.packer);
        packer.source().roots().map(Path::to_owned).collect()
    }

    /// Lists the files that the settings are read from, also those that do not exist.
    pub fn settings_files(&self) -> Vec<SettingsFileInfo> {
        let packer = Arc::clone(&self.latest().reader.packer);
        files(&self.shared.engine, packer.source().roots())
    }

    /// Makes a snapshot that contains every change before the call. Returns the same one if
    /// nothing changed.
    ///
    /// # Errors
    /// If a root is no longer there, or the settings of the repository are invalid.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.snapshot_with(&Control::new())
    }

    /// The same under the control of the caller.
    ///
    /// # Errors
    /// If a root is no longer there, the settings of the repository are invalid, or the run
    /// is cancelled.
    pub fn snapshot_with(&self, control: &Control) -> Result<Snapshot> {
        control.run(|| self.latest().refresh(&self.shared, control))
    }

    /// Returns the state of the files as the next query finds them. It makes no list of them,
    /// so the query is the only walk: for a program that runs one query and ends.
    ///
    /// # Errors
    /// If a root is no longer there, or the settings of the repository are invalid.
    pub fn unlisted_snapshot(&self) -> Result<Snapshot> {
        Control::new().run(|| self.latest().unlisted(&self.shared))
    }

    /// Takes changes of the caller: all of them, or none if one is an error. Later snapshots
    /// contain them; snapshots that exist stay as they are.
    ///
    /// The rules of the repository hold for edited files as for others, and their secrets are
    /// known before text of the new snapshot leaves it. Git's own view, such as diffs, has only
    /// saved files.
    ///
    /// # Errors
    /// If a path is not inside the repository.
    pub fn apply(&self, changes: impl IntoIterator<Item = Change>) -> Result<()> {
        let mut latest = self.latest();
        let mut edits = latest.edits.clone();
        for change in changes {
            change.apply(latest.reader.packer.source(), &mut edits)?;
        }
        if edits.is_empty() && latest.edits.is_empty() {
            // A snapshot lists the files, so it sees saved ones without a note.
            return Ok(());
        }
        let source = latest.reader.packer.source().with_edits(&edits);
        latest.reader = latest.reader.with_source(source);
        latest.edits = edits;
        Ok(())
    }

    /// Watches the roots. Each item is a settled burst of changes, with a snapshot that
    /// contains it.
    ///
    /// # Errors
    /// If the first snapshot cannot be made.
    pub fn watch(&self) -> Result<Watch> {
        self.watch_with(&Control::new())
    }

    /// The same until the control of the caller cancels it.
    ///
    /// # Errors
    /// If the first snapshot cannot be made.
    pub fn watch_with(&self, control: &Control) -> Result<Watch> {
        Watch::start(self, control)
    }

    pub(crate) fn reader(&self) -> Reader {
        self.latest().reader.clone()
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        let latest = self.shared.latest.lock();
        latest.unwrap_or_else(PoisonError::into_inner)
    }
}

fn opened(engine: &Engine, roots: &[Root], control: &Control) -> Result<Source> {
    // A log needs the commits that it shows, and one more for the changes of the last.
    let log = engine.settings.settings().pack.log as usize;
    let commits = if log == 0 { 0 } else { log + 1 };
    Root::open_all(roots, commits, control)
}

impl Latest {
    /// Opens the roots again if they were moved or replaced. Returns what reads them now.
    fn reader(&mut self, shared: &Shared, control: &Control) -> Result<Reader> {
        if !self.reader.packer.source().is_in_place() && !shared.roots.is_empty() {
            let source = opened(&shared.engine, &shared.roots, control)?;
            let source = source.with_edits(&self.edits);
            self.reader = Reader::open(&shared.engine, source)?;
            self.snapshot = None;
        }
        self.reader.refreshed()
    }

    fn unlisted(&mut self, shared: &Shared) -> Result<Snapshot> {
        let reader = self.reader(shared, &Control::new())?;
        self.reader = reader.clone();
        Ok(Snapshot::unlisted(reader))
    }

    fn refresh(&mut self, shared: &Shared, control: &Control) -> Result<Snapshot> {
        let reader = self.reader(shared, control)?;
        let is_same_reader = Arc::ptr_eq(&reader.packer, &self.reader.packer);
        let files = Files::list(&reader);
        let id = SnapshotId::identify(&reader, &files);
        // What git knows of changes is no part of the list.
        let is_whole = reader.packer.options().history.changed.is_none();
        let same = self.snapshot.as_ref().filter(|latest| latest.id() == id);
        if let Some(snapshot) = same.filter(|_| is_whole) {
            return Ok(snapshot.clone());
        }
        let earlier = self.snapshot.as_ref().filter(|_| is_same_reader);
        let earlier = earlier.map_or_else(Earlier::default, Snapshot::as_earlier);
        let snapshot = Snapshot::new(id, reader.clone(), files, earlier);
        (self.reader, self.snapshot) = (reader, Some(snapshot.clone()));
        Ok(snapshot)
    }
}
