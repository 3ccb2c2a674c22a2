//! Watching with the crate `notify`, on systems that watch a whole tree: FSEvents of macOS,
//! `ReadDirectoryChangesW` of Windows. Discards events of directories that the walk does not enter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{
    Config, ErrorKind, Event, EventKind, EventKindMask, RecommendedWatcher, RecursiveMode,
    Watcher as _,
};

use super::{Waited, WatchedFolders};

/// Watches the roots of a set of directories.
#[derive(Debug)]
pub(super) struct Notifier {
    seen: Arc<Seen>,
    /// Stops when it is dropped.
    _watcher: RecommendedWatcher,
}

/// Summary of the events so far, independent of their number.
#[derive(Debug, Default)]
struct Seen {
    reports: Mutex<Reports>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Reports {
    is_changed: bool,
    is_outdated: bool,
}

/// Consequence of an event for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// No change in the watched directories.
    None,
    /// A file changed.
    Files,
    /// A directory was created or removed, or events were lost.
    Folders,
}

impl Notifier {
    pub(super) fn watch(watched: &WatchedFolders) -> Option<Self> {
        let seen = Arc::<Seen>::default();
        let report = {
            let (seen, folders) = (Arc::clone(&seen), watched.folders.clone());
            move |event: notify::Result<Event>| seen.add(change(event.as_ref().ok(), &folders))
        };
        let config = Config::default()
            .with_follow_symlinks(false)
            .with_event_kinds(EventKindMask::CORE);
        let mut watcher = RecommendedWatcher::new(report, config).ok()?;
        for root in &watched.roots {
            watcher.watch(root, RecursiveMode::Recursive).ok()?;
        }
        // Git's directory may be outside the tree.
        let is_outside =
            |folder: &&PathBuf| !watched.roots.iter().any(|root| folder.starts_with(root));
        for folder in watched.folders.iter().filter(is_outside) {
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => {}
                Err(error) if is_missing(&error) => {}
                Err(_) => return None,
            }
        }
        Some(Self {
            seen,
            _watcher: watcher,
        })
    }

    pub(super) fn wait(&self, time: Duration) -> Waited {
        let end = Instant::now().checked_add(time);
        let mut reports = self.seen.lock();
        while !reports.is_changed {
            let left = end.map_or(time, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Waited::Quiet;
            }
            let waited = self.seen.more.wait_timeout(reports, left);
            reports = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        reports.is_changed = false;
        Waited::Changed
    }

    pub(super) fn is_outdated(&self) -> bool {
        self.seen.lock().is_outdated
    }
}

impl Seen {
    fn add(&self, change: Change) {
        if change == Change::None {
            return;
        }
        let mut reports = self.lock();
        reports.is_changed = true;
        reports.is_outdated |= change == Change::Folders;
        self.more.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Reports> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Classifies an event; `None` is one that could not be received.
fn change(event: Option<&Event>, folders: &BTreeSet<PathBuf>) -> Change {
    let Some(event) = event.filter(|event| !event.need_rescan() && !event.paths.is_empty()) else {
        return Change::Folders;
    };
    if matches!(event.kind, EventKind::Access(_)) {
        return Change::None;
    }
    let is_inside = |path: &&PathBuf| {
        let above = path.parent();
        folders.contains(*path) || above.is_some_and(|above| folders.contains(above))
    };
    let inside: Vec<&PathBuf> = event.paths.iter().filter(is_inside).collect();
    if inside.is_empty() {
        return Change::None;
    }
    let is_about_folders = match event.kind {
        // Changing a file changes the time of its directory, but does not require a new listing.
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_) | ModifyKind::Any) => false,
        _ => inside
            .iter()
            .any(|path| folders.contains(*path) || is_folder(path)),
    };
    match is_about_folders {
        true => Change::Folders,
        false => Change::Files,
    }
}

/// Returns true for a directory, but not for a link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}

fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;
    use notify::event::{
        AccessKind, CreateKind, DataChange, Flag, MetadataKind, RemoveKind, RenameMode,
    };

    use super::*;

    /// The tree has the directories `src` and `target`; `target` is skipped.
    #[track_caller]
    fn check(kind: EventKind, path: &str, expected: Change) {
        let sandbox = Sandbox::new();
        sandbox.write("src/a.rs", "").write("target/b.rs", "");
        let root = sandbox.work();
        let folders = BTreeSet::from([root.clone(), root.join("src"), root.join("gone")]);
        let event = Event::new(kind).add_path(root.join(path));
        assert_eq!(change(Some(&event), &folders), expected, "{kind:?} {path}");
    }

    #[test]
    fn events_of_watched_folders_are_changes() {
        let modified = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let touched = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
        let any = EventKind::Modify(ModifyKind::Any);
        for kind in [modified, touched, any, EventKind::Any] {
            check(kind, "src/a.rs", Change::Files);
            check(kind, "target/b.rs", Change::None);
        }
        check(
            EventKind::Create(CreateKind::Any),
            "src/a.rs",
            Change::Files,
        );
        check(
            EventKind::Remove(RemoveKind::Any),
            "src/old.rs",
            Change::Files,
        );
        check(any, "src", Change::Files);
    }

    #[test]
    fn folders_that_come_or_go_outdate_a_watch() {
        let moved = EventKind::Modify(ModifyKind::Name(RenameMode::Any));
        let created = EventKind::Create(CreateKind::Any);
        for kind in [created, moved, EventKind::Any] {
            check(kind, "src", Change::Folders);
            // It was skipped, but the event may have changed the rules.
            check(kind, "target", Change::Folders);
        }
        check(EventKind::Remove(RemoveKind::Any), "gone", Change::Folders);
        check(
            EventKind::Remove(RemoveKind::Any),
            "target/deep",
            Change::None,
        );
    }

    #[test]
    fn opening_a_file_is_no_change() {
        check(EventKind::Access(AccessKind::Any), "src/a.rs", Change::None);
    }

    #[test]
    fn lost_events_mean_that_everything_may_have_changed() {
        let rescan = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        let nowhere = Event::new(EventKind::Any);
        for event in [None, Some(&rescan), Some(&nowhere)] {
            assert_eq!(change(event, &BTreeSet::new()), Change::Folders);
        }
    }
}
