//! The roots that a user named, opened for scanning and reading.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use loom_base::{RepoPath, Stamp};

use crate::copy_folder::CopyFolder;
use crate::native;
use crate::outcome::Reason;
use crate::read::Reading;
use crate::revision;
use crate::root::{self, OpenError, Root};
use crate::scan::{FoundFile, Scan, ScanOptions};
use crate::tree::Tree;
use crate::walk::Walk;

/// Rereads of a file that is empty because a program just truncated it. Editors write right after
/// that, so the delay `BETWEEN_LOOKS` is short.
const LOOKS_AT_EMPTY: usize = 8;
/// Attempts to read a version of a constantly written file.
const LOOKS_AT_VERSIONS: usize = 24;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// One or several roots.
#[derive(Debug)]
pub struct Source {
    trees: Vec<(Root, Arc<Tree>)>,
    /// Temporary copies of remotes.
    copies: Vec<Arc<CopyFolder>>,
    /// Messages about listed paths outside the repository.
    warnings: Vec<String>,
}

/// A commit that replaces a working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Name of its root, if there are several.
    pub tree: Option<String>,
    /// Revision as the user named it.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

impl Source {
    /// Opens the files and directories that the user named. A bare repository has no working tree,
    /// so its commit `HEAD` is opened.
    ///
    /// # Errors
    /// If a path does not exist or cannot be opened.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Self, OpenError> {
        let paths = paths.iter().map(AsRef::as_ref);
        let (bare, paths): (Vec<&Path>, Vec<&Path>) = paths.partition(|path| is_bare(path));
        let open = |root: Root| Tree::open_folder(&root.dir).map(|tree| (root, tree));
        let trees: Result<Vec<_>, _> = root::group(&paths)?.into_iter().map(open).collect();
        let mut trees = trees?;
        trees.extend(revision::open(&bare, "HEAD")?);
        Ok(Self::of(trees))
    }

    /// Opens the named paths in the commit `revision` of their repositories. Does not read the
    /// working tree, which a bare repository lacks.
    ///
    /// # Errors
    /// If a path is in no repository, or the commit or the path in it does not exist.
    pub fn open_revision(paths: &[impl AsRef<Path>], revision: &str) -> Result<Self, OpenError> {
        revision::open(paths, revision).map(Self::of)
    }

    /// Opens the whole commit `revision` of the repository that contains `path`.
    ///
    /// # Errors
    /// If the path is in no repository, or the commit does not exist.
    pub fn open_repository(path: &Path, revision: &str) -> Result<Self, OpenError> {
        revision::open_whole(path, revision).map(|tree| Self::of(vec![tree]))
    }

    /// Joins the roots of several sources.
    #[must_use]
    pub fn join(sources: impl IntoIterator<Item = Self>) -> Self {
        let (mut trees, mut copies, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for source in sources {
            trees.extend(source.trees);
            copies.extend(source.copies);
            warnings.extend(source.warnings);
        }
        Self {
            copies,
            warnings,
            ..Self::of_shared(trees)
        }
    }

    /// Returns the same source with other trees.
    pub(crate) fn map_trees(&self, mut tree: impl FnMut(usize, &Arc<Tree>) -> Arc<Tree>) -> Self {
        let trees = self.trees.iter().enumerate();
        Self {
            trees: trees
                .map(|(number, (root, old))| (root.clone(), tree(number, old)))
                .collect(),
            copies: self.copies.clone(),
            warnings: self.warnings.clone(),
        }
    }

    pub(crate) fn of(trees: Vec<(Root, Tree)>) -> Self {
        let trees = trees.into_iter();
        Self::of_shared(trees.map(|(root, tree)| (root, Arc::new(tree))).collect())
    }

    fn of_shared(mut trees: Vec<(Root, Arc<Tree>)>) -> Self {
        if trees.len() > 1 {
            let mut roots: Vec<_> = trees.iter_mut().map(|(root, _)| root).collect();
            root::name_apart(&mut roots);
        }
        Self {
            trees,
            copies: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(crate) fn of_list(root: Root, tree: Tree, warning: Option<String>) -> Self {
        Self {
            warnings: warning.into_iter().collect(),
            ..Self::of(vec![(root, tree)])
        }
    }

    pub(crate) fn of_copy(root: Root, tree: Tree, folder: CopyFolder) -> Self {
        Self {
            copies: vec![Arc::new(folder)],
            ..Self::of(vec![(root, tree)])
        }
    }

    /// Returns the absolute paths of the roots; for a commit, the directory of its repository.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.trees.iter().map(|(root, _)| root.dir.as_path())
    }

    /// Returns true if every root is still the directory that was opened. A directory that was
    /// moved or replaced must be opened again.
    pub fn is_in_place(&self) -> bool {
        self.trees.iter().all(|(_, tree)| match tree.base() {
            Tree::Folder(beneath) => beneath.is_in_place(),
            _ => true,
        })
    }

    /// Returns the directory that paths in the repository's config file are relative to. Bare
    /// repositories and remotes have none.
    pub fn folder(&self) -> Option<&Path> {
        let (root, tree) = self.trees.first()?;
        match tree.base() {
            Tree::Folder(_) => Some(&root.dir),
            Tree::Commit(commit) => commit.objects().work_tree(),
            Tree::Texts(_) | Tree::Edited { .. } => None,
        }
    }

    /// Returns true if every root is read as a whole.
    pub fn is_whole(&self) -> bool {
        self.trees.iter().all(|(root, _)| {
            let mut scopes = root.scopes.iter();
            scopes.any(|scope| scope.is_dir && scope.path.is_root())
        })
    }

    /// Returns true if a walk of the named paths covers the work tree around each of them.
    pub fn covers_work_trees(&self) -> bool {
        self.trees.iter().all(|(root, tree)| {
            let is_whole = root.names(&RepoPath::root());
            let has_repository = tree.commit().is_some() || root::is_git_top(&root.dir);
            is_whole || !has_repository
        })
    }

    /// Returns the work trees on disk that a walk of the roots does not cover: those of commits,
    /// the one around a submodule, the main one of a linked work tree, and those around named paths
    /// below a root without a repository.
    pub fn outer_work_trees(&self) -> BTreeSet<PathBuf> {
        let mut outer = BTreeSet::new();
        for (root, tree) in &self.trees {
            if let Some(commit) = tree.commit() {
                outer.extend(root::work_trees(commit.objects().work_tree()));
            } else if matches!(tree.base(), Tree::Texts(_)) {
                // No directory is around texts in memory.
            } else if root::is_git_top(&root.dir) {
                outer.extend(root::work_trees(Some(&root.dir)).skip(1));
            } else {
                for scope in &root.scopes {
                    let path = native::below(&root.dir, &scope.path);
                    outer.extend(root::work_trees(root::git_top(&path)));
                }
            }
        }
        outer
    }

    /// Reads the current bytes of a file, at most `limit`. Unlike [`Source::read`], it does not
    /// wait for a stable version. It rereads an empty file a few times, because programs truncate a
    /// file before they write it.
    pub fn read_once(&self, file: &FoundFile, limit: u64) -> Option<Vec<u8>> {
        let read = || self.trees[file.root].1.read_small(&file.relative, limit);
        let mut bytes = read();
        for _ in 0..LOOKS_AT_EMPTY {
            if bytes.as_ref().is_some_and(|bytes| !bytes.is_empty()) {
                break;
            }
            std::thread::sleep(BETWEEN_LOOKS);
            bytes = read().or(bytes);
        }
        bytes
    }

    /// Reads the versions that a file has within a moment, at most `limit` bytes, each once. A
    /// single read of a file that a program rewrites again and again may see only its start.
    pub fn each_version(&self, file: &FoundFile, limit: u64, mut each: impl FnMut(Vec<u8>)) {
        let mut seen = BTreeSet::new();
        for look in 0..LOOKS_AT_VERSIONS {
            if look > 0 {
                std::thread::sleep(BETWEEN_LOOKS);
            }
            let bytes = self.trees[file.root].1.read_small(&file.relative, limit);
            match bytes.filter(|bytes| !bytes.is_empty()) {
                Some(bytes) if seen.insert(*blake3::hash(&bytes).as_bytes()) => each(bytes),
                Some(_) => {}
                // The file is gone, or stays empty.
                None if seen.is_empty() && look >= LOOKS_AT_EMPTY => return,
                None => {}
            }
        }
    }

    /// Returns true if the user named exactly one file.
    pub fn is_one_file(&self) -> bool {
        match self.trees.as_slice() {
            [(root, _)] => matches!(root.scopes.as_slice(), [scope] if !scope.is_dir),
            _ => false,
        }
    }

    /// Returns the commits that replace working trees.
    pub fn revisions(&self) -> Vec<Revision> {
        let several = self.trees.len() > 1;
        let revision = |(root, tree): &(Root, Arc<Tree>)| {
            let commit = tree.commit()?;
            Some(Revision {
                tree: several.then(|| root.prefix.to_string()),
                name: commit.revision.clone(),
                commit: commit.commit.id.to_string(),
            })
        };
        self.trees.iter().filter_map(revision).collect()
    }

    /// Returns a name for the whole source: the names of its roots.
    pub fn name(&self) -> String {
        let shown = |name: &std::ffi::OsStr| RepoPath::new(native::name_bytes(name)).ok();
        let name = |(root, _): &(Root, Arc<Tree>)| match root.label.file_name().and_then(shown) {
            Some(name) => name.display().into_owned(),
            None => "root".to_owned(),
        };
        self.trees.iter().map(name).collect::<Vec<_>>().join(" + ")
    }

    /// Lists the files, sorted by path.
    pub fn scan(&self, options: &ScanOptions) -> Scan {
        let mut scan = Scan {
            has_credentials: options.credentials,
            ..Scan::default()
        };
        scan.warnings.extend(self.warnings.iter().cloned());
        for (number, (root, tree)) in self.trees.iter().enumerate() {
            scan.append(Walk::new(root, tree, number, options).run());
        }
        if self.trees.len() > 1 {
            scan.files.sort_by(|a, b| a.path.cmp(&b.path));
            scan.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        }
        scan
    }

    /// Converts a path that a user typed in the directory `from` to the displayed path: relative to
    /// the directory if it exists there, otherwise to the root. Returns `None` if it is outside.
    pub fn named(&self, typed: &Path, from: &Path) -> Option<RepoPath> {
        let full = revision::lexical(&from.join(typed));
        let inside = |(root, _): &(Root, Arc<Tree>)| {
            let below = native::repo_path(&root.dir, &full)?;
            Some(root.prefix.join(&below))
        };
        let here = self.trees.iter().find_map(inside);
        if here.is_some() && full.exists() {
            return here;
        }
        let below = match self.trees.as_slice() {
            [(root, _)] => {
                let full = revision::lexical(&root.dir.join(typed));
                native::repo_path(&root.dir, &full)
            }
            // With several roots, a path starts with the name of its root.
            _ => {
                let text = native::name_bytes(typed.as_os_str());
                let text = text.strip_prefix(b"./").unwrap_or(&text);
                RepoPath::new(text.strip_suffix(b"/").unwrap_or(text)).ok()
            }
        };
        below.or(here)
    }

    /// Reads one file, at most `limit` bytes.
    ///
    /// # Errors
    /// The reason for skipping the file.
    pub fn read(&self, file: &FoundFile, limit: u64) -> Result<Reading, Reason> {
        let (_, tree) = &self.trees[file.root];
        tree.read(file, limit)
    }

    /// Reads a small plain file in the root, such as a config file. Returns `None` if it is missing
    /// or a link, or if there are several roots.
    pub fn read_at_top(&self, name: &str, limit: u64) -> Option<TopFile> {
        let [(_, tree)] = self.trees.as_slice() else {
            return None;
        };
        let path = RepoPath::new(name).ok()?;
        if let Some(bytes) = tree.read_small(&path, limit) {
            return Some(TopFile::Bytes(bytes));
        }
        let size = tree.size(&path)?;
        (size > limit).then_some(TopFile::TooLarge(size))
    }

    /// Returns the stamps of `files`, which are sorted by path; `None` for everything but plain
    /// files on disk.
    pub fn stamps(&self, files: &[FoundFile]) -> Vec<Option<Stamp>> {
        let mut stamps = Vec::with_capacity(files.len());
        let folder_of = |file: &FoundFile| (file.root, file.relative.parent());
        for group in files.chunk_by(|a, b| folder_of(a) == folder_of(b)) {
            let Some(first) = group.first() else {
                continue;
            };
            let (_, tree) = &self.trees()[first.root];
            let above = first.relative.parent().unwrap_or_else(RepoPath::root);
            let Tree::Folder(beneath) = tree.base() else {
                stamps.extend(group.iter().map(|_| None));
                continue;
            };
            let names = group.iter().map(|file| file.relative.file_name());
            let found = beneath.stamps(&above, names).into_iter().zip(group);
            // An edit has no stamp.
            let is_on_disk = |file: &FoundFile| tree.folder_of(&file.relative).is_some();
            stamps.extend(found.map(|(stamp, file)| stamp.filter(|_| is_on_disk(file))));
        }
        stamps
    }

    /// Returns the index of the root and the path of a file on disk; `None` for a file of a commit
    /// and a text in memory.
    pub fn place<'a>(&self, file: &'a FoundFile) -> Option<(usize, &'a RepoPath)> {
        let (_, tree) = &self.trees()[file.root];
        tree.folder_of(&file.relative)?;
        Some((file.root, &file.relative))
    }

    pub(crate) fn trees(&self) -> &[(Root, Arc<Tree>)] {
        &self.trees
    }
}

/// A small file in a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopFile {
    /// Its contents.
    Bytes(Vec<u8>),
    /// It has this size, which exceeds the caller's limit.
    TooLarge(u64),
}

/// Returns true if `path` is a bare repository.
fn is_bare(path: &Path) -> bool {
    let is_inside = path.ends_with(".git");
    let [objects, refs] = ["objects", "refs"].map(|name| path.join(name).is_dir());
    !is_inside && objects && refs && path.join("HEAD").is_file() && !path.join(".git").exists()
}
