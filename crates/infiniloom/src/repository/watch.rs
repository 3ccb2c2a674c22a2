//! A watch of the files. Each item is a settled burst of changes.

use std::time::Duration;

use loom_host::{FolderWatch, MessageRedactor, Waited};

use super::Repository;
use crate::snapshot::{Files, Snapshot};
use crate::{Control, Result};

/// Pause that ends a burst: several writes of one save are one change.
const SETTLED: Duration = Duration::from_millis(150);

/// Interval of listing the files if the system reports no changes, and of checking for a
/// cancellation. A listing reads all directories; a run must end within 100 ms of a cancellation.
const SWEEP: Duration = Duration::from_secs(2);
const LOOKS: Duration = Duration::from_millis(50);

/// A settled burst of changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangeEvent {
    /// The paths that were added, changed or removed, redacted and in order.
    pub paths: Vec<String>,
    /// A snapshot that contains the changes.
    pub snapshot: Snapshot,
}

/// Changes of the files as they settle: a blocking iterator. It ends when it is cancelled.
#[derive(Debug)]
pub struct Watch {
    repository: Repository,
    control: Control,
    last: Snapshot,
    watch: Option<FolderWatch>,
}

impl Watch {
    pub(crate) fn start(repository: &Repository, control: &Control) -> Result<Self> {
        let watch = repository.snapshot_with(control)?.reader().packer.watch();
        // A change before the watch began is part of this state.
        let last = repository.snapshot_with(control)?;
        Ok(Self {
            repository: repository.clone(),
            control: control.clone(),
            last,
            watch,
        })
    }

    /// Returns the snapshot that the next event is compared with.
    pub fn latest(&self) -> &Snapshot {
        &self.last
    }

    /// Returns whether the system reports no changes here, so that files are listed every two
    /// seconds.
    pub fn is_polling(&self) -> bool {
        self.watch.is_none()
    }

    /// Waits until a change has settled. Returns false if the watch was cancelled.
    fn wait(&self) -> bool {
        let token = self.control.token();
        let is_changed = |time: Duration| match &self.watch {
            Some(watch) => watch.wait(time) == Waited::Changed,
            None => {
                std::thread::sleep(time);
                false
            }
        };
        let mut waited = Duration::ZERO;
        while !token.is_cancelled() && waited < SWEEP && !is_changed(LOOKS) {
            waited += LOOKS;
        }
        while !token.is_cancelled() && is_changed(SETTLED) {}
        !token.is_cancelled()
    }

    /// Returns the changes since the last event; `None` if nothing changed.
    fn event(&mut self) -> Result<Option<ChangeEvent>> {
        let snapshot = self.repository.snapshot_with(&self.control)?;
        if snapshot.id() == self.last.id() {
            return Ok(None);
        }
        let mut paths = differences(self.last.listed(), snapshot.listed());
        // Paths may contain secrets.
        let packer = &snapshot.reader().packer;
        let redactor = MessageRedactor::learn(packer, &self.control.token())?;
        redactor.redact(paths.iter_mut());
        // New directories need a new watch.
        let is_outdated = self.watch.as_ref().is_some_and(FolderWatch::is_outdated);
        if is_outdated || !std::ptr::eq(&**packer, &*self.last.reader().packer) {
            self.watch = packer.watch();
        }
        self.last = snapshot.clone();
        Ok(Some(ChangeEvent { paths, snapshot }))
    }
}

impl Iterator for Watch {
    type Item = Result<ChangeEvent>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.wait() {
            match self.event() {
                Ok(None) => {}
                Ok(Some(event)) => return Some(Ok(event)),
                Err(error) if error.kind() == crate::ErrorKind::Cancelled => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

/// Returns the paths that only one of two listings has, or that differ. Both are sorted.
fn differences(before: &Files, after: &Files) -> Vec<String> {
    let (mut old, mut new) = (
        before.shown.iter().peekable(),
        after.shown.iter().peekable(),
    );
    let mut paths = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return paths,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => old.path.cmp(&new.path),
        };
        let (one, other) = match order {
            std::cmp::Ordering::Less => (old.next(), None),
            std::cmp::Ordering::Greater => (None, new.next()),
            std::cmp::Ordering::Equal => (old.next(), new.next()),
        };
        if one != other {
            let changed = one.or(other);
            paths.extend(changed.map(|file| file.path.display().into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use loom_host::RepoPath;

    use super::*;
    use crate::snapshot::ListedFile;

    fn files(all: &[(&str, &str)]) -> Files {
        let file = |(path, stamp): &(&str, &str)| ListedFile {
            path: RepoPath::new(path).unwrap(),
            stamp: (*stamp).to_owned(),
        };
        Files {
            shown: all.iter().map(file).collect(),
            ..Files::default()
        }
    }

    #[test]
    fn differences_are_added_changed_and_removed_paths() {
        let before = files(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let after = files(&[("a", "1"), ("b", "2"), ("d", "1")]);
        assert_eq!(differences(&before, &after), ["b", "c", "d"]);
        assert_eq!(differences(&before, &before), [""; 0]);
        assert_eq!(differences(&files(&[]), &after), ["a", "b", "d"]);
    }
}
