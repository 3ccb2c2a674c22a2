//! Files in memory: the texts of a tree without a directory, and edits over the files of another
//! tree. This module does not decide which files are included: the rules of a walk apply to these
//! files, too.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};

use crate::entry::{Contents, Entry, EntryKind};
use crate::outcome::Reason;
use crate::read::Reading;

/// Files by path. A path may also be marked as removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextFiles {
    files: BTreeMap<RepoPath, Option<TextFile>>,
}

/// A file in memory.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    bytes: Arc<[u8]>,
    hash: ContentHash,
}

impl TextFile {
    fn new(text: &str) -> Self {
        Self {
            bytes: text.as_bytes().into(),
            hash: ContentHash::from_bytes(*blake3::hash(text.as_bytes()).as_bytes()),
        }
    }

    pub(crate) fn contents(&self) -> Contents {
        Contents {
            text_hash: Some(self.hash),
            ..Contents::default()
        }
    }

    /// Reads the file, of at most `limit` bytes.
    pub(crate) fn read(&self, limit: u64) -> Result<Reading, Reason> {
        let size = self.size();
        if size > limit {
            return Err(Reason::TooLarge { size, limit });
        }
        Ok(Reading {
            bytes: self.bytes.to_vec(),
            hash: self.hash,
            stamp: None,
        })
    }

    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// Result of looking up a path in memory.
pub(crate) enum Found<'f> {
    /// Not in memory; another tree may contain the path.
    Unknown,
    /// The path, or a directory above it, was removed.
    Removed,
    /// A directory with files in memory.
    Directory,
    /// A file.
    File(&'f TextFile),
}

impl TextFiles {
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns all paths, in order; `None` for a removed one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RepoPath, Option<&TextFile>)> {
        self.files.iter().map(|(path, file)| (path, file.as_ref()))
    }

    /// Copies an entry of another list.
    pub(crate) fn insert(&mut self, path: RepoPath, file: Option<&TextFile>) {
        self.files.insert(path, file.cloned());
    }

    /// Adds a text at a new path.
    pub(crate) fn add(&mut self, path: RepoPath, text: &str) {
        self.files.insert(path, Some(TextFile::new(text)));
    }

    /// Stores a text at `path`. If a parent of `path` is a file, listings show a directory instead.
    pub(crate) fn put(&mut self, path: RepoPath, text: &str) {
        self.forget(&path);
        self.files.insert(path, Some(TextFile::new(text)));
    }

    /// Marks `path` as removed, with everything below it.
    pub(crate) fn remove(&mut self, path: RepoPath) {
        self.forget(&path);
        self.files.insert(path, None);
    }

    /// Drops the entries of `path` and of everything below it.
    pub(crate) fn forget(&mut self, path: &RepoPath) {
        self.files.retain(|file, _| !file.starts_with(path));
    }

    pub(crate) fn find(&self, path: &RepoPath) -> Found<'_> {
        match self.files.get(path) {
            Some(Some(file)) => return Found::File(file),
            _ if self.below(path).any(|(_, file)| file.is_some()) => return Found::Directory,
            Some(None) => return Found::Removed,
            None => {}
        }
        // The nearest path above decides.
        let mut above = path.parent();
        while let Some(path) = above {
            match self.files.get(&path) {
                Some(_) => return Found::Removed,
                None => above = path.parent(),
            }
        }
        Found::Unknown
    }

    /// Merges the entries of the directory `path` into those of another tree. Returns `None` if
    /// neither has the directory.
    pub(crate) fn list(&self, path: &RepoPath, base: Option<Vec<Entry>>) -> Option<Vec<Entry>> {
        let is_hidden = self.hides(path);
        let base = base.filter(|_| !is_hidden);
        let is_here = base.is_some() || matches!(self.find(path), Found::Directory);
        let mut entries: BTreeMap<Vec<u8>, Entry> = base
            .into_iter()
            .flatten()
            .map(|entry| (entry.name.clone(), entry))
            .collect();
        for (file, text) in self.below(path) {
            let Some(name) = name_below(file, path) else {
                continue;
            };
            let is_direct = path.child(name).is_ok_and(|child| child == *file);
            let (kind, contents) = match (is_direct, text) {
                (true, Some(text)) => (EntryKind::File, text.contents()),
                (true, None) => {
                    entries.remove(name);
                    continue;
                }
                (false, Some(_)) => (EntryKind::Folder, Contents::default()),
                (false, None) => continue,
            };
            let entry = Entry {
                name: name.to_vec(),
                kind,
                contents,
            };
            entries.insert(name.to_vec(), entry);
        }
        is_here.then(|| entries.into_values().collect())
    }

    /// Returns true if the files in memory hide those of other trees at `path`.
    fn hides(&self, path: &RepoPath) -> bool {
        let mut at = Some(path.clone());
        while let Some(path) = at {
            if self.files.contains_key(&path) {
                return true;
            }
            at = path.parent();
        }
        false
    }

    /// Returns the files below `path`, in order, without `path` itself.
    fn below(&self, path: &RepoPath) -> Below<'_> {
        let start = Bound::Excluded(path.clone());
        Below {
            rest: self.files.range((start, Bound::Unbounded)),
            above: path.clone(),
        }
    }
}

