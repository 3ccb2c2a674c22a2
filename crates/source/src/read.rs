//! Reads one file as one consistent version: a file that changes while it is
//! read is read again, and one that never holds still is left out.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use loom_base::{ContentHash, RepoPath, Stamp};

use crate::beneath::Beneath;
use crate::decode::{self, HEAD};
use crate::outcome::{Reason, SpecialKind};
use crate::stamps;

/// How often a file that changes under our hands is tried.
const ATTEMPTS: usize = 4;

/// A file modified more recently may still be in the middle of a write: its writer
/// may have been held up between two pages, and the clock of the file system is too
/// coarse to show that it goes on. Such a file is looked at again when it has settled.
const SETTLED: Duration = Duration::from_millis(100);

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The raw bytes.
    pub bytes: Vec<u8>,
    /// Their hash.
    pub hash: ContentHash,
    /// The version by which the file system knows them, and the time of the look, in
    /// nanoseconds since 1970; `None` where there is no file.
    pub stamp: Option<(Stamp, i64)>,
}

/// Reads the file at `path`, of at most `limit` bytes.
pub(crate) fn read(root: &Beneath, path: &RepoPath, limit: u64) -> Result<Reading, Reason> {
    for _ in 0..ATTEMPTS {
        match attempt(root, path, limit, Heads::Decide) {
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

/// The same for any contents, binary ones too.
pub(crate) fn read_whole(root: &Beneath, path: &RepoPath, limit: u64) -> Result<Vec<u8>, Reason> {
    for _ in 0..ATTEMPTS {
        match attempt(root, path, limit, Heads::Ignored) {
            Ok(Some((bytes, _))) => return Ok(bytes),
            Ok(None) => {}
            Err(Failure::Reason(reason)) => return Err(reason),
            Err(Failure::Io(error)) => return Err(of_io(&error)),
        }
    }
    Err(Reason::KeptChanging)
}

/// Reads a small file of rules. `None` when it is not a plain file of at most
/// `limit` bytes.
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

/// Whether a binary start ends the reading of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    Decide,
    Ignored,
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

/// What was read, of which version, and when the look began.
type Stamped = (Vec<u8>, Option<(Stamp, i64)>);

/// One attempt; `None` when the file changed meanwhile.
fn attempt(
    root: &Beneath,
    path: &RepoPath,
    limit: u64,
    heads: Heads,
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
        if !still_starts_so(root, path, &bytes)? {
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
    // One byte more, so that the end of the file is seen without growing.
    let more = size.saturating_add(1).saturating_sub(bytes.len());
    if bytes.try_reserve_exact(more).is_err() {
        let message = "more than the memory holds".to_owned();
        return Err(Failure::Reason(Reason::Unreadable { message }));
    }
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How long it takes until the last change is past. A time in the future comes from a
/// wrong clock and says nothing: whole trees can have one, and none is waited for.
fn until_settled(meta: &Metadata) -> Duration {
    let age = meta
        .modified()
        .ok()
        .and_then(|time| SystemTime::now().duration_since(time).ok());
    age.map_or(Duration::ZERO, |age| SETTLED.saturating_sub(age))
}

/// Whether the file is what was read, or that and more: a log that grows all the time
/// was as it was read. An empty file that has contents now was about to be written.
fn still_starts_so(root: &Beneath, path: &RepoPath, bytes: &[u8]) -> io::Result<bool> {
    let mut again = Vec::with_capacity(bytes.len() + 1);
    let limit = bytes.len().max(1) as u64;
    root.file(path)?.take(limit).read_to_end(&mut again)?;
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

/// The system's words without the number behind them.
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
