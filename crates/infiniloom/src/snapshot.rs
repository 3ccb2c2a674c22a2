//! One immutable state of a repository, on which every query runs.

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

/// The identity of a state: equal for two snapshots of the same files and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapshotId([u8; 16]);

impl SnapshotId {
    /// The identity of a state with these files.
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
    /// Their number.
    pub files: usize,
    /// The size in bytes that a file may have.
    pub limit: u64,
}

/// One state of a repository. Queries on it never wait for a change, and a change never
/// cancels them. Clones share the state.
///
/// Its layers are built by the first queries that need them. One that is built late, after the
/// files changed, may be of the later state.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Arc<State>,
    /// The latest state of the repository, if this one is older: its secrets are redacted, too.
    newest: Option<Arc<SearchLayer>>,
}

#[derive(Debug)]
struct State {
    reader: Reader,
    /// Made when it is needed if the state is unlisted.
    listing: OnceLock<Listing>,
    /// The files with their known secrets, for queries that show lines.
    lines: OnceLayer<SearchLayer>,
    /// The same with an index of every file, for queries about symbols and ranks.
    whole: OnceLayer<SearchLayer>,
    /// The search layers of the state before, until those of this one are built.
    earlier: Mutex<Earlier>,
    layers: Arc<SharedLayers>,
    /// Grows with each snapshot of a repository.
    version: u64,
    /// The paths of the files, redacted.
    paths: OnceLock<Arc<[String]>>,
}

/// The files of a state, and the identity that they give it.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) id: SnapshotId,
    files: Files,
    /// The same as the search layer reads them.
    found: SourceFiles,
}

/// The files of a state, as the file system knew them.
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

/// A file of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub(crate) path: RepoPath,
    /// The text of its stamp.
    pub(crate) stamp: String,
}

/// The search layers that a state goes on from.
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

    /// A state whose files are listed only if somebody asks for the list.
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

    /// The same state; `newest` has the known secrets of the latest one.
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

    /// Returns the identity of the state.
    pub fn id(&self) -> SnapshotId {
        self.listing().id
    }

    /// Returns the settings of the state.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.state.reader.resolved))
    }

    /// Returns the model that queries count for unless they name another.
    pub fn model(&self) -> Model {
        self.state.reader.model()
    }

    /// Returns the number of files in the state.
    pub fn file_count(&self) -> usize {
        self.listing().files.shown.len()
    }

    /// Returns the paths of the files, redacted and in order.
    ///
    /// # Errors
    /// If the known secrets of the state cannot be read, or the run is cancelled.
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

    /// Returns the number of files that are larger than the limit of the settings, and that limit
    /// in bytes: they are not searched.
    ///
    /// # Errors
    /// If the known secrets of the state cannot be read, or the run is cancelled.
    pub fn too_large(&self, control: &Control) -> Result<LargeFiles> {
        control.run(|| {
            let session = self.session(&Choices::default(), control)?;
            let (files, limit) = self.lines(&session, IndexUse::Auto)?.too_large();
            Ok(LargeFiles { files, limit })
        })
    }

    /// Returns a path as results print it: `typed` starts at the root, or is a full path inside
    /// it. The file need not exist. `None` if the path is outside.
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

    /// Returns what redacts text about this state: its known secrets are complete.
    ///
    /// # Errors
    /// If the known secrets of the state cannot be read, or the run is cancelled.
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

    /// Begins the run of a query that knows the secrets of the state, as far as they are known,
    /// and of the latest one.
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

    /// Returns the layers that a later state of the same reader goes on from.
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

    /// Returns the files with all their known secrets, ready to be searched as a query asks.
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
        // A repository that is kept warm makes the index itself, in its cache.
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

    /// Adds a temporary index to the files with their known secrets, which include former ones.
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

    /// The layer of the state before, brought to this one.
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

    /// The version that layers of this state have, as far as it is known.
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