/// Iterator over the files below a directory, which follow it in the order of paths.
struct Below<'f> {
    rest: Range<'f, RepoPath, Option<TextFile>>,
    above: RepoPath,
}

impl<'f> Iterator for Below<'f> {
    type Item = (&'f RepoPath, &'f Option<TextFile>);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.rest.next()?;
        next.0.starts_with(&self.above).then_some(next)
    }
}

/// Returns the first component of `file` below the directory `above`.
fn name_below<'p>(file: &'p RepoPath, above: &RepoPath) -> Option<&'p [u8]> {
    file.components().nth(above.components().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn entry(name: &str, kind: EntryKind) -> Entry {
        Entry {
            name: name.into(),
            kind,
            contents: Contents::default(),
        }
    }

    fn names(files: &TextFiles, at: &str, base: Option<Vec<Entry>>) -> Option<Vec<String>> {
        let entries = files.list(&path(at), base)?;
        let name = |entry: Entry| {
            let slash = if entry.kind == EntryKind::Folder {
                "/"
            } else {
                ""
            };
            String::from_utf8(entry.name).unwrap() + slash
        };
        Some(entries.into_iter().map(name).collect())
    }

    #[test]
    fn files_make_their_directories() {
        let mut files = TextFiles::default();
        files.put(path("src/shop/tax.py"), "");
        files.put(path("src.py"), "");
        assert_eq!(names(&files, "", None).unwrap(), ["src/", "src.py"]);
        assert_eq!(names(&files, "src", None).unwrap(), ["shop/"]);
        assert_eq!(names(&files, "src/shop", None).unwrap(), ["tax.py"]);
        assert_eq!(names(&files, "lib", None), None);
        assert!(matches!(files.find(&path("src")), Found::Directory));
        assert!(matches!(
            files.find(&path("src/shop/tax.py")),
            Found::File(_)
        ));
        assert!(matches!(files.find(&path("src.py/x")), Found::Removed));
        assert!(matches!(files.find(&path("lib")), Found::Unknown));
    }

    #[test]
    fn edits_lie_over_another_tree() {
        let mut files = TextFiles::default();
        files.put(path("a"), "new");
        files.remove(path("b"));
        files.remove(path("dir"));
        files.put(path("dir/kept"), "");
        let base = || {
            let files = ["a", "b", "c"].map(|name| entry(name, EntryKind::File));
            let mut base = Vec::from(files);
            base.push(entry("dir", EntryKind::Folder));
            Some(base)
        };
        assert_eq!(names(&files, "", base()).unwrap(), ["a", "c", "dir/"]);
        // Nothing else of a removed directory comes back.
        assert_eq!(names(&files, "dir", base()).unwrap(), ["kept"]);
        assert!(matches!(files.find(&path("dir/other")), Found::Removed));
        files.forget(&path("dir"));
        assert_eq!(names(&files, "dir", base()).unwrap().len(), 4);
    }
}
