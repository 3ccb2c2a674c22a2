//! Waits until something changes in the folders of a tree. It says that something
//! happened, not what: the caller lists the files again.
//!
//! Linux reads inotify itself: the kernel queues an event before the call that causes it
//! returns, so a caller that finds the queue empty knows that nothing changed before. The
//! crate `notify` empties the queue on a thread of its own and cannot say that: of 2,000
//! writes it had not reported 335 when they returned (version 9, on a busy machine). macOS
//! and Windows report late in any case, and use `notify`. On other systems, and where the
//! system refuses to watch so many folders, there is no watch, and callers look again now
//! and then.

#[cfg(target_os = "linux")]
mod inotify;
#[cfg(any(target_os = "macos", windows, all(test, target_os = "linux")))]
mod notifier;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use crate::git_files::GitFiles;
use crate::native;
use crate::scan::Scan;
use crate::source::Source;

#[cfg(target_os = "linux")]
use inotify::Inotify as Backend;
#[cfg(any(target_os = "macos", windows))]
use notifier::Notifier as Backend;

/// Whether an event is there before the call that caused it returns.
const REPORTS_AT_ONCE: bool = cfg!(target_os = "linux");

/// What came of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Something may have changed.
    Changed,
    /// Nothing did so far.
    Quiet,
}

/// Watches folders.
#[derive(Debug)]
pub struct FolderWatch {
    backend: Backend,
}

impl Source {
    /// Watches the folders that `scan` found files in, those above them, and where git
    /// keeps its index. `None` where that cannot be done for all of them.
    pub fn watch(&self, scan: &Scan) -> Option<FolderWatch> {
        let backend = Backend::watch(&self.watched_folders(scan))?;
        Some(FolderWatch { backend })
    }

    fn watched_folders(&self, scan: &Scan) -> WatchedFolders {
        let roots: BTreeSet<PathBuf> = self.roots().map(std::path::Path::to_owned).collect();
        let mut folders = roots.clone();
        // Also those without a file: a new one may appear in them.
        for (tree, path) in &scan.folders {
            let root = &self.trees()[*tree].0.dir;
            let mut at = Some(path.clone());
            while let Some(folder) = at {
                if !folders.insert(native::below(root, &folder)) {
                    break;
                }
                at = folder.parent();
            }
        }
        // Where git keeps its index and patterns of its own.
        for (tree, top) in &scan.repositories {
            let top = native::below(&self.trees()[*tree].0.dir, top);
            let files = GitFiles::of(&top);
            for folder in files.iter().flat_map(GitFiles::folders) {
                folders.extend([folder.to_owned(), folder.join("info")]);
            }
        }
        WatchedFolders { roots, folders }
    }
}

/// The folders that a watch is about.
struct WatchedFolders {
    /// The tops of the trees, which must be there.
    roots: BTreeSet<PathBuf>,
    /// All of them; one may vanish before it is watched.
    folders: BTreeSet<PathBuf>,
}

impl FolderWatch {
    /// Waits until something changed, at most for `time`.
    pub fn wait(&self, time: Duration) -> Waited {
        self.backend.wait(time)
    }

    /// Says whether nothing changed before this call. Systems that report changes late can
    /// never say so.
    pub fn is_quiet(&self) -> bool {
        REPORTS_AT_ONCE && self.wait(Duration::ZERO) == Waited::Quiet
    }

    /// Says whether folders came or went since the watch began: the caller should begin a
    /// new one then, before it lists the files.
    pub fn is_outdated(&self) -> bool {
        self.backend.is_outdated()
    }
}

/// The backend of systems that cannot watch folders.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
#[derive(Debug)]
enum Backend {}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
impl Backend {
    fn watch(_: &WatchedFolders) -> Option<Self> {
        None
    }

    fn wait(&self, _: Duration) -> Waited {
        match *self {}
    }

    fn is_outdated(&self) -> bool {
        match *self {}
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
