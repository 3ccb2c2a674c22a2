//! Reads one file as one consistent version. Rereads a file that changes during the read, and skips
//! one that keeps changing.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use loom_base::{ContentHash, RepoPath, Stamp};

use crate::beneath::Beneath;
use crate::credentials::is_credential_path;
use crate::decode::{self, HEAD};
use crate::outcome::{Reason, SpecialKind};
use crate::stamps;

/// Maximum attempts for a file that changes while it is read.
const ATTEMPTS: usize = 4;

/// A file with a more recent change may be in the middle of a write: the writer may be suspended
/// between two pages, and the clock of the file system is too coarse to show the rest. Such a file
/// is checked again after this time.
const SETTLED: Duration = Duration::from_millis(100);

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The raw bytes.
    pub bytes: Vec<u8>,
    /// Their hash.
    pub hash: ContentHash,
    /// Stamp of the contents, and the time of the check in nanoseconds since 1970; `None` for
    /// contents that are not a file on disk.
    pub stamp: Option<(Stamp, i64)>,
}

/// Reads the file at `path`, of at most `limit` bytes.
pub(crate) fn read(root: &Beneath, path: &RepoPath, limit: u64) -> Result<Reading, Reason> {
    let holds_credentials = is_credential_path(path.as_bytes());
    for number in 1..=ATTEMPTS {
        let hold = match holds_credentials {
            true => Hold::Untouched,
            false if number < ATTEMPTS => Hold::Same,
            false => Hold::Grown,
        };
        match attempt(root, path, limit, Heads::Decide, hold) {
            Ok(Some((bytes, stamp))) => {
                let hash = ContentHash::from_bytes(*blake3::hash(&bytes).as_bytes());
                return Ok(Reading { bytes, hash, stamp });
            }
            Ok(None) => {}
            Err(Failure::Reason(reason)) => return Err(reason),
            Err(Failure::Io(error)) => return Err(of_io(&error)),
        }
    }
    Err(Reason::KeptChanging)
}

/// Reads a file with any contents, including binary ones.
pub(crate) fn read_whole(root: &Beneath, path: &RepoPath, limit: u64) -> Result<Vec<u8>, Reason> {
    for _ in 0..ATTEMPTS {
        match attempt(root, path, limit, Heads::Ignored, Hold::Grown) {
            Ok(Some((bytes, _))) => return Ok(bytes),
            Ok(None) => {}
            Err(Failure::Reason(reason)) => return Err(reason),
            Err(Failure::Io(error)) => return Err(of_io(&error)),
        }
    }
    Err(Reason::KeptChanging)
}

/// Reads a small file of rules. Returns `None` unless it is a plain file of at most `limit` bytes.
pub(crate) fn read_small(root: &Beneath, path: &RepoPath, limit: u64) -> Option<Vec<u8>> {
    let mut file = root.file(path).ok()?;
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > limit {
        return None;
    }
    let mut bytes = Vec::new();
    file.by_ref().take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether reading stops at a binary header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    Decide,
    Ignored,
}

/// Condition that a recently written file must meet a moment later to count as consistent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// Unchanged: the file has credentials, and two reads of a constantly written file may both end
    /// too early. The scanner would then miss the secrets in its last lines.
    Untouched,
    /// Equal contents.
    Same,
    /// Equal contents or more: a log that keeps growing was consistent when it was read.
    Grown,
}

