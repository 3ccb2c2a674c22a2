//! The index of a root on disk: segments named by their hash and shared by all roots, and for each
//! root a list of its segments. The store knows which contents are alive. Every file is written
//! under another name and renamed, so that other processes never see a partial one. Missing and
//! damaged files are ignored: files that are not indexed are read.

mod build;
mod files;
mod verify;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use loom_base::{ContentHash, RepoPath};
use loom_search::{Candidates, Segment};
use loom_syntax::Language;
use memmap2::Mmap;

use super::freshness::NO_TEXT;
use crate::Packer;

pub use build::Built;
pub(crate) use build::IndexUpdate;
pub(super) use files::folder_name;
pub use files::{remove_search_index, search_index_bytes};
pub use verify::IndexVerified;
pub(crate) use verify::verify_index_files;

/// The index of one root.
#[derive(Debug, Default)]
pub(crate) struct Index {
    segments: Vec<Named>,
    /// Position of each content.
    places: HashMap<ContentHash, Place>,
}

/// A segment with the name of its file.
#[derive(Debug)]
struct Named {
    name: String,
    segment: Segment<Mmap>,
}

/// Position of a content: segment and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) segment: u32,
    pub(super) content: u32,
}

/// Returns a hash of the properties of a path that affect scanning and parsing: the language by its
/// name, and its role, such as test or example, in which other values are secrets.
fn seen_as(path: &RepoPath) -> u32 {
    let language = Language::detect(path, "").map_or("", Language::id);
    let place = loom_secrets::TextContext::new(&path.display());
    let hash = blake3::hash(format!("{language} {place:?}").as_bytes());
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&hash.as_bytes()[..4]);
    u32::from_le_bytes(bytes)
}

/// Location of a root's index.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    folder: PathBuf,
    /// Name of the root's own files.
    tree: String,
}

impl Location {
    /// Returns the location for a packer with a single directory on disk as root, if there is a
    /// cache.
    pub(crate) fn of(packer: &Packer) -> Option<Self> {
        let roots: Vec<&Path> = packer.source.roots().collect();
        let [root] = roots.as_slice() else {
            return None;
        };
        // Commits and texts in memory are not directories on disk.
        let is_on_disk = packer.source.folder().is_some();
        if !is_on_disk || !packer.source.revisions().is_empty() || packer.source.is_one_file() {
            return None;
        }
        let folder = packer.options.cache.as_ref()?.folder.as_ref()?;
        Some(Self::new(&folder.join(folder_name()), root))
    }

    /// Returns the location for the directory at `root`.
    pub(super) fn new(folder: &Path, root: &Path) -> Self {
        let name = blake3::hash(root.as_os_str().as_encoded_bytes());
        Self {
            folder: folder.to_owned(),
            tree: name.to_hex()[..32].to_owned(),
        }
    }
}

impl Index {
    /// Opens the index. Missing and damaged segments are ignored.
    pub(super) fn open(location: &Location) -> Self {
        let mut index = Self::default();
        for name in files::read_tree(location).unwrap_or_default() {
            if let Some(segment) = files::open_segment(location, &name) {
                index.add(name, segment);
            }
        }
        index
    }

    fn add(&mut self, name: String, segment: Segment<Mmap>) {
        let number = self.segments.len() as u32;
        for content in 0..segment.len() {
            if let Some(hash) = segment.hash(content) {
                let place = Place {
                    segment: number,
                    content: content as u32,
                };
                self.places.entry(hash).or_insert(place);
            }
        }
        self.segments.push(Named { name, segment });
    }

    pub(super) fn place(&self, hash: &ContentHash) -> Option<Place> {
        self.places.get(hash).copied()
    }

    pub(super) fn hash(&self, place: Place) -> Option<ContentHash> {
        let named = self.segments.get(place.segment as usize)?;
        named.segment.hash(place.content as usize)
    }

    /// Returns true if the content was redacted before indexing, so that every query must read it.
    pub(super) fn is_always(&self, place: Place) -> bool {
        let named = self.segments.get(place.segment as usize);
        named.is_none_or(|named| named.segment.is_always(place.content as usize))
    }

    /// Returns true if the content need not be read.
    pub(super) fn knows(&self, hash: &ContentHash) -> bool {
        *hash == NO_TEXT || self.places.contains_key(hash)
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment<Mmap>> {
        self.segments.iter().map(|named| &named.segment)
    }

    /// Returns, for each segment, which contents can match; all contents of a damaged one.
    pub(super) fn candidates(&self, candidates: &Candidates) -> Vec<Vec<bool>> {
        let of = |segment: &Segment<Mmap>| {
            let found = candidates.of(segment);
            found.unwrap_or_else(|_| vec![true; segment.len()])
        };
        self.segments().map(of).collect()
    }

    /// Returns true if the index entry of a content applies to a file at this path: the content was
    /// indexed for such a path, and not redacted.
    pub(super) fn holds_for(&self, place: Place, path: &RepoPath) -> bool {
        let (segment, content) = (place.segment as usize, place.content as usize);
        self.segments.get(segment).is_some_and(|named| {
            let segment = &named.segment;
            !segment.is_always(content) && segment.seen_as(content) == Some(seen_as(path))
        })
    }

    /// Returns the size of the index and of its texts in bytes.
    pub(super) fn size(&self) -> (u64, u64) {
        let sizes = self
            .segments()
            .map(|segment| (segment.size() as u64, segment.text_bytes()));
        sizes.fold((0, 0), |(size, text), (one, of)| (size + one, text + of))
    }
}
