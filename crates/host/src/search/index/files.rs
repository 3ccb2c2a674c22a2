//! The files of the index: reading, writing and removing them.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use loom_search::Segment;
use memmap2::Mmap;

use super::Location;

/// Counts up with every change of a layout, so that old files are left alone.
pub(in crate::search) const FOLDER: &str = "search-2";
const MAGIC: &[u8; 8] = b"LOOMTREE";
/// A segment that no tree names may have been written by somebody who is about to.
const GRACE: Duration = Duration::from_secs(3600);
/// What all indexes together may take; the trees that were not used for longest go.
const MOST: u64 = 2_000_000_000;

impl Location {
    fn tree_file(&self) -> PathBuf {
        self.folder.join(format!("{}.tree", self.tree))
    }

    fn segment_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.segment"))
    }
}

/// The segments of a tree.
pub(super) fn read_tree(location: &Location) -> Option<Vec<String>> {
    let bytes = fs::read(location.tree_file()).ok()?;
    let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
    if blake3::hash(rest).as_bytes() != sum {
        return None;
    }
    let (count, mut rest) = rest.split_first_chunk::<4>()?;
    let mut names = Vec::new();
    for _ in 0..u32::from_le_bytes(*count) {
        let (name, behind) = rest.split_first_chunk::<32>()?;
        let name = std::str::from_utf8(name).ok()?;
        // It becomes the name of a file.
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

/// Writes a segment and says its name.
pub(super) fn write_segment(location: &Location, bytes: &[u8]) -> io::Result<String> {
    let name = blake3::hash(bytes).to_hex()[..32].to_owned();
    let file = location.segment_file(&name);
    if !file.exists() {
        write_whole(&location.folder, &file, bytes)?;
    }
    Ok(name)
}

/// A segment; `None` where it is not there or damaged, and then it is removed.
pub(super) fn open_segment(location: &Location, name: &str) -> Option<Segment<Mmap>> {
    let path = location.segment_file(name);
    let file = File::open(&path).ok()?;
    let bytes = map(&file)?;
    match Segment::open(bytes) {
        Ok(segment) => Some(segment),
        Err(_) => {
            let _ = fs::remove_file(&path);
            None
        }
    }
}

/// A segment is used as it lies on disk: most of it is never read.
#[expect(unsafe_code, reason = "a file is mapped")]
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: files of segments are written under another name, renamed and then never
    // changed, only removed, which leaves the mapping as it is. Only the user's own
    // processes can write to the folder.
    unsafe { Mmap::map(file) }.ok()
}

/// The names of all segments, of every tree.
pub(super) fn all_segments(location: &Location) -> Vec<String> {
    let mut names = names_in(&location.folder, "segment");
    names.sort();
    names
}

fn names_in(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let stems = names.filter_map(|name| Some(name.strip_suffix(&format!(".{ending}"))?.to_owned()));
    stems.collect()
}

/// The file appears whole or not at all, and stays after a power cut.
fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes segments that no tree needs, and trees that were not used for longest while
/// all take too much.
pub(super) fn tidy(location: &Location) {
    let folder = &location.folder;
    let mut trees: Vec<(SystemTime, String)> = names_in(folder, "tree")
        .into_iter()
        .map(|name| (modified(&folder.join(format!("{name}.tree"))), name))
        .collect();
    trees.sort();
    trees.reverse();
    let (mut needed, mut size) = (HashSet::new(), 0);
    for (_, tree) in trees {
        let other = Location {
            folder: folder.clone(),
            tree,
        };
        let names = read_tree(&other).unwrap_or_default();
        let new: Vec<_> = names
            .into_iter()
            .filter(|name| !needed.contains(name))
            .collect();
        let more: u64 = new
            .iter()
            .filter_map(|name| fs::metadata(location.segment_file(name)).ok())
            .map(|meta| meta.len())
            .sum();
        if size + more > MOST && other.tree != location.tree {
            let _ = fs::remove_file(other.tree_file());
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

/// Removes the indexes of all trees from a cache folder; says how many bytes they had.
///
/// # Errors
/// When a file cannot be removed.
pub fn remove_search_index(cache: &Path) -> io::Result<u64> {
    let folder = cache.join(FOLDER);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let freed = entries.filter_map(|entry| Some(entry.metadata().ok()?.len()));
    let freed = freed.sum();
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(freed),
    }
}

fn modified(path: &Path) -> SystemTime {
    let time = fs::metadata(path).and_then(|meta| meta.modified());
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}
