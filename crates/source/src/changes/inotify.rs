//! Watching with inotify, with one watch per directory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

use super::{Waited, WatchedFolders};

/// Watches every directory of a set.
#[derive(Debug)]
pub(super) struct Inotify {
    inotify: rustix::fd::OwnedFd,
    is_outdated: AtomicBool,
}

impl Inotify {
    pub(super) fn watch(watched: &WatchedFolders) -> Option<Self> {
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
        for folder in &watched.folders {
            match inotify::add_watch(&inotify, folder, events) {
                Ok(_) => {}
                // If a directory vanished since it was listed, its parent reports the change.
                Err(Errno::NOENT | Errno::NOTDIR) if !watched.roots.contains(folder) => {}
                Err(_) => return None,
            }
        }
        Some(Self {
            inotify,
            is_outdated: AtomicBool::new(false),
        })
    }

    pub(super) fn wait(&self, time: Duration) -> Waited {
        let time = Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        };
        let mut waiting = [PollFd::new(&self.inotify, PollFlags::IN)];
        match poll(&mut waiting, Some(&time)) {
            Ok(0) => Waited::Quiet,
            // Interrupted or broken: reporting a change is always safe.
            _ => {
                self.drain();
                Waited::Changed
            }
        }
    }

    pub(super) fn is_outdated(&self) -> bool {
        self.is_outdated.load(Ordering::Relaxed)
    }

    /// Discards all pending events, so that the next event is new.
    fn drain(&self) {
        let mut buffer = [0u8; 4096];
        while let Ok(count @ 1..) = rustix::io::read(&self.inotify, &mut buffer) {
            if tells_of_folders(&buffer[..count]) {
                self.is_outdated.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Returns true if an event is about a directory, lost, or unreadable. An event consists of four
/// 4-byte numbers (watch, mask, cookie, length of the name) and the name.
fn tells_of_folders(mut events: &[u8]) -> bool {
    /// IN_ISDIR, IN_Q_OVERFLOW, IN_IGNORED and IN_UNMOUNT.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn event(mask: u32, name: &[u8]) -> Vec<u8> {
        let length = u32::try_from(name.len()).unwrap();
        let numbers = [1, mask, 0, length].map(u32::to_ne_bytes);
        [numbers.as_flattened(), name].concat()
    }

    #[test]
    fn folders_and_lost_events_outdate_a_watch() {
        let (modified, created) = (2, 0x100);
        let file = event(modified, b"name\0\0\0\0");
        assert!(!tells_of_folders(&file));
        for mask in [created | 0x4000_0000, 0x4000, 0x8000, 0x2000] {
            assert!(tells_of_folders(&[file.clone(), event(mask, b"")].concat()));
        }
        // A truncated event.
        assert!(tells_of_folders(&file[..15]));
        assert!(tells_of_folders(&file[..20]));
    }
}
