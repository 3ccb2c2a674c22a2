//! Git's data about a working tree: tracked files, files outside a sparse checkout, submodules, and
//! the locations of git's ignore patterns. Reads only, and never runs a program that the repository
//! names.

use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode};
use gix::open::{Options, Permissions};
use loom_base::RepoPath;

use crate::git_files::GitFiles;
use crate::objects;

/// A git repository with a working tree.
#[derive(Debug)]
pub(crate) struct Git {
    index: Option<gix::index::File>,
    /// True if the index exists but is unreadable.
    pub(crate) index_is_broken: bool,
    /// `info/exclude`.
    pub(crate) exclude_file: PathBuf,
    /// The user's ignore file, named only by the user's configuration.
    pub(crate) global_excludes: Option<PathBuf>,
    /// True if names match regardless of case.
    pub(crate) ignore_case: bool,
}

/// Entry of the index about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracked {
    /// A file or link.
    File,
    /// A submodule.
    Submodule,
    /// A directory outside a sparse checkout, which the index lists as one entry.
    Folder,
}

/// A tracked path in the index.
pub(crate) struct IndexEntry {
    pub(crate) path: RepoPath,
    pub(crate) tracked: Tracked,
    pub(crate) skipped: bool,
}

impl Git {
    /// Opens the repository whose working tree has its top at `top`, if there is a readable one. A
    /// repository inside the tree `outer` must also belong to that tree.
    pub(crate) fn at(top: &Path, outer: &Path) -> Option<Self> {
        let files = GitFiles::of(top)?;
        if top != outer && !files.belong_to(outer) {
            return None;
        }
        if objects::check_files(&files).is_err() {
            return Some(Self::unusable(&files));
        }
        let repository = open(top)?;
        let config = repository.config_snapshot();
        let global_excludes = of_user(&repository, "core.excludesFile", "ignore");
        let index = repository.open_index().ok();
        Some(Self {
            index_is_broken: index.is_none() && repository.index_path().exists(),
            exclude_file: repository.common_dir().join("info").join("exclude"),
            global_excludes,
            ignore_case: config.boolean("core.ignoreCase").unwrap_or(false),
            index,
        })
    }

    /// Returns a placeholder for a repository with files that git never creates. It is not opened;
    /// the tree is read as one without git, with a warning.
    fn unusable(files: &GitFiles) -> Self {
        let [_, common] = files.folders();
        Self {
            index: None,
            index_is_broken: true,
            exclude_file: common.join("info").join("exclude"),
            global_excludes: None,
            ignore_case: false,
        }
    }

    /// Looks up `path` in the index.
    pub(crate) fn tracked(&self, path: &RepoPath) -> Option<Tracked> {
        let index = self.index.as_ref()?;
        let entry = index.entry_by_path(BStr::new(path.as_bytes()))?;
        kind_of(entry.mode)
    }

    /// Returns the index entry about `path`: its own, that of an ancestor outside a sparse
    /// checkout, or the first one below it.
    pub(crate) fn entry(&self, path: &RepoPath) -> Option<IndexEntry> {
        let index = self.index.as_ref()?;
        let of = |path: &[u8]| index.entry_by_path(BStr::new(path));
        if let Some(entry) = of(path.as_bytes()) {
            return entry_of(entry, index);
        }
        let mut at = Some(path.clone());
        while let Some(folder) = at {
            let name = [folder.as_bytes(), b"/"].concat();
            if let Some(entry) = of(&name).filter(|entry| entry.mode == Mode::DIR) {
                return entry_of(entry, index);
            }
            at = folder.parent();
        }
        let below = [path.as_bytes(), b"/"].concat();
        let first = index.prefixed_entries(below.as_bstr())?.first()?;
        entry_of(first, index)
    }

    /// Returns true if git tracks a file below the directory `path`.
    pub(crate) fn tracks_below(&self, path: &RepoPath) -> bool {
        let mut prefix = path.as_bytes().to_vec();
        prefix.push(b'/');
        let index = self.index.as_ref();
        index.is_some_and(|index| index.prefixed_entries(prefix.as_bstr()).is_some())
    }

    /// Returns every tracked path except those for which `is_known` is true. `is_known` gets the
    /// path below the tree in which the repository has its `top`.
    pub(crate) fn entries_but(
        &self,
        top: &RepoPath,
        is_known: impl Fn(&[u8]) -> bool,
    ) -> Vec<IndexEntry> {
        let Some(index) = &self.index else {
            return Vec::new();
        };
        let mut path = top.as_bytes().to_vec();
        if !top.is_root() {
            path.push(b'/');
        }
        let start = path.len();
        let mut unknown = Vec::new();
        for entry in index.entries() {
            path.truncate(start);
            path.extend_from_slice(entry.path(index));
            if !is_known(&path) {
                unknown.extend(entry_of(entry, index));
            }
        }
        unknown
    }
}

fn entry_of(entry: &gix::index::Entry, index: &gix::index::File) -> Option<IndexEntry> {
    let path = entry.path(index);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    Some(IndexEntry {
        path: RepoPath::new(path).ok()?,
        tracked: kind_of(entry.mode)?,
        skipped: entry.flags.contains(Flags::SKIP_WORKTREE),
    })
}

fn kind_of(mode: Mode) -> Option<Tracked> {
    match mode {
        Mode::COMMIT => Some(Tracked::Submodule),
        Mode::DIR => Some(Tracked::Folder),
        Mode::FILE | Mode::FILE_EXECUTABLE | Mode::SYMLINK => Some(Tracked::File),
        _ => None,
    }
}

pub(crate) fn open(top: &Path) -> Option<gix::Repository> {
    let mut permissions = Permissions::all();
    // Otherwise gix would run git to ask for the location of its configuration.
    permissions.config.git_binary = false;
    // A repository could include a pipe or a device.
    permissions.config.includes = false;
    let options = Options::default()
        .permissions(permissions)
        .open_path_as_is(false);
    gix::open_opts(top, options).ok()
}

/// Resolves `~`, but not the home directories of other users.
fn context(home: Option<&Path>) -> gix::config::path::interpolate::Context<'_> {
    gix::config::path::interpolate::Context {
        home_dir: home,
        home_for_user: Some(|_| None),
        ..Default::default()
    }
}

/// Returns the user's attribute file, named only by the user's configuration.
pub(crate) fn user_attributes(repository: &gix::Repository) -> Option<PathBuf> {
    of_user(repository, "core.attributesFile", "attributes")
}

/// Returns the file that the user's configuration names, or the usual one. Ignores the
/// configuration of the repository.
fn of_user(repository: &gix::Repository, key: &str, usual: &str) -> Option<PathBuf> {
    let config = repository.config_snapshot();
    let is_user = |meta: &gix::config::file::Metadata| {
        meta.source.kind() != gix::config::source::Kind::Repository
    };
    match config.plumbing().path_filter(key, is_user) {
        Some(path) => path.interpolate(context(user_home().as_deref())).ok(),
        None => {
            let config = set("XDG_CONFIG_HOME").or_else(|| Some(user_home()?.join(".config")))?;
            Some(config.join("git").join(usual))
        }
    }
}

/// Returns the home directory of the user, from the environment.
pub fn user_home() -> Option<PathBuf> {
    set(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

fn set(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}
