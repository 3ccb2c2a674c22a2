//! A folder that is served: kept warm between calls, and looked at again before each
//! one where something changed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use infiniloom::host::{
    Cancel, FolderWatch, IndexOptions, IndexUse, KeptSyntax, MapRepository, MapWanted, NoProgress,
    PackError, Packer, Progress, Run, Searcher, SecretsOptions, Stage, SyntaxNavigator,
};
use loom_settings::Settings;

use crate::contexts::Contexts;
use crate::kept::Kept;
use crate::made::{Got, LOOKS, Made, lock};
use crate::opener::Opener;
use crate::wrong::Wrong;

/// So long after the start nothing is done that nobody asked for.
const QUIET: Duration = Duration::from_secs(1);
/// What is made ahead is not waited for longer.
const AHEAD_WITHIN: Duration = Duration::from_secs(600);
/// So many files are read ahead at once.
const AT_ONCE: usize = 500;

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
    opener: Opener,
    opened: RwLock<Arc<Kept>>,
    live: RwLock<Option<Arc<Live>>>,
    /// One call at a time looks whether something changed.
    gate: Mutex<Gate>,
    index: Indexing,
    ahead: Ahead,
    /// Stops what is made in the background.
    stop: Cancel,
}

/// What tells whether something changed.
#[derive(Default)]
struct Gate {
    watch: Option<FolderWatch>,
    /// Whether a watch was tried.
    is_watched: bool,
    /// Whether somebody began to look again and did not end.
    is_torn: bool,
    /// Who began before this sees all that was there then.
    looked: Option<Instant>,
    /// Whether the index was there when it was looked at.
    is_indexed: bool,
}

/// What is kept warm, of one state of the files. Who works with it goes on when they change.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) searcher: Searcher,
    packer: Arc<Packer>,
    map: Arc<Made<MapRepository>>,
    contexts: Arc<Made<Contexts>>,
    /// The syntax of files that were looked at.
    syntax: Arc<KeptSyntax>,
    /// The way from the top of the repository to the root, with its last slash.
    pub(crate) prefix: String,
    /// Another one for every change of the files.
    state: u64,
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

/// A folder to open.
pub(crate) struct Place {
    /// Without links.
    pub(crate) path: PathBuf,
    /// As the user named it.
    pub(crate) also: Option<PathBuf>,
    /// What is made before anybody asks.
    pub(crate) ahead: Ahead,
}

