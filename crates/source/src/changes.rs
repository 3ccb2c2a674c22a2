//! Waits for changes in the directories of a root. It reports that something changed, but not which
//! file: the caller lists the files again.
//!
//! On Linux, this code reads inotify itself. The kernel queues an event before the call that causes
//! it returns, so an empty queue proves that nothing changed before. The crate `notify` empties the
//! queue on its own thread and cannot prove this: of 2,000 writes, it had not reported 335 when
//! they returned (version 9, on a busy machine). macOS and Windows report late anyway, and use
//! `notify`. Callers poll on other systems, and if the system refuses to watch the number of
//! directories.

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

/// True if the system queues an event before the call that caused it returns.
const REPORTS_AT_ONCE: bool = cfg!(target_os = "linux");

/// Result of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Something may have changed.
    Changed,
    /// Nothing changed so far.
    Quiet,
}

/// Watches directories.
#[derive(Debug)]
pub struct FolderWatch {
    backend: Backend,
}

impl Source {
    /// Watches the directories in which `scan` found files, their ancestors, and the directories
    /// with git's index. Returns `None` if one of them cannot be watched.
    pub fn watch(&self, scan: &Scan) -> Option<FolderWatch> {
        let backend = Backend::watch(&self.watched_folders(scan))?;
        Some(FolderWatch { backend })
    }

    fn watched_folders(&self, scan: &Scan) -> WatchedFolders {
        let roots: BTreeSet<PathBuf> = self.roots().map(std::path::Path::to_owned).collect();
        let mut folders = roots.clone();
        // Includes directories without files, in which a new file may appear.
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
        // The directories with git's index and patterns.
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

/// The directories to watch.
struct WatchedFolders {
    /// The roots, which must exist.
    roots: BTreeSet<PathBuf>,
    /// All directories; one may vanish before it is watched.
    folders: BTreeSet<PathBuf>,
}

impl FolderWatch {
    /// Waits up to `time` for a change.
    pub fn wait(&self, time: Duration) -> Waited {
        self.backend.wait(time)
    }

    /// Returns true if nothing changed before this call. Always false on systems that report
    /// changes late.
    pub fn is_quiet(&self) -> bool {
        REPORTS_AT_ONCE && self.wait(Duration::ZERO) == Waited::Quiet
    }

    /// Returns true if directories were created or removed since the watch began. The caller should
    /// then start a new watch before it lists the files.
    pub fn is_outdated(&self) -> bool {
        self.backend.is_outdated()
    }
}

/// The backend of systems that cannot watch directories.
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
