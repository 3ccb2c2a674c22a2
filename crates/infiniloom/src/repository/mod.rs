//! The host object: it accepts changes, and makes snapshots.

mod change;
mod freshness;
mod indexing;
mod warm;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use loom_host::{Edits, PackError, Source};
use loom_wire::SettingsFileInfo;

use crate::config::Engine;
use crate::layers::SharedLayers;
use crate::options::Settings;
use crate::redactor::Redactor;
use crate::root::Root;
use crate::session::Reader;
use crate::settings_file::files;
use crate::snapshot::{Earlier, Listing, Snapshot};
use crate::work_counter::WorkCounter;
use crate::{Control, Error, Layer, Model, Result};

pub use change::Change;
pub use indexing::IndexState;
pub use watch::{ChangeEvent, Watch};

use freshness::Freshness;
use warm::Warmth;

/// One or several roots that a program works with. Clones share the state.
#[derive(Clone, Debug)]
pub struct Repository {
    shared: Arc<Shared>,
    /// Ends the work in the background with the last clone.
    _owner: Arc<Owner>,
}

#[derive(Debug)]
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[derive(Debug)]
struct Shared {
    engine: Arc<Engine>,
    /// `None` if an edge opened the source.
    roots: Vec<Root>,
    /// One caller refreshes, the others wait for its snapshot.
    latest: Mutex<Latest>,
    warmth: Warmth,
}

#[derive(Debug)]
struct Latest {
    reader: Reader,
    snapshot: Option<Snapshot>,
    /// The latest earlier snapshot with a layer that takes long to build.
    warm: Option<Snapshot>,
    layers: Arc<SharedLayers>,
    freshness: Freshness,
    /// Unsaved changes of the caller.
    edits: Edits,
    /// Whether `edits` changed since the last snapshot.
    is_edited: bool,
    /// Grows when the roots or settings are replaced.
    generation: u64,
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
        let counter = Arc::<WorkCounter>::default();
        let latest = Latest {
            reader,
            snapshot: None,
            warm: None,
            layers: SharedLayers::new(Arc::clone(&counter)),
            freshness: Freshness::default(),
            edits: Edits::default(),
            is_edited: false,
            generation: 0,
        };
        let shared = Arc::new(Shared {
            engine: Arc::clone(engine),
            roots,
            latest: Mutex::new(latest),
            warmth: Warmth::new(counter),
        });
        Self {
            _owner: Arc::new(Owner(Arc::clone(&shared))),
            shared,
        }
    }

    /// Returns the settings of the latest snapshot.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.latest().reader.resolved))
    }

    /// Returns the full paths of the roots. Paths of results start there.
    pub fn roots(&self) -> Vec<PathBuf> {
        let packer = Arc::clone(&self.latest().reader.packer);
        packer.source().roots().map(Path::to_owned).collect()
    }

    /// Lists the paths of the settings files, including missing ones.
    pub fn settings_files(&self) -> Vec<SettingsFileInfo> {
        let packer = Arc::clone(&self.latest().reader.packer);
        files(&self.shared.engine, packer.source().roots())
    }

    /// Makes a snapshot that contains every change before the call. Returns the same one if
    /// nothing changed.
    ///
    /// # Errors
    /// If a root was removed, or the settings of the repository are invalid.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.snapshot_with(&Control::new())
    }

    /// Makes a snapshot under the control of the caller.
    ///
    /// # Errors
    /// If a root was removed, the settings of the repository are invalid, or the run is cancelled.
    pub fn snapshot_with(&self, control: &Control) -> Result<Snapshot> {
        control.run(|| self.shared.refresh(control))
    }

    /// Returns the newest snapshot that has a layer: the latest one, or the one before. A caller
    /// with a deadline uses it instead of waiting, and reports that. Its queries also redact the
    /// known secrets of the latest snapshot.
    pub fn latest_with(&self, layer: Layer) -> Option<Snapshot> {
        let latest = self.latest();
        let snapshot = latest.snapshot.clone()?;
        if snapshot.has(layer) {
            return Some(snapshot);
        }
        let warm = latest.warm.as_ref().filter(|warm| warm.has(layer))?;
        Some(warm.knowing(&snapshot))
    }

    /// Follows the files and builds layers ahead, for a program that asks many queries. While
    /// nothing changes, [`snapshot`](Self::snapshot) costs nothing; after a change, it lists the
    /// files once. The cache is brought up to date in the background
    /// ([`index_state`](Self::index_state)).
    ///
    /// A layer that is kept warm is built before a query needs it. After a change, the next query
    /// that needs it rebuilds it. Maps and contexts are dropped if no query used them for 15
    /// minutes. All background work ends with the repository.
    pub fn keep_warm(&self, layers: impl IntoIterator<Item = Layer>) {
        self.shared.keep_warm(layers.into_iter().collect());
    }

    /// Returns the progress of the index that [`keep_warm`](Self::keep_warm) builds.
    pub fn index_state(&self) -> IndexState {
        self.shared.warmth.indexing.state()
    }

    /// Waits for that index.
    ///
    /// # Errors
    /// If the wait is cancelled.
    pub fn wait_for_index(&self, control: &Control) -> Result<()> {
        control.run(|| self.shared.warmth.indexing.wait(&control.token()))
    }

    /// Returns the model that queries count for unless they name another.
    pub fn model(&self) -> Model {
        self.latest().reader.model()
    }

    /// Returns a redactor for texts that look like secrets, by the settings. It does not redact
    /// copies of secrets in the files: use [`Snapshot::redactor`] for that.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(&self.latest().reader, None)
    }

    /// Returns a snapshot without listing the files, so that the query does the only walk. For a
    /// program that runs one query and ends.
    ///
    /// # Errors
    /// If a root was removed, or the settings of the repository are invalid.
    pub fn unlisted_snapshot(&self) -> Result<Snapshot> {
        Control::new().run(|| self.latest().unlisted(&self.shared))
    }

    /// Accepts changes of the caller: all of them, or none if one is an error. Later snapshots
    /// contain them; existing snapshots do not change.
    ///
    /// The rules of the repository apply to edited files, too. Their secrets are known before the
    /// new snapshot returns any text. Git's own view, such as diffs, contains only saved files.
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
            // A snapshot lists the files, so it finds saved ones without a record of them.
            return Ok(());
        }
        let source = latest.reader.packer.source().with_edits(&edits);
        latest.reader = latest.reader.with_source(source);
        latest.edits = edits;
        latest.freshness.forget_look();
        latest.is_edited = true;
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

    /// Watches the roots until the control of the caller cancels it.
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
        self.shared.latest()
    }
}

