//! The trees that a user named, opened for scanning and reading.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
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

/// How often a file that is empty while a program writes it is read again, and how long to
/// wait in between: editors write at once after they have emptied a file.
const LOOKS_AT_EMPTY: usize = 8;
/// How often a file that is being written all the time is read for one of its versions.
const LOOKS_AT_VERSIONS: usize = 24;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// One or several trees of files.
#[derive(Debug)]
pub struct Source {
    trees: Vec<(Root, Tree)>,
    /// Where copies of remotes are.
    copies: Vec<CopyFolder>,
    /// What of a list lies elsewhere.
    warnings: Vec<String>,
}

/// A commit that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The name of its tree, where there are several trees.
    pub tree: Option<String>,
    /// As the user named it.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

impl Source {
    /// Opens what the user named: folders, files, or both. Of a bare repository, which
    /// has no files of its own to show, the commit `HEAD` is meant.
    ///
    /// # Errors
    /// When a path does not exist or cannot be opened.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Self, OpenError> {
        let paths = paths.iter().map(AsRef::as_ref);
        let (bare, paths): (Vec<&Path>, Vec<&Path>) = paths.partition(|path| is_bare(path));
        let open = |root: Root| Tree::open_folder(&root.dir).map(|tree| (root, tree));
        let trees: Result<Vec<_>, _> = root::group(&paths)?.into_iter().map(open).collect();
        let mut trees = trees?;
        trees.extend(revision::open(&bare, "HEAD")?);
        Ok(Self::of(trees))
    }

    /// Opens what the user named as the commit `revision` of its repository has it.
    /// The working tree is not read; a bare repository has none.
    ///
    /// # Errors
    /// When a path lies in no repository, there is no such commit, or it has no such
    /// path.
    pub fn open_revision(paths: &[impl AsRef<Path>], revision: &str) -> Result<Self, OpenError> {
        revision::open(paths, revision).map(Self::of)
    }

    /// Opens the whole commit `revision` of the repository that `path` lies in.
    ///
    /// # Errors
    /// When it lies in no repository, or there is no such commit.
    pub fn open_repository(path: &Path, revision: &str) -> Result<Self, OpenError> {
        revision::open_whole(path, revision).map(|tree| Self::of(vec![tree]))
    }

    /// All trees of several sources.
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
            ..Self::of(trees)
        }
    }

    fn of(mut trees: Vec<(Root, Tree)>) -> Self {
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
            copies: vec![folder],
            ..Self::of(vec![(root, tree)])
        }
    }

    /// The folders at the top of the trees, as absolute paths; those of commits are
    /// where their repositories are.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.trees.iter().map(|(root, _)| root.dir.as_path())
    }

    /// Whether every folder that was opened still lies where it was. One that was moved
    /// or made anew has to be opened again.
    pub fn is_in_place(&self) -> bool {
        self.trees.iter().all(|(_, tree)| match tree {
            Tree::Folder(beneath) => beneath.is_in_place(),
            Tree::Commit(_) => true,
        })
    }

    /// The folder that paths of the repository's own settings start from. A bare
    /// repository has none, and neither has a remote.
    pub fn folder(&self) -> Option<&Path> {
        let (root, tree) = self.trees.first()?;
        match tree {
            Tree::Folder(_) => Some(&root.dir),
            Tree::Commit(commit) => commit.objects().work_tree(),
        }
    }

    /// Whether the whole of every tree is meant, and not a part.
    pub fn is_whole(&self) -> bool {
        self.trees.iter().all(|(root, _)| {
            let mut scopes = root.scopes.iter();
            scopes.any(|scope| scope.is_dir && scope.path.is_root())
        })
    }

    /// Says whether a walk of the named paths covers the work tree around each of them.
    pub fn covers_work_trees(&self) -> bool {
        self.trees.iter().all(|(root, tree)| {
            let is_whole = root.names(&RepoPath::root());
            let has_repository = tree.commit().is_some() || root::is_git_top(&root.dir);
            is_whole || !has_repository
        })
    }

    /// The work trees on disk that a walk of the roots does not cover: of commits, around a
    /// submodule, the main one of a linked work tree, and around named paths below a root
    /// without a repository.
    pub fn outer_work_trees(&self) -> BTreeSet<PathBuf> {
        let mut outer = BTreeSet::new();
        for (root, tree) in &self.trees {
            if let Some(commit) = tree.commit() {
                outer.extend(root::work_trees(commit.objects().work_tree()));
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

    /// The bytes of one file as they are at this moment, of at most `limit` bytes. Unlike
    /// [`Source::read`] it does not wait for a version that stays. A program that is writing
    /// the file has emptied it first, so an empty one is read a few times.
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

    /// The versions that one file has during a moment, of at most `limit` bytes, each once:
    /// for a file that a program empties and writes again and again, of which a single look
    /// may see the beginning only.
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
                // It is gone, or stays empty.
                None if seen.is_empty() && look >= LOOKS_AT_EMPTY => return,
                None => {}
            }
        }
    }

    /// Whether the user named one file and nothing else.
    pub fn is_one_file(&self) -> bool {
        match self.trees.as_slice() {
            [(root, _)] => matches!(root.scopes.as_slice(), [scope] if !scope.is_dir),
            _ => false,
        }
    }

    /// The commits that are read in the place of folders.
    pub fn revisions(&self) -> Vec<Revision> {
        let several = self.trees.len() > 1;
        let revision = |(root, tree): &(Root, Tree)| {
            let commit = tree.commit()?;
            Some(Revision {
                tree: several.then(|| root.prefix.to_string()),
                name: commit.revision.clone(),
                commit: commit.commit.id.to_string(),
            })
        };
        self.trees.iter().filter_map(revision).collect()
    }

    /// A name for the whole: those of the trees.
    pub fn name(&self) -> String {
        let shown = |name: &std::ffi::OsStr| RepoPath::new(native::name_bytes(name)).ok();
        let name = |(root, _): &(Root, Tree)| match root.label.file_name().and_then(shown) {
            Some(name) => name.display().into_owned(),
            None => "root".to_owned(),
        };
        self.trees.iter().map(name).collect::<Vec<_>>().join(" + ")
    }

    /// Lists the files, in the order of their paths.
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

    /// A path as somebody typed it in the folder `from`, in the form in which files are
    /// shown: below the folder where something is there, else below the top. `None`
    /// where it is no path inside.
    pub fn named(&self, typed: &Path, from: &Path) -> Option<RepoPath> {
        let full = revision::lexical(&from.join(typed));
        let inside = |(root, _): &(Root, Tree)| {
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
            // The names of trees come first.
            _ => {
                let text = native::name_bytes(typed.as_os_str());
                let text = text.strip_prefix(b"./").unwrap_or(&text);
                RepoPath::new(text.strip_suffix(b"/").unwrap_or(text)).ok()
            }
        };
        below.or(here)
    }

    /// Reads one file, of at most `limit` bytes.
    ///
    /// # Errors
    /// The reason for which the file is left out.
    pub fn read(&self, file: &FoundFile, limit: u64) -> Result<Reading, Reason> {
        let (_, tree) = &self.trees[file.root];
        tree.read(file, limit)
    }

    /// Reads a small plain file at the top, such as a settings file. Returns `None` if it
    /// is missing, is a link, or there are several trees.
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

    pub(crate) fn trees(&self) -> &[(Root, Tree)] {
        &self.trees
    }
}

/// A small file at the top of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopFile {
    /// Its contents.
    Bytes(Vec<u8>),
    /// It has this many bytes, more than the caller reads.
    TooLarge(u64),
}

/// Whether `path` is the folder of a repository without a working tree.
fn is_bare(path: &Path) -> bool {
    let is_inside = path.ends_with(".git");
    let [objects, refs] = ["objects", "refs"].map(|name| path.join(name).is_dir());
    !is_inside && objects && refs && path.join("HEAD").is_file() && !path.join(".git").exists()
}