impl Root {
    /// The folder at a place. `name` makes what calls name it of what takes secrets out.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn open(
        place: Place,
        name: impl FnOnce(&SecretsOptions) -> String,
        opener: &Opener,
    ) -> Result<Arc<Self>, String> {
        let kept = Kept::open(&place.path, opener)?;
        Ok(Arc::new(Self {
            name: name(&kept.packer.options().secrets),
            path: place.path,
            also: place.also,
            opener: Arc::clone(opener),
            opened: RwLock::new(Arc::new(kept)),
            live: RwLock::default(),
            gate: Mutex::default(),
            index: Indexing::default(),
            ahead: place.ahead,
            stop: Cancel::new(),
        }))
    }

    /// Stops what is made in the background: nobody will ask any more.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    fn kept(&self) -> Arc<Kept> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&opened)
    }

    /// What reads the folder.
    pub(crate) fn packer(&self) -> Arc<Packer> {
        Arc::clone(&self.kept().packer)
    }

    /// The settings that hold there.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.kept().settings)
    }

    /// Warnings about these settings.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.kept().warnings.clone()
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The same as the user named it, where that leads through links.
    pub(crate) fn also(&self) -> Option<&Path> {
        self.also.as_deref()
    }

    /// Opens the folder again where another one lies in its place, or the settings are
    /// others.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn settle(self: &Arc<Self>) -> Result<(), String> {
        let is_settled = |kept: &Kept| kept.packer.source().is_in_place() && kept.has_settings();
        // Without waiting for who looks at the files: what they see then is new enough.
        if is_settled(&self.kept()) {
            return Ok(());
        }
        let mut gate = lock(&self.gate);
        let kept = self.kept();
        if is_settled(&kept) {
            return Ok(());
        }
        let is_in_place = kept.packer.source().is_in_place();
        let opened = Kept::open(&self.path, &self.opener).map_err(|told| match is_in_place {
            true => told,
            false => PackError::Gone(self.path.clone()).to_string(),
        })?;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        *self.live.write().unwrap_or_else(PoisonError::into_inner) = None;
        *gate = Gate::default();
        *lock(&self.index.is_ready) = false;
        drop(gate);
        self.start();
        Ok(())
    }

    /// Opens the folder and makes the index in the background, so that nobody waits.
    pub(crate) fn start(self: &Arc<Self>) {
        let (root, cancel) = (Arc::clone(self), self.stop.clone());
        let packer = root.packer();
        std::thread::spawn(move || {
            // Where every file is in the index already, nobody waits for anything more.
            let is_whole = root.with(&cancel, |live| live.searcher.is_whole());
            let is_whole = is_whole.unwrap_or(false);
            if is_whole {
                root.is_indexed_now(&packer, true);
                root.watch_ahead(&cancel);
                root.make_ahead(&cancel);
                // The first answers have the machine for themselves.
                std::thread::sleep(QUIET);
            }
            if packer.options().cache.is_some() {
                // Without an index files are read: slower, and nothing else.
                let _ = packer.index(&IndexOptions::default(), &Run::new(), &root.index, &cancel);
            }
            if !is_whole {
                root.is_indexed_now(&packer, false);
                root.make_ahead(&cancel);
            }
            // In parts, so that a change is seen soon.
            let warm = |live: Arc<Live>| live.searcher.warm(AT_ONCE, 1, &root.stop);
            while root.known().is_some_and(warm) {}
        });
    }

    /// Watches the folders, and looks at the files once more: what changed before the watch
    /// is not told by it. Nobody waits for that meanwhile.
    fn watch_ahead(&self, cancel: &Cancel) {
        let (kept, Some(live)) = (self.kept(), self.known()) else {
            return;
        };
        let watch = kept.packer.watch();
        let began = Instant::now();
        let Ok(now) = live.searcher.refreshed(cancel) else {
            return;
        };
        let mut gate = lock(&self.gate);
        let is_same = Arc::ptr_eq(&kept, &self.kept())
            && self.known().is_some_and(|known| Arc::ptr_eq(&known, &live));
        // Somebody else looked meanwhile.
        if !is_same || gate.is_watched || gate.is_torn {
            return;
        }
        (gate.watch, gate.is_watched, gate.looked) = (watch, true, Some(began));
        if let Some(searcher) = now {
            let mut known = self.live.write().unwrap_or_else(PoisonError::into_inner);
            *known = Some(Arc::new(live.with(searcher)));
        }
    }

    /// Reads what is asked for first, one after the other.
    fn make_ahead(&self, cancel: &Cancel) {
        if self.ahead == Ahead::Contexts {
            let _ = self.contexts(AHEAD_WITHIN, cancel);
            let _ = self.map(AHEAD_WITHIN, cancel);
        }
    }

    /// The index is there, of what `packer` reads. `is_known` where what is open uses it
    /// already.
    fn is_indexed_now(&self, packer: &Arc<Packer>, is_known: bool) {
        let mut gate = lock(&self.gate);
        if !Arc::ptr_eq(packer, &self.packer()) {
            return;
        }
        gate.is_indexed |= is_known;
        *lock(&self.index.is_ready) = true;
        self.index.changed.notify_all();
    }

    /// How many files of how many are indexed; `None` when all are.
    pub(crate) fn indexing(&self) -> Option<(usize, usize)> {
        let is_ready = *lock(&self.index.is_ready);
        let number = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        (!is_ready).then(|| (number(&self.index.done), number(&self.index.files)))
    }

    /// Waits for the index, but not long, and not after a stop; says whether it is there.
    pub(crate) fn wait(&self, time: Duration, cancel: &Cancel) -> bool {
        let cancel = cancel.within(time);
        let mut ready = lock(&self.index.is_ready);
        while !*ready && !cancel.is_cancelled() {
            let waited = self.index.changed.wait_timeout(ready, LOOKS);
            ready = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *ready
    }

    /// Does something with the files as they are now. Nobody else waits for it.
    pub(crate) fn with<T>(
        &self,
        cancel: &Cancel,
        work: impl FnOnce(&Live) -> T,
    ) -> Result<T, PackError> {
        Ok(work(&*self.now(cancel)?))
    }

    /// The files as they are now.
    fn now(&self, cancel: &Cancel) -> Result<Arc<Live>, PackError> {
        let began = Instant::now();
        let mut gate = lock(&self.gate);
        let is_indexed = self.indexing().is_none();
        let known = self.known();
        if let Some(live) = known.clone().filter(|_| gate.is_fresh(is_indexed, began)) {
            return Ok(live);
        }
        let now = gate.look(&self.kept(), known, is_indexed, cancel)?;
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        *live = Some(Arc::clone(&now));
        Ok(now)
    }

    /// What was known last.
    fn known(&self) -> Option<Arc<Live>> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.clone()
    }

    /// The files linked for maps, as far as they can be had in this time.
    pub(crate) fn map(
        &self,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Got<MapRepository>, PackError> {
        let live = self.now(cancel)?;
        let (packer, stop) = (Arc::clone(&live.packer), self.stop.clone());
        Ok(live.map.get(live.state, time, cancel, move || {
            let made = packer.map_repository(&MapWanted::default(), &Run::new(), &stop);
            made.map_err(|error| Wrong::from(error).0)
        }))
    }

    /// The files read for contexts, as far as they can be had in this time.
    pub(crate) fn contexts(
        &self,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Got<Contexts>, PackError> {
        let live = self.now(cancel)?;
        let (packer, stop) = (Arc::clone(&live.packer), self.stop.clone());
        Ok(live.contexts.get(live.state, time, cancel, move || {
            Contexts::read(&packer, &stop).map_err(|error| Wrong::from(error).0)
        }))
    }

    /// Gives back what was read for contexts.
    pub(crate) fn forget_contexts(&self) {
        if let Some(live) = self.known() {
            live.contexts.forget();
        }
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
        self.stop();
    }
}

impl Gate {
    fn is_fresh(&self, is_indexed: bool, began: Instant) -> bool {
        let is_quiet = || self.watch.as_ref().is_some_and(FolderWatch::is_quiet);
        let is_whole = !self.is_torn && self.is_indexed == is_indexed;
        is_whole && (self.looked.is_some_and(|looked| began <= looked) || is_quiet())
    }

    /// Looks at the files. A watch that is there before is told of all that comes after.
    fn look(
        &mut self,
        kept: &Kept,
        known: Option<Arc<Live>>,
        is_indexed: bool,
        cancel: &Cancel,
    ) -> Result<Arc<Live>, PackError> {
        self.is_torn = true;
        let Some(live) = known else {
            // Without a watch, which takes another walk: who asks first shall not wait for it.
            let live = Live::open(kept, cancel)?;
            // Who came while a folder was being opened waited for this, and is answered.
            (self.is_torn, self.looked) = (false, Some(Instant::now()));
            self.is_indexed = is_indexed;
            return Ok(Arc::new(live));
        };
        let is_outdated = self.watch.as_ref().is_some_and(FolderWatch::is_outdated);
        if !self.is_watched || is_outdated {
            self.watch = kept.packer.watch();
            // Where folders cannot be watched, that is not tried again.
            self.is_watched = true;
        }
        let began = Instant::now();
        let now = live.searcher.refreshed(cancel)?;
        (self.is_torn, self.looked) = (false, Some(began));
        self.is_indexed = is_indexed;
        Ok(match now {
            None => live,
            Some(searcher) => Arc::new(live.with(searcher)),
        })
    }
}

impl Live {
    fn open(kept: &Kept, cancel: &Cancel) -> Result<Self, PackError> {
        let held = Arc::clone(&kept.packer);
        Ok(Self {
            searcher: Searcher::open(held, IndexUse::Auto, &NoProgress, cancel)?,
            packer: Arc::clone(&kept.packer),
            prefix: kept.prefix.clone(),
            map: Made::new(),
            contexts: Made::new(),
            syntax: Arc::default(),
            state: 0,
        })
    }

    /// The next state.
    fn with(&self, searcher: Searcher) -> Self {
        Self {
            searcher,
            packer: Arc::clone(&self.packer),
            prefix: self.prefix.clone(),
            map: Arc::clone(&self.map),
            contexts: Arc::clone(&self.contexts),
            syntax: Arc::default(),
            state: self.state + 1,
        }
    }

    /// Answers about definitions and uses, with what earlier answers looked at.
    pub(crate) fn navigator(&self, cancel: &Cancel) -> SyntaxNavigator<'_> {
        SyntaxNavigator::with(&self.searcher, Arc::clone(&self.syntax), cancel)
    }
}

#[cfg(test)]
pub(crate) mod tests;
