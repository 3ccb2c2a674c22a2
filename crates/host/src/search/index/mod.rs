//! The index of a tree on disk: segments by their own hash, shared by all trees, and
//! for each tree a list of the segments that it needs. Which contents are alive is the
//! store's to know. Every file is written whole under another name and renamed, so that readers
//! and other writers never see a part of one. What is missing or damaged is left out:
//! files that the index does not know are read.

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

/// The index of one tree.
#[derive(Debug, Default)]
pub(crate) struct Index {
    segments: Vec<Named>,
    /// Where a content is: segment, number.
    places: HashMap<ContentHash, Place>,
}

/// A segment with the name of its file.
#[derive(Debug)]
struct Named {
    name: String,
    segment: Segment<Mmap>,
}

/// A content in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) segment: u32,
    pub(super) content: u32,
}

/// What of a path decides how a text is looked at: the language that it tells, and
/// whether it is a test, an example or the like, where other things are secrets.
fn seen_as(path: &RepoPath) -> u32 {
    let language = Language::detect(path, "").map_or("", Language::id);
    let place = loom_secrets::Place::of(&path.display());
    let hash = blake3::hash(format!("{language} {place:?}").as_bytes());
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&hash.as_bytes()[..4]);
    u32::from_le_bytes(bytes)
}

/// Where the index of a tree is kept.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    folder: PathBuf,
    /// The name of the tree's own file.
    tree: String,
}

impl Location {
    /// For the files of a packer: one folder on disk has one.
    pub(crate) fn of(packer: &Packer) -> Option<Self> {
        let roots: Vec<&Path> = packer.source.roots().collect();
        let [root] = roots.as_slice() else {
            return None;
        };
        // A commit and texts in memory are no directory on disk.
        let is_on_disk = packer.source.folder().is_some();
        if !is_on_disk || !packer.source.revisions().is_empty() || packer.source.is_one_file() {
            return None;
        }
        let folder = packer.options.cache.as_ref()?.folder.as_ref()?;
        Some(Self::new(&folder.join(folder_name()), root))
    }

    /// For the tree at `root`.
    pub(super) fn new(folder: &Path, root: &Path) -> Self {
        let name = blake3::hash(root.as_os_str().as_encoded_bytes());
        Self {
            folder: folder.to_owned(),
            tree: name.to_hex()[..32].to_owned(),
        }
    }
}

impl Index {
    /// What there is of it; nothing where there is none.
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

    /// Whether something was taken out of the content before it was indexed.
    pub(super) fn is_always(&self, place: Place) -> bool {
        let named = self.segments.get(place.segment as usize);
        named.is_none_or(|named| named.segment.is_always(place.content as usize))
    }

    /// Whether the content needs not be read to know what is in it.
    pub(super) fn knows(&self, hash: &ContentHash) -> bool {
        *hash == NO_TEXT || self.places.contains_key(hash)
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment<Mmap>> {
        self.segments.iter().map(|named| &named.segment)
    }

    /// Of each segment, the contents that can match; all of one that is damaged.
    pub(super) fn candidates(&self, candidates: &Candidates) -> Vec<Vec<bool>> {
        let of = |segment: &Segment<Mmap>| {
            let found = candidates.of(segment);
            found.unwrap_or_else(|_| vec![true; segment.len()])
        };
        self.segments().map(of).collect()
    }

    /// Whether what the index says of a content holds for a file at that path: it was
    /// looked at as the file is, and nothing was taken out of it.
    pub(super) fn holds_for(&self, place: Place, path: &RepoPath) -> bool {
        let (segment, content) = (place.segment as usize, place.content as usize);
        self.segments.get(segment).is_some_and(|named| {
            let segment = &named.segment;
            !segment.is_always(content) && segment.seen_as(content) == Some(seen_as(path))
        })
    }

    /// How large it is, and the texts that it is about.
    pub(super) fn size(&self) -> (u64, u64) {
        let sizes = self
            .segments()
            .map(|segment| (segment.size() as u64, segment.text_bytes()));
        sizes.fold((0, 0), |(size, text), (one, of)| (size + one, text + of))
    }
}
