//! A directory on the path of a walk, with its repository and the ignore files that apply to it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use gix::glob::pattern::Case;
use loom_base::RepoPath;

use crate::git::{Git, Tracked};
use crate::native;
use crate::root;
use crate::rules::{IGNORE_FILE_LIMIT, IgnoreFile, Level, ListKind, Rule, RuleSource};
use crate::tree::Tree;

/// A directory whose entries are to be decided.
pub(crate) struct Folder {
    pub(crate) path: RepoPath,
    pub(crate) repository: Arc<Repository>,
    /// The ignore files of the ancestors.
    pub(crate) level: Arc<Level>,
    /// The rule that skips the directory, if only parts of it are included.
    pub(crate) left_out_by: Option<Rule>,
    pub(crate) depth: usize,
}

impl Folder {
    /// Returns true if a git repository has its top here.
    pub(crate) fn is_git_top(&self) -> bool {
        self.path == self.repository.top && !matches!(self.repository.tracking, Tracking::Nothing)
    }

    /// Marks the directory as skipped by `rule`, except for its included parts.
    pub(crate) fn left_out_by(self, rule: Rule) -> Self {
        Self {
            left_out_by: Some(rule),
            ..self
        }
    }
}

/// A git repository or a plain directory tree, with its top.
#[derive(Debug)]
pub(crate) struct Repository {
    pub(crate) top: RepoPath,
    pub(crate) tracking: Tracking,
}

/// Files of a tree that git tracks.
#[derive(Debug)]
pub(crate) enum Tracking {
    /// None, because the tree has no readable repository.
    Nothing,
    /// The files in the index.
    Index(Box<Git>),
    /// All files, because the tree is a commit.
    Everything,
}

impl Repository {
    pub(crate) fn tracked(&self, path: &RepoPath) -> Option<Tracked> {
        match &self.tracking {
            Tracking::Nothing => None,
            Tracking::Index(git) => git.tracked(&self.relative(path)?),
            Tracking::Everything => Some(Tracked::File),
        }
    }

    /// Returns the repository with its index, if there is a working tree.
    pub(crate) fn git(&self) -> Option<&Git> {
        match &self.tracking {
            Tracking::Index(git) => Some(git),
            Tracking::Nothing | Tracking::Everything => None,
        }
    }

    pub(crate) fn tracks_below(&self, path: &RepoPath) -> bool {
        match (&self.tracking, self.relative(path)) {
            (Tracking::Index(git), Some(path)) => git.tracks_below(&path),
            (Tracking::Everything, _) => true,
            _ => false,
        }
    }

    /// Returns `path` as git's index writes it.
    pub(crate) fn relative(&self, path: &RepoPath) -> Option<RepoPath> {
        let rest = path.as_bytes().strip_prefix(self.top.as_bytes())?;
        RepoPath::new(rest.strip_prefix(b"/").unwrap_or(rest)).ok()
    }

    fn case(&self) -> Case {
        match self.git() {
            Some(git) if git.ignore_case => Case::Fold,
            _ => Case::Sensitive,
        }
    }
}

/// Whether a walk reads ignore files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IgnoreFiles {
    Read,
    Skip,
}

/// Creates directories for the walk, and loads their ignore files.
pub(crate) struct Folders<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) tree: &'a Tree,
    pub(crate) ignore_files: IgnoreFiles,
    /// Messages about rules that could not be read.
    pub(crate) warnings: RefCell<BTreeSet<String>>,
}

impl Folders<'_> {
    /// Returns the top of a tree, or of a repository inside the directory `above`.
    pub(crate) fn top(&self, path: RepoPath, above: Option<&Folder>) -> Folder {
        let repository = Arc::new(Repository {
            top: path.clone(),
            tracking: self.tracking_at(&path),
        });
        let files = self.outside_files(&repository);
        Folder {
            level: Level::top(above.map(|folder| Arc::clone(&folder.level)), files),
            left_out_by: above.and_then(|folder| folder.left_out_by.clone()),
            depth: above.map_or(0, |folder| folder.depth),
            path,
            repository,
        }
    }

    /// Returns the directory `path` in the directory `above`, with the ignore files `level`.
    pub(crate) fn child(
        &self,
        above: &Folder,
        level: &Arc<Level>,
        path: RepoPath,
        left_out_by: Option<Rule>,
    ) -> Folder {
        Folder {
            path,
            repository: Arc::clone(&above.repository),
            level: Arc::clone(level),
            left_out_by,
            depth: above.depth + 1,
        }
    }

    /// Returns the ignore files that apply to the entries of a directory: those of its ancestors,
    /// and its own, which are called `names`.
    pub(crate) fn level_in<'n>(
        &self,
        folder: &Folder,
        names: impl Iterator<Item = &'n [u8]>,
    ) -> Arc<Level> {
        let load = |name: &[u8]| {
            let kind = ListKind::of(name)?;
            let file = folder.path.child(name).ok()?;
            let Some(text) = self.tree.read_small(&file, IGNORE_FILE_LIMIT) else {
                self.warn(format!(
                    "ignoring {file}: not a readable regular file of at most 1 MiB"
                ));
                return None;
            };
            let case = folder.repository.case();
            Some(IgnoreFile::in_folder(
                kind,
                &folder.path,
                &file,
                &text,
                case,
            ))
        };
        let names = names.filter(|_| self.ignore_files == IgnoreFiles::Read);
        Level::below(&folder.level, names.filter_map(load).collect())
    }

    fn tracking_at(&self, path: &RepoPath) -> Tracking {
        match self.tree.base() {
            Tree::Commit(_) => Tracking::Everything,
            _ => self
                .git_at(path)
                .map_or(Tracking::Nothing, |git| Tracking::Index(Box::new(git))),
        }
    }

    /// Opens the repository at `path`. Adds a warning if it is unreadable, because its rules are
    /// then unknown.
    fn git_at(&self, path: &RepoPath) -> Option<Git> {
        let dir = native::below(self.dir, path);
        let name = if path.is_root() {
            ".".to_owned()
        } else {
            path.to_string()
        };
        let git = Git::at(&dir, self.dir);
        match &git {
            None if root::is_git_top(&dir) => self.warn(format!(
                "the git repository in {name} cannot be opened: what it tracks is not known"
            )),
            Some(git) if git.index_is_broken => self.warn(format!(
                "the git index in {name} cannot be read: what it tracks is not known"
            )),
            _ => {}
        }
        git
    }

    fn warn(&self, warning: String) {
        self.warnings.borrow_mut().insert(warning);
    }

    /// Returns git's pattern files outside the tree, the weakest first.
    fn outside_files(&self, repository: &Repository) -> Vec<IgnoreFile> {
        let read = self.ignore_files == IgnoreFiles::Read;
        let Some(git) = repository.git().filter(|_| read) else {
            return Vec::new();
        };
        let load = |(path, source): (&Path, RuleSource)| {
            let text = small_file(path)?;
            let top = repository.top.clone();
            Some(IgnoreFile::new(
                ListKind::Git,
                source,
                top,
                &text,
                repository.case(),
            ))
        };
        let global = git.global_excludes.as_deref();
        let global = global.map(|path| (path, RuleSource::GlobalExcludes));
        let own = (git.exclude_file.as_path(), RuleSource::GitExclude);
        global.into_iter().chain([own]).filter_map(load).collect()
    }
}

fn small_file(path: &Path) -> Option<Vec<u8>> {
    let meta = path.metadata().ok()?;
    let readable = meta.is_file() && meta.len() <= IGNORE_FILE_LIMIT;
    readable.then(|| fs::read(path).ok()).flatten()
}
