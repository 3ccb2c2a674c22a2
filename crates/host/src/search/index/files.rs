//! The files of the index: reading, writing and removing them.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use loom_search::Segment;
use memmap2::Mmap;

use super::Location;
use crate::cache::revision;

/// Returns the directory name of this build. Builds may differ in their definition of a secret, a
/// symbol or a word, so they do not share an index.
pub(in crate::search) fn folder_name() -> String {
    format!("{PREFIX}{:08x}", revision())
}

const PREFIX: &str = "search-";
/// Age after which the index of another build is removed.
const UNUSED: Duration = Duration::from_secs(7 * 86_400);
const MAGIC: &[u8; 8] = b"LOOMTREE";
/// Minimum age of an unreferenced segment before it is removed: another process may be about to
/// reference it.
const GRACE: Duration = Duration::from_secs(3600);
/// Maximum size of all indexes together in bytes. Those of the least recently updated roots are
/// removed.
const MOST: u64 = 2_000_000_000;

impl Location {
    fn tree_file(&self) -> PathBuf {
        self.folder.join(format!("{}.tree", self.tree))
    }

    fn context_file(&self) -> PathBuf {
        self.folder.join(format!("{}.context", self.tree))
    }

    /// Opens the stored context data of the root.
    pub(crate) fn context(&self) -> Option<Mmap> {
        open_map(&self.context_file())
    }

    /// Stores the context data of the root.
    pub(crate) fn keep_context(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write_with(&self.folder, &self.context_file(), write)?;
        tidy(self);
        Ok(())
    }

    fn segment_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.segment"))
    }
}

impl Location {
    fn last_written(&self) -> SystemTime {
        modified(&self.tree_file()).max(modified(&self.context_file()))
    }
}

/// Reads the names of a root's segments.
pub(super) fn read_tree(location: &Location) -> Option<Vec<String>> {
    let bytes = open_map(&location.tree_file())?;
    let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
    if blake3::hash(rest).as_bytes() != sum {
        return None;
    }
    let (count, mut rest) = rest.split_first_chunk::<4>()?;
    let mut names = Vec::new();
    for _ in 0..u32::from_le_bytes(*count) {
        let (name, behind) = rest.split_first_chunk::<32>()?;
        let name = std::str::from_utf8(name).ok()?;
        // The name becomes part of a path.
        name.bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then_some(())?;
        names.push(name.to_owned());
        rest = behind;
    }
    rest.is_empty().then_some(names)
}

pub(super) fn write_tree(location: &Location, names: &[String]) -> io::Result<()> {
    let mut body = (names.len() as u32).to_le_bytes().to_vec();
    for name in names {
        body.extend_from_slice(name.as_bytes());
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(blake3::hash(&body).as_bytes());
    bytes.extend_from_slice(&body);
    write_whole(&location.folder, &location.tree_file(), &bytes)
}

/// Writes a segment. Returns its name.
pub(super) fn write_segment(location: &Location, bytes: &[u8]) -> io::Result<String> {
    let name = blake3::hash(bytes).to_hex()[..32].to_owned();
    let file = location.segment_file(&name);
    if !file.exists() {
        write_whole(&location.folder, &file, bytes)?;
    }
    Ok(name)
}

/// Opens a segment; `None` if it is missing or damaged. Removes a damaged one.
pub(super) fn open_segment(location: &Location, name: &str) -> Option<Segment<Mmap>> {
    let path = location.segment_file(name);
    let bytes = open_map(&path)?;
    match Segment::open(bytes) {
        Ok(segment) => Some(segment),
        Err(_) => {
            let _ = fs::remove_file(&path);
            None
        }
    }
}

/// Maps a file. It ignores anything but a regular file: opening a pipe would block.
pub(super) fn open_map(path: &Path) -> Option<Mmap> {
    let is_file = fs::symlink_metadata(path).ok()?.is_file();
    map(&is_file.then(|| File::open(path).ok()).flatten()?)
}

/// Maps a file, because most of a segment is never read.
#[expect(unsafe_code, reason = "a file is mapped")]
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: files of segments are written under another name, renamed and then never changed,
    // only removed, which leaves the mapping intact. Only the user's own processes can write to the
    // directory.
    unsafe { Mmap::map(file) }.ok()
}

/// Returns the names of all segments of all roots.
pub(super) fn all_segments(location: &Location) -> Vec<String> {
    let mut names = names_in(&location.folder, "segment");
    names.sort();
    names
}

