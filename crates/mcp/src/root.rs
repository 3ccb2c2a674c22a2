//! A folder that is served: kept warm between calls, and looked at again before each
//! one where something changed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use loom_host::{
    Cancel, FolderWatch, HeldPacker, IndexOptions, IndexUse, KeptSyntax, MapRepository, MapWanted,
    NoProgress, PackError, Packer, Progress, Searcher, Stage, SyntaxNavigator, Waited,
};
use loom_settings::Settings;

use crate::contexts::Contexts;
use crate::made::{Got, Made};
use crate::{Opened, Opener};

/// So long after the start nothing is done that nobody asked for.
const QUIET: Duration = Duration::from_secs(1);
/// So many files are read ahead at once.
const AT_ONCE: usize = 500;

/// What is made before anybody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// The index.
    Index,
    /// The index, and what contexts need: much memory, so not for many folders.
    Contexts,
}

/// A folder that is served.
pub(crate) struct Root {
    /// As calls name it.
    pub(crate) name: String,
    path: PathBuf,
    opener: Opener,
    opened: RwLock<(Arc<Packer>, Arc<Settings>)>,
    live: RwLock<Option<Live>>,
    /// One call at a time looks whether something changed.
    gate: Mutex<()>,
    index: Indexing,
    /// Stops what is made in the background.
    stop: Cancel,
}

