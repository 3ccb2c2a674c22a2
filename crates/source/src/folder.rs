//! A folder on the way down a tree: the repository it belongs to and the ignore
//! files that hold above it.

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

/// A folder whose entries are about to be decided about.
pub(crate) struct Folder {
    pub(crate) path: RepoPath,
    pub(crate) repository: Arc<Repository>,
    /// The ignore files of the folders above.
    pub(crate) level: Arc<Level>,
    /// The rule that leaves out the folder, when only parts of it are wanted.
    pub(crate) left_out_by: Option<Rule>,
    pub(crate) depth: usize,
}

impl Folder {
    /// Whether a git repository has its top here.
    pub(crate) fn is_git_top(&self) -> bool {
        self.path == self.repository.top && !matches!(self.repository.tracking, Tracking::Nothing)
    }

    /// The same folder, left out but for the parts that are wanted.
    pub(crate) fn left_out_by(self, rule: Rule) -> Self {
        Self {
            left_out_by: Some(rule),
            ..self
        }
    }
}

/// A git repository, or a plain tree, and where its top is.
#[derive(Debug)]
pub(crate) struct Repository {
    pub(crate) top: RepoPath,
    pub(crate) tracking: Tracking,
}

/// What git tracks of a tree.
#[derive(Debug)]
pub(crate) enum Tracking {
    /// Nothing: there is no repository, or it tells us nothing.
    Nothing,
    /// What is in the index.
    Index(Box<Git>),
    /// All that a commit holds.
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

    /// The repository with its index, where there is a working tree.
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

    /// `path` as git's index writes it.
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

/// Whether ignore files are read at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IgnoreFiles {
    Read,
    Skip,
}

/// Makes folders, loading the ignore files that belong to them.
pub(crate) struct Folders<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) tree: &'a Tree,
    pub(crate) ignore_files: IgnoreFiles,
    /// Rules that could not be read, in words.
    pub(crate) warnings: RefCell<BTreeSet<String>>,
}

impl Folders<'_> {
    /// The top of a tree, or of a repository inside the folder `above`.
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

    /// The folder `path` in the folder `above`, for whose entries `level` holds.
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

    /// The ignore files that hold for the entries of `folder`: those above it and
    /// its own, which are called `names`.
    pub(crate) fn level_in<'n>(
        &self,
        folder: &Folder,
        names: impl Iterator<Item = &'n [u8]>,
    ) -> Arc<Level> {
        let load = |name: &[u8]| {
            let kind = ListKind::of(name)?;
            let file = folder.path.child(name).ok()?;
            let Some(text) = self.tree.read_small(&file, IGNORE_FILE_LIMIT) else {
                self.warn(format!("{file} cannot be read, or is not a plain file of at most 1 MiB: its patterns do not hold"));
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
        match self.tree {
            Tree::Commit(_) => Tracking::Everything,
            Tree::Folder(_) => self
                .git_at(path)
                .map_or(Tracking::Nothing, |git| Tracking::Index(Box::new(git))),
        }
    }

    /// What git knows at `path`. What it cannot tell us is said: its rules are then
    /// not known.
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

    /// Git's patterns that stand outside the tree, the weakest first.
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
