//! One immutable snapshot of a repository, on which every query runs.

mod warnings;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use loom_host::{
    Cancel, FoundFile, IndexUse, MapWanted, RepoPath, Run, Searcher, SourceFiles, focus_path,
};

use crate::layers::{ContextLayer, MapLayer, SearchLayer, SharedLayers};
use crate::once_layer::OnceLayer;
use crate::options::Settings;
use crate::redactor::Redactor;
use crate::session::{Choices, Reader, Session};
use crate::work_counter::WithCounter;
use crate::{Control, Layer, Model, Result};

/// The identity of a snapshot, equal for two snapshots of the same files and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapshotId([u8; 16]);

impl SnapshotId {
    /// Computes the identity from the settings, the revisions and these files.
    fn identify(reader: &Reader, files: &Files) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(format!("{:?}", reader.resolved).as_bytes());
        for revision in reader.packer.source().revisions() {
            add(revision.commit.as_bytes());
        }
        for list in [&files.shown, &files.teaching] {
            add(b"");
            for file in list {
                add(file.path.as_bytes());
                add(file.stamp.as_bytes());
            }
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(id)
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// Files that are too large to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LargeFiles {
    /// The number of such files.
    pub files: usize,
    /// The maximum size of a file, in bytes.
    pub limit: u64,
}

/// One immutable state of a repository. Queries on it never wait for a change, and a change never
/// cancels them. Clones share the state.
///
/// The first queries that need its layers build them. A layer that is built after the files changed
/// may contain the later state.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Arc<State>,
    /// The latest snapshot of the repository, if this one is older: its secrets are redacted, too.
    newest: Option<Arc<SearchLayer>>,
}

#[derive(Debug)]
struct State {
    reader: Reader,
    /// Listed on demand if the snapshot is unlisted.
    listing: OnceLock<Listing>,
    /// The files with their known secrets, for queries that show lines.
    lines: OnceLayer<SearchLayer>,
    /// The files with an index of every file, for queries about symbols and ranks.
    whole: OnceLayer<SearchLayer>,
    /// The search layers of the previous snapshot, until those of this one are built.
    earlier: Mutex<Earlier>,
    layers: Arc<SharedLayers>,
    /// Grows with each snapshot of a repository.
    version: u64,
    /// The paths of the files, redacted.
    paths: OnceLock<Arc<[String]>>,
}

/// The files of a snapshot, and the identity derived from them.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) id: SnapshotId,
    files: Files,
    /// The files in the form that the search layer reads.
    found: SourceFiles,
}

/// The files of a snapshot, with their stamps in the file system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files {
    /// The files of the source.
    pub(crate) shown: Vec<ListedFile>,
    /// Further files whose secrets are redacted.
    pub(crate) teaching: Vec<ListedFile>,
}

impl Listing {
    /// Lists the files and their stamps.
    pub(crate) fn new(reader: &Reader) -> Self {
        let found = SourceFiles::list(&reader.packer);
        let file = |file: &FoundFile| ListedFile {
            path: file.path.clone(),
            stamp: match file.text_hash() {
                Some(hash) => format!("{hash:?}"),
                None => format!("{:?}", file.stamp()),
            },
        };
        let files = Files {
            shown: found.files().iter().map(file).collect(),
            teaching: found.teaching().map(file).collect(),
        };
        Self {
            id: SnapshotId::identify(reader, &files),
            files,
            found,
        }
    }
}

/// A file of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub(crate) path: RepoPath,
    /// The stamp as text.
    pub(crate) stamp: String,
}

/// The search layers of an earlier snapshot, which a later one updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Earlier {
    lines: Option<Arc<SearchLayer>>,
    whole: Option<Arc<SearchLayer>>,
}

impl Snapshot {
    pub(crate) fn new(
        reader: Reader,
        listing: Listing,
        earlier: Earlier,
        layers: Arc<SharedLayers>,
    ) -> Self {
        Self::with_listing(reader, OnceLock::from(listing), earlier, layers)
    }

    /// Creates a snapshot whose files are listed on demand.
    pub(crate) fn unlisted(reader: Reader) -> Self {
        let layers = SharedLayers::new(Arc::default());
        Self::with_listing(reader, OnceLock::new(), Earlier::default(), layers)
    }

    fn with_listing(
        reader: Reader,
        listing: OnceLock<Listing>,
        earlier: Earlier,
        layers: Arc<SharedLayers>,
    ) -> Self {
        let state = State {
            reader,
            listing,
            lines: OnceLayer::default(),
            whole: OnceLayer::default(),
            earlier: Mutex::new(earlier),
            version: layers.next_version(),
            layers,
            paths: OnceLock::new(),
        };
        Self {
            state: Arc::new(state),
            newest: None,
        }
    }

    /// Returns the snapshot with the known secrets of `newest`, the latest one.
    pub(crate) fn knowing(&self, newest: &Self) -> Self {
        Self {
            newest: newest.state.lines.built(),
            ..self.clone()
        }
    }

