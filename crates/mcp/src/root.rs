//! A folder that is served: kept warm between calls, and looked at again before each
//! one where something changed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use loom_host::{
    Cancel, FolderWatch, HeldPacker, IndexOptions, IndexUse, MapRepository, MapWanted, NoProgress,
    PackError, Packer, Progress, Searcher, Stage, Waited,
};

use crate::Opener;

/// A folder that is served.
pub(crate) struct Root {
    /// As calls name it.
    pub(crate) name: String,
    path: PathBuf,
    opener: Opener,
    packer: RwLock<Arc<Packer>>,
    live: RwLock<Option<Live>>,
    /// One call at a time looks whether something changed.
    gate: Mutex<()>,
    index: Indexing,
}

/// What is kept warm.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) searcher: Searcher<'static>,
    watch: Option<FolderWatch>,
    map: OnceLock<MapRepository>,
    /// Whether the index was there when it was looked at.
    is_indexed: bool,
}

/// How far the index is.
#[derive(Debug, Default)]
struct Indexing {
    files: AtomicUsize,
    done: AtomicUsize,
    is_ready: Mutex<bool>,
    changed: Condvar,
}

impl Progress for Indexing {
    fn begin(&self, _stage: Stage, files: Option<usize>) {
        self.files.store(files.unwrap_or(0), Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, files: usize) {
        self.done.fetch_add(files, Ordering::Relaxed);
    }
}

impl Root {
    /// The folder at `path`, called `name`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn open(path: &Path, name: String, opener: &Opener) -> Result<Arc<Self>, String> {
        let packer = opener(path)?;
        Ok(Arc::new(Self {
            name,
            path: path.to_owned(),
            opener: Arc::clone(opener),
            packer: RwLock::new(Arc::new(packer)),
            live: RwLock::default(),
            gate: Mutex::default(),
            index: Indexing::default(),
        }))
    }

    /// What reads the folder.
    pub(crate) fn packer(&self) -> Arc<Packer> {
        let packer = self.packer.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&packer)
    }

    /// Opens the folder again where another one lies in its place.
    fn stay_in_place(&self, live: &mut Option<Live>) -> Result<(), PackError> {
        if self.packer().source().is_in_place() {
            return Ok(());
        }
        let opened = (self.opener)(&self.path);
        let packer = opened.map_err(|_| PackError::Gone(self.path.clone()))?;
        *self.packer.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(packer);
        *live = None;
        Ok(())
    }

    /// Makes the index in the background, so that nobody waits for it.
    pub(crate) fn start(self: &Arc<Self>, cancel: &Cancel) {
        let (root, cancel) = (Arc::clone(self), cancel.clone());
        std::thread::spawn(move || {
            let packer = root.packer();
            if packer.options().cache.is_some() {
                // Without an index files are read: slower, and nothing else.
                let _ = packer.index(&IndexOptions::default(), &root.index, &cancel);
            }
            *lock(&root.index.is_ready) = true;
            root.index.changed.notify_all();
        });
    }

    /// How many files of how many are indexed; `None` when all are.
    pub(crate) fn indexing(&self) -> Option<(usize, usize)> {
        let is_ready = *lock(&self.index.is_ready);
        let number = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        (!is_ready).then(|| (number(&self.index.done), number(&self.index.files)))
    }

    /// Waits for the index, but not long; says whether it is there.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        let ready = lock(&self.index.is_ready);
        let waited = self
            .index
            .changed
            .wait_timeout_while(ready, time, |ready| !*ready);
        let (ready, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *ready
    }

    /// Does something with the files as they are now.
    pub(crate) fn with<T>(
        &self,
        cancel: &Cancel,
        work: impl FnOnce(&Live) -> T,
    ) -> Result<T, PackError> {
        let is_indexed = self.indexing().is_none();
        {
            let _gate = lock(&self.gate);
            let is_fresh = self.packer().source().is_in_place()
                && self.read(|live| live.is_some_and(|live| live.is_fresh(is_indexed)));
            if !is_fresh {
                let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
                self.stay_in_place(&mut live)?;
                match live.as_mut() {
                    Some(live) => live.refresh(is_indexed, cancel)?,
                    None => *live = Some(Live::open(&self.packer(), is_indexed, cancel)?),
                }
            }
        }
        self.read(|live| live.map(work))
            .ok_or(PackError::ReaderStopped)
    }

    fn read<T>(&self, work: impl FnOnce(Option<&Live>) -> T) -> T {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        work(live.as_ref())
    }
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Root")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Live {
    fn open(packer: &Arc<Packer>, is_indexed: bool, cancel: &Cancel) -> Result<Self, PackError> {
        // Changes behind this are told.
        let watch = packer.watch();
        let held = HeldPacker::from(Arc::clone(packer));
        Ok(Self {
            searcher: Searcher::open(held, IndexUse::Auto, &NoProgress, cancel)?,
            watch,
            map: OnceLock::new(),
            is_indexed,
        })
    }

    fn is_fresh(&self, is_indexed: bool) -> bool {
        let is_quiet = |watch: &FolderWatch| watch.wait(Duration::ZERO) == Waited::Quiet;
        self.is_indexed == is_indexed && self.watch.as_ref().is_some_and(is_quiet)
    }

    fn refresh(&mut self, is_indexed: bool, cancel: &Cancel) -> Result<(), PackError> {
        if self.watch.is_some() {
            self.watch = self.searcher.packer().watch();
        }
        self.is_indexed = is_indexed;
        if self.searcher.refresh(cancel)? {
            self.map = OnceLock::new();
        }
        Ok(())
    }

    /// The files linked for maps; made when somebody asks first.
    pub(crate) fn map(&self, cancel: &Cancel) -> Result<&MapRepository, PackError> {
        if let Some(map) = self.map.get() {
            return Ok(map);
        }
        let map = self
            .searcher
            .packer()
            .map_repository(&MapWanted::default(), cancel)?;
        Ok(self.map.get_or_init(|| map))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