impl Shared {
    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refreshes the snapshot. One caller lists the files, and the others receive its snapshot.
    fn refresh(self: &Arc<Self>, control: &Control) -> Result<Snapshot> {
        let began = Instant::now();
        let mut latest = self.latest();
        let generation = latest.generation;
        let snapshot = latest.refresh(self, control, began);
        let is_other = generation != latest.generation;
        drop(latest);
        if is_other {
            self.warm_again();
        }
        snapshot
    }
}

fn opened(engine: &Engine, roots: &[Root], control: &Control) -> Result<Source> {
    // A log needs its commits, and one more for the changes of the oldest.
    let log = engine.settings.settings().pack.log as usize;
    let commits = if log == 0 { 0 } else { log + 1 };
    Root::open_all(roots, commits, control)
}

/// Explains that a root cannot be opened again.
fn gone(roots: &[Root], error: Error) -> Error {
    match roots {
        [root] => root
            .directory()
            .map_or(error, |path| PackError::Gone(path.to_owned()).into()),
        _ => error,
    }
}

impl Latest {
    /// Opens the roots again if they were moved or replaced. Returns their current reader.
    fn reader(&mut self, shared: &Shared, control: &Control) -> Result<Reader> {
        if !self.reader.packer.source().is_in_place() && !shared.roots.is_empty() {
            let source = opened(&shared.engine, &shared.roots, control);
            let source = source.map_err(|error| gone(&shared.roots, error))?;
            let source = source.with_edits(&self.edits);
            self.reader = Reader::open(&shared.engine, source)?;
            self.is_edited = false;
            self.restart();
        }
        if self.freshness.has_settings(&self.reader) {
            return Ok(self.reader.clone());
        }
        let texts = shared.engine.settings_texts(self.reader.packer.source());
        let reader = self.reader.refreshed()?;
        self.freshness.know_settings(texts);
        Ok(reader)
    }

    fn unlisted(&mut self, shared: &Shared) -> Result<Snapshot> {
        let reader = self.reader(shared, &Control::new())?;
        self.reader = reader.clone();
        Ok(Snapshot::unlisted(reader))
    }

    fn refresh(
        &mut self,
        shared: &Arc<Shared>,
        control: &Control,
        began: Instant,
    ) -> Result<Snapshot> {
        let reader = self.reader(shared, control)?;
        if !Arc::ptr_eq(&reader.packer, &self.reader.packer) && self.snapshot.is_some() {
            self.restart();
        }
        self.reader = reader;
        // A filter for changed files depends on the state of git, which the list does not contain.
        let is_whole = self.reader.packer.options().history.changed.is_none();
        let has_news = shared.warmth.indexing.take_news();
        if let Some(latest) = &self.snapshot
            && is_whole
            && !has_news
            && self.freshness.is_fresh(began)
        {
            return Ok(latest.clone());
        }
        let looked = self
            .freshness
            .begin_look(&self.reader, self.snapshot.is_some());
        let listing = Listing::new(&self.reader);
        self.freshness.end_look(looked);
        let latest = self.snapshot.as_ref();
        let same = latest.filter(|latest| latest.id() == listing.id);
        if let Some(snapshot) = same.filter(|_| is_whole && !has_news) {
            return Ok(snapshot.clone());
        }
        Ok(self.replace(listing))
    }

    /// Discards the snapshots of another reader. Unsaved changes move no files, so the watch and
    /// the index stay valid.
    fn restart(&mut self) {
        let layers = self.layers.renewed();
        std::mem::replace(&mut self.layers, layers).release();
        (self.snapshot, self.warm) = (None, None);
        if !std::mem::take(&mut self.is_edited) {
            self.freshness.forget_watch();
            self.generation += 1;
        }
    }

    fn replace(&mut self, listing: Listing) -> Snapshot {
        let earlier = self.snapshot.as_ref();
        let earlier = earlier.map_or_else(Earlier::default, Snapshot::as_earlier);
        let (reader, layers) = (self.reader.clone(), Arc::clone(&self.layers));
        let snapshot = Snapshot::new(reader, listing, earlier, layers);
        let before = self.snapshot.replace(snapshot.clone());
        let is_warm = |one: &Snapshot| one.has(Layer::Context) || one.has(Layer::Map);
        if let Some(before) = before.filter(|before| self.warm.is_none() || is_warm(before)) {
            self.warm = Some(before);
        }
        snapshot
    }
}
