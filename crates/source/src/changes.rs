//! Waits until something changes in the folders of a tree. It says that something
//! happened, not what: whoever waits looks again. Where a system has no way to tell,
//! or too many folders to watch, there is no watch, and one looks again now and then.

use std::time::Duration;

use crate::scan::Scan;
use crate::source::Source;

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
    #[cfg(target_os = "linux")]
    inotify: rustix::fd::OwnedFd,
    /// Whether a folder came or went, so that others should be watched.
    #[cfg(target_os = "linux")]
    is_outdated: std::sync::atomic::AtomicBool,
}

impl Source {
    /// Watches the folders that `scan` found files in, those above them, and where git
    /// keeps its index. `None` where that cannot be done for all of them.
    #[cfg(target_os = "linux")]
    pub fn watch(&self, scan: &Scan) -> Option<FolderWatch> {
        use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let events = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MODIFY
            | WatchFlags::ATTRIB
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR
            | WatchFlags::DONT_FOLLOW;
        let is_root = |folder: &std::path::Path| self.roots().any(|root| root == folder);
        for folder in self.folders_of(scan) {
            match inotify::add_watch(&inotify, &folder, events) {
                Ok(_) => {}
                // One that vanished meanwhile is told by the folder above it.
                Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) if !is_root(&folder) => {}
                Err(_) => return None,
            }
        }
        let is_outdated = false.into();
        Some(FolderWatch {
            inotify,
            is_outdated,
        })
    }

    /// Not on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn watch(&self, _scan: &Scan) -> Option<FolderWatch> {
        None
    }

    #[cfg(target_os = "linux")]
    fn folders_of(&self, scan: &Scan) -> std::collections::BTreeSet<std::path::PathBuf> {
        use crate::native;
        let mut folders: std::collections::BTreeSet<_> =
            self.roots().map(std::path::Path::to_owned).collect();
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
            let files = crate::git_files::GitFiles::of(&top);
            for folder in files.iter().flat_map(crate::git_files::GitFiles::folders) {
                folders.extend([folder.to_owned(), folder.join("info")]);
            }
        }
        folders
    }
}

impl FolderWatch {
    /// Waits until something changed, at most for `time`.
    #[cfg(target_os = "linux")]
    pub fn wait(&self, time: Duration) -> Waited {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let time = Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        };
        let mut waiting = [PollFd::new(&self.inotify, PollFlags::IN)];
        match poll(&mut waiting, Some(&time)) {
            Ok(0) => Waited::Quiet,
            // Interrupted or broken: looking again is never wrong.
            _ => {
                self.drain();
                Waited::Changed
            }
        }
    }

    /// Takes all that was told so far, so that what comes next is new.
    #[cfg(target_os = "linux")]
    fn drain(&self) {
        let mut buffer = [0u8; 4096];
        while let Ok(count @ 1..) = rustix::io::read(&self.inotify, &mut buffer) {
            if tells_of_folders(&buffer[..count]) {
                self.is_outdated
                    .store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }

    /// Whether folders came or went since it was made: a new one should be made then,
    /// before anybody looks.
    pub fn is_outdated(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.is_outdated.load(std::sync::atomic::Ordering::Relaxed);
        #[cfg(not(target_os = "linux"))]
        true
    }

    /// Not on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn wait(&self, time: Duration) -> Waited {
        std::thread::sleep(time);
        Waited::Changed
    }
}

/// Whether one of the events is about a folder, or lost, or not understood. An event is
/// four numbers of four bytes (watch, mask, cookie, length of the name) and the name.
#[cfg(target_os = "linux")]
fn tells_of_folders(mut events: &[u8]) -> bool {
    /// A folder; too many events; a watch that ended; a file system that went.
    const FOLDERS: u32 = 0x4000_0000 | 0x4000 | 0x8000 | 0x2000;
    while !events.is_empty() {
        let number = |at: usize| {
            let bytes = events.get(at..at + 4)?;
            Some(u32::from_ne_bytes(bytes.try_into().ok()?))
        };
        let (Some(mask), Some(length)) = (number(4), number(12)) else {
            return true;
        };
        if mask & FOLDERS != 0 {
            return true;
        }
        let Some(rest) = events.get(16 + length as usize..) else {
            return true;
        };
        events = rest;
    }
    false
}
