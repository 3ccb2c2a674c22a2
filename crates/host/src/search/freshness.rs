//! Which contents files have, without reading those that did not change: what the file
//! system says about each file is kept with the hash of its contents. Nothing else of
//! the search knows how that is found out.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use loom_base::{ContentHash, RepoPath};
use loom_source::{FoundFile, Source};

/// A change at less than this before a look may have another one behind it that shows
/// the same time: the coarsest clock of a file system in use, in nanoseconds.
const COARSEST: i64 = 2_000_000_000;

/// Stands for contents that are no text.
pub(crate) const NO_TEXT: ContentHash = ContentHash::from_bytes([0; 32]);

/// What a file system says about a version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    modified: i64,
    changed: i64,
    file: u64,
}

/// The contents of files as they were last seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    by_path: HashMap<RepoPath, (Stamp, ContentHash)>,
}

impl Stamp {
    /// Of each file; `None` where there is none to trust.
    pub(crate) fn all(source: &Source, files: &[FoundFile]) -> Vec<Option<Self>> {
        let roots: Vec<&Path> = source.roots().collect();
        let [root] = roots.as_slice() else {
            return vec![None; files.len()];
        };
        if !source.revisions().is_empty() {
            return vec![None; files.len()];
        }
        let of = |file: &FoundFile| {
            let path = root.join(native(&file.path)?);
            Self::of(&fs::symlink_metadata(path).ok()?)
        };
        files.iter().map(of).collect()
    }

    #[cfg(unix)]
    fn of(meta: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, rest: i64| seconds.checked_mul(1_000_000_000)?.checked_add(rest);
        meta.is_file().then_some(())?;
        Some(Self {
            size: meta.size(),
            modified: time(meta.mtime(), meta.mtime_nsec())?,
            changed: time(meta.ctime(), meta.ctime_nsec())?,
            file: meta.ino(),
        })
    }

    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Option<Self> {
        None
    }

    /// Whether a look at `now` has seen the last version with this stamp.
    pub(crate) fn is_settled(&self, now: i64) -> bool {
        let last = self.modified.max(self.changed);
        now.checked_sub(last).is_some_and(|age| age > COARSEST)
    }

    fn numbers(&self) -> [u64; 4] {
        let Self {
            size,
            modified,
            changed,
            file,
        } = *self;
        [size, modified as u64, changed as u64, file]
    }
}

#[cfg(unix)]
fn native(path: &RepoPath) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path.as_bytes())))
}

#[cfg(not(unix))]
fn native(path: &RepoPath) -> Option<PathBuf> {
    path.as_str().map(PathBuf::from)
}

/// The time by the clock of the machine, in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(i64::MIN, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

impl Seen {
    /// The contents of a file that has this stamp now.
    pub(crate) fn hash(&self, path: &RepoPath, stamp: Option<Stamp>) -> Option<ContentHash> {
        let (seen, hash) = self.by_path.get(path)?;
        (Some(*seen) == stamp).then_some(*hash)
    }

    pub(crate) fn insert(&mut self, path: RepoPath, stamp: Stamp, hash: ContentHash) {
        self.by_path.insert(path, (stamp, hash));
    }

    pub(crate) fn hashes(&self) -> impl Iterator<Item = &ContentHash> {
        self.by_path.values().map(|(_, hash)| hash)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut all: Vec<_> = self.by_path.iter().collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        out.extend_from_slice(&(all.len() as u64).to_le_bytes());
        for (path, (stamp, hash)) in all {
            out.extend_from_slice(&(path.as_bytes().len() as u64).to_le_bytes());
            out.extend_from_slice(path.as_bytes());
            for number in stamp.numbers() {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(hash.as_bytes());
        }
    }

    pub(crate) fn read(mut from: &[u8]) -> Option<Self> {
        let number = |from: &mut &[u8]| {
            let (head, rest) = from.split_first_chunk::<8>()?;
            *from = rest;
            Some(u64::from_le_bytes(*head))
        };
        let count = usize::try_from(number(&mut from)?).ok()?;
        let mut by_path = HashMap::with_capacity(count.min(from.len() / 72));
        for _ in 0..count {
            let length = usize::try_from(number(&mut from)?).ok()?;
            let (path, rest) = from.split_at_checked(length)?;
            from = rest;
            let [size, modified, changed, file] = [(); 4].map(|()| number(&mut from));
            let stamp = Stamp {
                size: size?,
                modified: modified? as i64,
                changed: changed? as i64,
                file: file?,
            };
            let (hash, rest) = from.split_first_chunk::<32>()?;
            from = rest;
            by_path.insert(
                RepoPath::new(path).ok()?,
                (stamp, ContentHash::from_bytes(*hash)),
            );
        }
        from.is_empty().then_some(Self { by_path })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_seen_reads_back(
            names in prop::collection::vec("[a-z]{1,6}", 0..6),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut seen = Seen::default();
            for (number, name) in names.iter().enumerate() {
                let stamp = Stamp { size: number as u64, modified: -1, changed: 7, file: 3 };
                let hash = ContentHash::from_bytes([number as u8; 32]);
                seen.insert(RepoPath::new(name).unwrap(), stamp, hash);
            }
            let mut bytes = Vec::new();
            seen.write(&mut bytes);
            let again = Seen::read(&bytes).unwrap();
            prop_assert_eq!(&again.by_path, &seen.by_path);
            prop_assert!(Seen::read(&bytes[..cut.index(bytes.len())]).is_none());
        }
    }
}