enum Failure {
    Reason(Reason),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Bytes, their stamp, and the start time of the check.
type Stamped = (Vec<u8>, Option<(Stamp, i64)>);

/// Tries to read once; returns `None` if the file changed during the read.
fn attempt(
    root: &Beneath,
    path: &RepoPath,
    limit: u64,
    heads: Heads,
    hold: Hold,
) -> Result<Option<Stamped>, Failure> {
    let looked_at = stamps::now();
    let mut file = root.file(path)?;
    let before = file.metadata()?;
    check(&before, limit)?;
    let bytes = contents(&mut file, &before, limit, heads)?;
    let after = file.metadata()?;
    let same = before.len() == after.len()
        && before.modified().ok() == after.modified().ok()
        && stamps::of(&before) == stamps::of(&after)
        && bytes.len() as u64 == after.len();
    if !same {
        return Ok(None);
    }
    let left = until_settled(&after);
    if !left.is_zero() {
        std::thread::sleep(left);
        if !still_holds(root, path, &bytes, &after, hold)? {
            return Ok(None);
        }
    }
    let stamp = stamps::of(&after).map(|stamp| (stamp, looked_at));
    Ok(Some((bytes, stamp)))
}

fn check(meta: &Metadata, limit: u64) -> Result<(), Failure> {
    if !meta.is_file() {
        return Err(Failure::Reason(Reason::Special(special(meta))));
    }
    if meta.len() > limit {
        return Err(Failure::Reason(Reason::TooLarge {
            size: meta.len(),
            limit,
        }));
    }
    Ok(())
}

fn contents(
    file: &mut File,
    meta: &Metadata,
    limit: u64,
    heads: Heads,
) -> Result<Vec<u8>, Failure> {
    let size = usize::try_from(meta.len()).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    if heads == Heads::Decide && size > 8 * HEAD {
        file.take(HEAD as u64).read_to_end(&mut bytes)?;
        if decode::head_is_binary(&bytes) {
            return Err(Failure::Reason(Reason::Binary));
        }
    }
    // One extra byte detects the end of the file without growing the buffer.
    let more = size.saturating_add(1).saturating_sub(bytes.len());
    if bytes.try_reserve_exact(more).is_err() {
        let message = "more than the memory holds".to_owned();
        return Err(Failure::Reason(Reason::Unreadable { message }));
    }
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the time until the last change is old enough. Returns zero for a time in the future,
/// which comes from a wrong clock: whole trees can have one.
fn until_settled(meta: &Metadata) -> Duration {
    let age = meta
        .modified()
        .ok()
        .and_then(|time| SystemTime::now().duration_since(time).ok());
    age.map_or(Duration::ZERO, |age| SETTLED.saturating_sub(age))
}

/// Returns true if the file still has the contents read as `meta`. An empty file that has contents
/// now was about to be written.
fn still_holds(
    root: &Beneath,
    path: &RepoPath,
    bytes: &[u8],
    meta: &Metadata,
    hold: Hold,
) -> io::Result<bool> {
    let limit = match hold {
        Hold::Untouched | Hold::Same => bytes.len() + 1,
        Hold::Grown => bytes.len().max(1),
    };
    let file = root.file(path)?;
    if hold == Hold::Untouched && stamps::of(&file.metadata()?) != stamps::of(meta) {
        return Ok(false);
    }
    let mut again = Vec::with_capacity(bytes.len() + 1);
    file.take(limit as u64).read_to_end(&mut again)?;
    Ok(again == bytes)
}

fn of_io(error: &io::Error) -> Reason {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Reason::Vanished,
        _ => Reason::Unreadable {
            message: plain_message(error),
        },
    }
}

/// Formats an error of the operating system without its number.
pub(crate) fn plain_message(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.to_lowercase()
}

#[cfg(unix)]
fn special(meta: &Metadata) -> SpecialKind {
    use std::os::unix::fs::FileTypeExt;
    let kind = meta.file_type();
    if kind.is_fifo() {
        SpecialKind::Fifo
    } else if kind.is_socket() {
        SpecialKind::Socket
    } else if kind.is_char_device() || kind.is_block_device() {
        SpecialKind::Device
    } else {
        SpecialKind::Other
    }
}

#[cfg(not(unix))]
fn special(_: &Metadata) -> SpecialKind {
    SpecialKind::Other
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;

    fn check(path: &str, bytes: &str, read_as: &str, holds: [bool; 3]) {
        let sandbox = Sandbox::new();
        sandbox
            .write("a", "one two")
            .write("b", "one two")
            .write("empty", "");
        let root = Beneath::open(&sandbox.work()).unwrap();
        let meta = sandbox.path(read_as).metadata().unwrap();
        let file = RepoPath::new(path).unwrap();
        let found = [Hold::Untouched, Hold::Same, Hold::Grown]
            .map(|hold| still_holds(&root, &file, bytes.as_bytes(), &meta, hold).unwrap());
        assert_eq!(found, holds, "{path} read as {bytes:?}");
    }

    #[test]
    fn beginning_of_a_longer_file_holds_only_where_files_may_grow() {
        check("a", "one two", "a", [true, true, true]);
        check("empty", "", "empty", [true, true, true]);
        check("a", "one", "a", [false, false, true]);
        check("a", "", "a", [false, false, false]);
        check("a", "one three", "a", [false, false, false]);
    }

    #[test]
    fn credentials_hold_only_where_the_file_was_not_touched() {
        check("a", "one two", "b", [false, true, true]);
    }
}