    fn listing(&self) -> &Listing {
        let list = || Listing::new(&self.state.reader);
        self.state.listing.get_or_init(list)
    }

    /// Returns the identity of the snapshot.
    pub fn id(&self) -> SnapshotId {
        self.listing().id
    }

    /// Returns the settings of the snapshot.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.state.reader.resolved))
    }

    /// Returns the model that queries count for unless they name another.
    pub fn model(&self) -> Model {
        self.state.reader.model()
    }

    /// Returns the number of files in the snapshot.
    pub fn file_count(&self) -> usize {
        self.listing().files.shown.len()
    }

    /// Returns the paths of the files, redacted and in order.
    ///
    /// # Errors
    /// If the known secrets of the snapshot cannot be read, or the run is cancelled.
    pub fn files(&self, control: &Control) -> Result<Arc<[String]>> {
        control.run(|| {
            if let Some(paths) = self.state.paths.get() {
                return Ok(Arc::clone(paths));
            }
            let session = self.session(&Choices::default(), control)?;
            let searcher = self.lines(&session, IndexUse::Auto)?;
            let paths = searcher.paths().map(|path| path.display().into_owned());
            Ok(Arc::clone(self.state.paths.get_or_init(|| paths.collect())))
        })
    }

    /// Returns the number of files above the size limit of the settings, and that limit in bytes.
    /// Queries do not search these files.
    ///
    /// # Errors
    /// If the known secrets of the snapshot cannot be read, or the run is cancelled.
    pub fn too_large(&self, control: &Control) -> Result<LargeFiles> {
        control.run(|| {
            let session = self.session(&Choices::default(), control)?;
            let (files, limit) = self.lines(&session, IndexUse::Auto)?.too_large();
            Ok(LargeFiles { files, limit })
        })
    }

    /// Returns a path as results print it. `typed` is a path from the root, or a full path inside
    /// it; the file need not exist. Returns `None` for a path outside the root.
    pub fn resolve_path(&self, typed: &str) -> Option<String> {
        let packer = &self.state.reader.packer;
        let root = packer.source().roots().next();
        let path = focus_path(packer.source(), typed, root.unwrap_or(Path::new("/")))?;
        Some(path.display().into_owned())
    }

    /// Builds a layer, or waits until another caller has built it.
    ///
    /// # Errors
    /// If the layer cannot be built, or the wait is cancelled.
    pub fn build(&self, layer: Layer, control: &Control) -> Result<()> {
        control.run(|| {
            let session = self.session(&Choices::default(), control)?;
            match layer {
                Layer::Search | Layer::Symbols => self.lines(&session, IndexUse::Auto).map(drop),
                Layer::Map => self.map_layer(&session, &MapWanted::default()).map(drop),
                Layer::Context => self.context_layer(&session).map(drop),
            }
        })
    }

    /// Returns whether a layer is built.
    pub fn has(&self, layer: Layer) -> bool {
        let (layers, version) = (&self.state.layers, self.known_version());
        match layer {
            Layer::Search | Layer::Symbols => self.search_layer().is_some(),
            Layer::Map => layers.map.has(version),
            Layer::Context => layers.context.has(version),
        }
    }

    /// Returns a redactor for text about this snapshot. It knows all secrets of its files.
    ///
    /// # Errors
    /// If the known secrets of the snapshot cannot be read, or the run is cancelled.
    pub fn redactor(&self, control: &Control) -> Result<Redactor> {
        control.run(|| {
            let session = self.session(&Choices::default(), control)?;
            let known = self.lines(&session, IndexUse::Auto)?;
            Ok(Redactor::new(&self.state.reader, Some(known)))
        })
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.state.reader
    }

    pub(crate) fn listed(&self) -> &Files {
        &self.listing().files
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }

    pub(crate) fn session(&self, choices: &Choices, control: &Control) -> Result<Session> {
        self.state.reader.session(choices, control)
    }

    /// Begins the run of a query that redacts the secrets of the latest snapshot, or those of this
    /// one that are known so far.
    pub(crate) fn run(&self, session: &Session) -> Run {
        let known = self.newest.clone().or_else(|| self.search_layer());
        match known.filter(|_| session.is_shared) {
            Some(known) => known
                .begin_run()
                .with_progress(Arc::clone(&session.progress)),
            None => session.run(),
        }
    }

    pub(crate) fn search_layer(&self) -> Option<Arc<SearchLayer>> {
        let state = &self.state;
        state.lines.built().or_else(|| state.whole.built())
    }

    /// Returns the layers that a later snapshot of the same reader updates.
    pub(crate) fn as_earlier(&self) -> Earlier {
        let earlier = self.earlier().clone();
        Earlier {
            lines: self.state.lines.built().or(earlier.lines),
            whole: self.state.whole.built().or(earlier.whole),
        }
    }

    fn earlier(&self) -> MutexGuard<'_, Earlier> {
        let earlier = self.state.earlier.lock();
        earlier.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the files with all their known secrets, with the index that the query needs.
    pub(crate) fn lines(&self, session: &Session, usage: IndexUse) -> Result<Arc<SearchLayer>> {
        if !session.is_shared || usage == IndexUse::Off {
            let packer = Arc::clone(&session.packer);
            let searcher = Searcher::open(packer, usage, &*session.progress, &session.cancel)?;
            return Ok(Arc::new(SearchLayer::new(searcher, self.state.version)));
        }
        let State {
            lines,
            whole,
            layers,
            ..
        } = &*self.state;
        // A repository that is kept warm builds the index itself, in its cache.
        if usage == IndexUse::Update && layers.is_search_warm() {
            if session.packer.options().cache.is_none() {
                return whole.get(&session.cancel, || self.indexed(session));
            }
        } else if usage == IndexUse::Update {
            return whole.get(&session.cancel, || {
                let earlier = self.earlier().whole.clone();
                let known = self.refreshed(session, earlier)?;
                let built = match known.filter(|known| known.is_whole()) {
                    Some(known) => known,
                    None => self.opened(session, usage)?,
                };
                self.earlier().whole = None;
                Ok(built)
            });
        }
        if let Some(whole) = whole.built() {
            return Ok(whole);
        }
        lines.get(&session.cancel, || {
            let earlier = self.earlier().lines.clone();
            let built = match self.refreshed(session, earlier)? {
                Some(known) => known,
                None => self.opened(session, usage)?,
            };
            self.earlier().lines = None;
            Ok(built)
        })
    }

    /// Adds a temporary index to the files with their known secrets, including former ones.
    fn indexed(&self, session: &Session) -> Result<Arc<SearchLayer>> {
        let lines = self.lines(session, IndexUse::Auto)?;
        if lines.is_whole() {
            return Ok(lines);
        }
        let searcher = lines.indexed_listed(&self.listing().found, &session.cancel)?;
        Ok(Arc::new(SearchLayer::new(searcher, lines.version)))
    }

    fn opened(&self, session: &Session, usage: IndexUse) -> Result<Arc<SearchLayer>> {
        let packer = Arc::clone(&session.packer);
        let progress = &WithCounter {
            caller: &*session.progress,
            counter: self.state.layers.counter(),
        };
        let searcher = match self.state.listing.get() {
            Some(listing) => {
                Searcher::open_listed(packer, &listing.found, usage, progress, &session.cancel)
            }
            None => Searcher::open(packer, usage, progress, &session.cancel),
        };
        Ok(Arc::new(SearchLayer::new(searcher?, self.state.version)))
    }

    /// Updates the layer of the previous snapshot to this one.
    fn refreshed(
        &self,
        session: &Session,
        earlier: Option<Arc<SearchLayer>>,
    ) -> Result<Option<Arc<SearchLayer>>> {
        let Some(earlier) = earlier else {
            return Ok(None);
        };
        let refreshed = earlier.refreshed_listed(&self.listing().found, &session.cancel)?;
        Ok(Some(match refreshed {
            Some(searcher) => {
                let version = match searcher.has_contents_of(&earlier) {
                    true => earlier.version,
                    false => self.state.version,
                };
                Arc::new(SearchLayer::new(searcher, version))
            }
            None => earlier,
        }))
    }

    /// Returns the version for layers of this snapshot: that of its search layer, if it is built.
    fn known_version(&self) -> u64 {
        let search = self.state.lines.built();
        search.map_or(self.state.version, |search| search.version)
    }

    fn version(&self, session: &Session) -> Result<u64> {
        if self.state.layers.is_search_warm() {
            self.lines(session, IndexUse::Auto)?;
        }
        Ok(self.known_version())
    }

    /// Returns the files as pieces of code.
    pub(crate) fn context_layer(&self, session: &Session) -> Result<Arc<ContextLayer>> {
        let (packer, run) = (Arc::clone(&session.packer), session.run());
        if !session.is_shared {
            let layer = ContextLayer::build(&packer, &run, &session.cancel)?;
            return Ok(Arc::new(layer));
        }
        let (layers, version) = (&self.state.layers, self.version(session)?);
        let build = move |cancel: &Cancel| ContextLayer::build(&packer, &run, cancel);
        layers.context.get(version, &session.cancel, build)
    }

    /// Returns the files with their symbols and links.
    pub(crate) fn map_layer(&self, session: &Session, wanted: &MapWanted) -> Result<Arc<MapLayer>> {
        let (packer, run) = (Arc::clone(&session.packer), session.run());
        if !session.is_shared || *wanted != MapWanted::default() {
            let layer = MapLayer::build(&packer, wanted, &run, &session.cancel)?;
            return Ok(Arc::new(layer));
        }
        let (layers, version) = (&self.state.layers, self.version(session)?);
        let build =
            move |cancel: &Cancel| MapLayer::build(&packer, &MapWanted::default(), &run, cancel);
        layers.map.get(version, &session.cancel, build)
    }
}
