//! What the file system says about files, without opening them: a change of contents
//! changes it.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

use loom_base::{RepoPath, Stamp};

use crate::scan::FoundFile;
use crate::source::Source;
use crate::tree::Tree;

/// The version that `meta` is of. Where no file system tells when anything about a
/// file changed, there is none: a program can set all the rest.
#[cfg(unix)]
pub(crate) fn of(meta: &Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    Some(Stamp {
        size: meta.size(),
        modified: nanoseconds(meta.mtime(), meta.mtime_nsec())?,
        changed: nanoseconds(meta.ctime(), meta.ctime_nsec())?,
        file: meta.ino(),
        device: meta.dev(),
    })
}

#[cfg(not(unix))]
pub(crate) fn of(_meta: &Metadata) -> Option<Stamp> {
    None
}

#[cfg(unix)]
pub(crate) fn nanoseconds(seconds: i64, rest: i64) -> Option<i64> {
    seconds.checked_mul(1_000_000_000)?.checked_add(rest)
}

/// The time by the clock of the machine, in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(i64::MIN, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

impl Source {
    /// The stamps of `files`, which are ordered by path; `None` for what is not a
    /// plain file of a folder on disk.
    pub fn stamps(&self, files: &[FoundFile]) -> Vec<Option<Stamp>> {
        let mut stamps = Vec::with_capacity(files.len());
        let folder_of = |file: &FoundFile| (file.root, file.relative.parent());
        for group in files.chunk_by(|a, b| folder_of(a) == folder_of(b)) {
            let Some(first) = group.first() else {
                continue;
            };
            let (_, tree) = &self.trees()[first.root];
            let above = first.relative.parent().unwrap_or_else(RepoPath::root);
            match tree {
                Tree::Folder(beneath) => {
                    let names = group.iter().map(|file| file.relative.file_name());
                    stamps.extend(beneath.stamps(&above, names));
                }
                Tree::Commit(_) => stamps.extend(group.iter().map(|_| None)),
            }
        }
        stamps
    }

    /// Where a file of a folder on disk lies: the number of its tree, and its path
    /// there. `None` for a file of a commit.
    pub fn place<'a>(&self, file: &'a FoundFile) -> Option<(usize, &'a RepoPath)> {
        match self.trees()[file.root].1 {
            Tree::Folder(_) => Some((file.root, &file.relative)),
            Tree::Commit(_) => None,
        }
    }
}