pub(super) fn names_in(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let stems = names.filter_map(|name| Some(name.strip_suffix(&format!(".{ending}"))?.to_owned()));
    stems.collect()
}

/// Creates a directory that other users cannot read, because it describes repositories.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Writes a file whole or not at all, and so that it survives a power failure.
fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(folder, path, |out| out.write_all(bytes))
}

/// Writes a file in the same way with a callback.
fn write_with(
    folder: &Path,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    private_folder(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .tempfile_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes unreferenced segments, and the indexes of the least recently updated roots if all
/// indexes together are too large.
pub(super) fn tidy(location: &Location) {
    remove_unused(location);
    let folder = &location.folder;
    let names: BTreeSet<String> = ["tree", "context"]
        .iter()
        .flat_map(|ending| names_in(folder, ending))
        .collect();
    let mut trees: Vec<(SystemTime, Location)> = names
        .into_iter()
        .map(|tree| Location {
            folder: folder.clone(),
            tree,
        })
        .map(|other| (other.last_written(), other))
        .collect();
    trees.sort_by(|(left, _), (right, _)| right.cmp(left));
    let (mut needed, mut size) = (HashSet::new(), 0);
    for (_, other) in trees {
        let names = read_tree(&other).unwrap_or_default();
        let new: Vec<_> = names
            .into_iter()
            .filter(|name| !needed.contains(name))
            .collect();
        let more: u64 = new
            .iter()
            .map(|name| location.segment_file(name))
            .chain([other.context_file()])
            .filter_map(|file| fs::metadata(file).ok())
            .map(|meta| meta.len())
            .sum();
        if size + more > MOST && other.tree != location.tree {
            let _ = fs::remove_file(other.tree_file());
            let _ = fs::remove_file(other.context_file());
            continue;
        }
        size += more;
        needed.extend(new);
    }
    let now = SystemTime::now();
    for name in names_in(folder, "segment")
        .into_iter()
        .filter(|name| !needed.contains(name))
    {
        let path = location.segment_file(&name);
        let age = now.duration_since(modified(&path)).unwrap_or_default();
        if age > GRACE {
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes the indexes of all roots from a cache directory. Returns the number of bytes freed.
///
/// # Errors
/// If a file cannot be removed.
pub fn remove_search_index(cache: &Path) -> io::Result<u64> {
    let mut freed = 0;
    for folder in folders_in(cache) {
        freed += remove_own(&folder)?;
    }
    Ok(freed)
}

/// Returns the size of the indexes of all roots in a cache directory.
pub fn search_index_bytes(cache: &Path) -> u64 {
    let folders = folders_in(cache).into_iter();
    let files = folders.flat_map(|folder| own_files(&folder));
    files
        .filter_map(|file| fs::metadata(file).ok())
        .map(|meta| meta.len())
        .sum()
}

/// Returns the index directories of all builds.
fn folders_in(cache: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let is_ours = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(PREFIX) && entry.path().is_dir()
    };
    entries.filter(is_ours).map(|entry| entry.path()).collect()
}

fn own_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let name = path.file_name().and_then(|name| name.to_str());
        matches!(ending, Some("segment" | "tree" | "context"))
            || name.is_some_and(|name| name.starts_with(".new-"))
    };
    entries.map(|entry| entry.path()).filter(is_ours).collect()
}

/// Removes an index, but no other files in its directory.
fn remove_own(folder: &Path) -> io::Result<u64> {
    let mut freed = 0;
    for file in own_files(folder) {
        let size = fs::metadata(&file).map_or(0, |meta| meta.len());
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => freed += size,
        }
    }
    let _ = fs::remove_dir(folder);
    Ok(freed)
}

/// Removes unused indexes of other builds.
fn remove_unused(location: &Location) {
    let now = SystemTime::now();
    let others = location.folder.parent().map(folders_in).unwrap_or_default();
    for folder in others.iter().filter(|folder| **folder != location.folder) {
        let newest = own_files(folder).iter().map(|file| modified(file)).max();
        let age = newest.and_then(|newest| now.duration_since(newest).ok());
        if age.is_none_or(|age| age > UNUSED) {
            let _ = remove_own(folder);
        }
    }
}

fn modified(path: &Path) -> SystemTime {
    let time = fs::metadata(path).and_then(|meta| meta.modified());
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests;