/// What is kept warm.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) searcher: Searcher<'static>,
    packer: Arc<Packer>,
    watch: Option<FolderWatch>,
    /// Whether somebody began to look again and did not end.
    is_torn: bool,
    /// Whether a watch was not tried yet.
    is_unwatched: bool,
    /// Who began before this sees all that was there then.
    looked: Instant,
    map: Arc<Made<MapRepository>>,
    contexts: Arc<Made<Contexts>>,
    /// The syntax of files that were looked at, of this state.
    syntax: Arc<KeptSyntax>,
    /// Another one for every change of the files.
    state: u64,
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
        let Opened { packer, settings } = opener(path)?;
        Ok(Arc::new(Self {
            name,
            path: path.to_owned(),
            opener: Arc::clone(opener),
            opened: RwLock::new((Arc::new(packer), Arc::new(settings))),
            live: RwLock::default(),
            gate: Mutex::default(),
            index: Indexing::default(),
            stop: Cancel::new(),
        }))
    }

    /// What reads the folder.
    pub(crate) fn packer(&self) -> Arc<Packer> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&opened.0)
    }

    /// The settings that hold there.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&opened.1)
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder again where another one lies in its place.
    fn stay_in_place(&self, live: &mut Option<Live>) -> Result<(), PackError> {
        if self.packer().source().is_in_place() {
            return Ok(());
        }
        let opened = (self.opener)(&self.path);
        let opened = opened.map_err(|_| PackError::Gone(self.path.clone()))?;
        let opened = (Arc::new(opened.packer), Arc::new(opened.settings));
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
        *live = None;
        Ok(())
    }

    /// Opens the folder and makes the index in the background, so that nobody waits.
    pub(crate) fn start(self: &Arc<Self>, ahead: Ahead, cancel: &Cancel) {
        let (root, cancel) = (Arc::clone(self), cancel.clone());
        std::thread::spawn(move || {
            let packer = root.packer();
            // Where every file is in the index already, nobody waits for anything more.
            let is_whole = root.with(&cancel, |live| live.searcher.is_whole());
            let is_whole = is_whole.unwrap_or(false);
            if is_whole {
                root.is_indexed_now(true);
                // The first answers have the machine for themselves.
                std::thread::sleep(QUIET);
            }
            if packer.options().cache.is_some() {
                // Without an index files are read: slower, and nothing else.
                let _ = packer.index(&IndexOptions::default(), &root.index, &cancel);
            }
            if !is_whole {
                root.is_indexed_now(false);
            }
            if ahead == Ahead::Contexts {
                // What is asked for first is read meanwhile.
                let _ = root.contexts(Duration::ZERO, &cancel);
            }
            // In parts, so that nobody waits who has to look at files again.
            let warm = |live: Option<&Live>| {
                live.is_some_and(|live| live.searcher.warm(AT_ONCE, 1, &root.stop))
            };
            while root.read(warm) {}
        });
    }

    /// The index is there. `is_known` where what is open uses it already.
    fn is_indexed_now(&self, is_known: bool) {
        let _gate = lock(&self.gate);
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(live) = live.as_mut().filter(|_| is_known) {
            live.is_indexed = true;
        }
        *lock(&self.index.is_ready) = true;
        self.index.changed.notify_all();
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
        let began = Instant::now();
        {
            let _gate = lock(&self.gate);
            let is_indexed = self.indexing().is_none();
            let is_fresh = self.packer().source().is_in_place()
                && self.read(|live| live.is_some_and(|live| live.is_fresh(is_indexed, began)));
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

    /// The files linked for maps, as far as they can be had in this time.
    pub(crate) fn map(
        &self,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Got<MapRepository>, PackError> {
        let parts = |live: &Live| (Arc::clone(&live.map), Arc::clone(&live.packer), live.state);
        let (map, packer, state) = self.with(cancel, parts)?;
        let stop = self.stop.clone();
        Ok(map.get(state, time, move || {
            packer.map_repository(&MapWanted::default(), &stop).ok()
        }))
    }

    /// The files read for contexts, as far as they can be had in this time.
    pub(crate) fn contexts(
        &self,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Got<Contexts>, PackError> {
        let parts = |live: &Live| {
            (
                Arc::clone(&live.contexts),
                Arc::clone(&live.packer),
                live.state,
            )
        };
        let (contexts, packer, state) = self.with(cancel, parts)?;
        let stop = self.stop.clone();
        Ok(contexts.get(state, time, move || Contexts::read(&packer, &stop)))
    }

    /// Gives back what was read for contexts.
    pub(crate) fn forget_contexts(&self) {
        self.read(|live| live.map(|live| live.contexts.forget()));
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

impl Drop for Root {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Live {
    /// Without a watch, which takes another walk: who asks first shall not wait for it.
    fn open(packer: &Arc<Packer>, is_indexed: bool, cancel: &Cancel) -> Result<Self, PackError> {
        let held = HeldPacker::from(Arc::clone(packer));
        Ok(Self {
            searcher: Searcher::open(held, IndexUse::Auto, &NoProgress, cancel)?,
            packer: Arc::clone(packer),
            watch: None,
            is_torn: false,
            is_unwatched: true,
            // Who came while a folder was being opened waited for this, and is answered.
            looked: Instant::now(),
            map: Made::new(),
            contexts: Made::new(),
            syntax: Arc::default(),
            state: 0,
            is_indexed,
        })
    }

    /// Answers about definitions and uses, with what earlier answers looked at.
    pub(crate) fn navigator(&self, cancel: &Cancel) -> SyntaxNavigator<'_> {
        SyntaxNavigator::with(&self.searcher, Arc::clone(&self.syntax), cancel)
    }

    fn is_fresh(&self, is_indexed: bool, began: Instant) -> bool {
        let is_quiet = |watch: &FolderWatch| watch.wait(Duration::ZERO) == Waited::Quiet;
        let is_quiet = || self.watch.as_ref().is_some_and(is_quiet);
        let is_whole = !self.is_torn && self.is_indexed == is_indexed;
        is_whole && (began <= self.looked || is_quiet())
    }

    /// Looks again. A watch that is there before is told of all that comes after.
    fn refresh(&mut self, is_indexed: bool, cancel: &Cancel) -> Result<(), PackError> {
        let is_outdated = self.watch.as_ref().is_some_and(FolderWatch::is_outdated);
        if self.is_unwatched || is_outdated {
            self.watch = self.packer.watch();
            // Where folders cannot be watched, that is not tried again.
            self.is_unwatched = false;
        }
        self.is_indexed = is_indexed;
        let began = Instant::now();
        self.is_torn = true;
        if self.searcher.refresh(cancel)? {
            self.state += 1;
            self.syntax = Arc::default();
        }
        self.is_torn = false;
        self.looked = began;
        Ok(())
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
