//! Maps the paths that a user names to roots. A path inside a git repository belongs to that
//! repository, whose ignore files apply; any other directory is its own root.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use loom_base::RepoPath;

use crate::git_files::GitFiles;
use crate::native;
use crate::objects::ObjectsError;
use crate::read::plain_message;
use crate::url_credentials::words_without_credentials;

/// Reasons why a path cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The path does not exist.
    #[error("no such file or directory: {}", display_path(path))]
    NotFound {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// None of the listed paths exists.
    #[error("none of the {count} listed paths is a file or directory here; the first is {first}")]
    NothingListed {
        /// Number of listed paths.
        count: usize,
        /// The first one.
        first: String,
    },
    /// The path is neither a file nor a directory.
    #[error("neither a file nor a directory: {}", path.display())]
    Special {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// The commit does not contain the path.
    #[error("no such file or directory in {revision}: {}", path.display())]
    NotInRevision {
        /// The path as the user wrote it.
        path: PathBuf,
        /// The revision as the user named it.
        revision: String,
    },
    /// The path in the commit is neither a file nor a directory.
    #[error("neither a file nor a directory in {revision}: {}", path.display())]
    SpecialInRevision {
        /// The path as the user wrote it.
        path: PathBuf,
        /// The revision as the user named it.
        revision: String,
    },
    /// The repository or the revision cannot be read.
    #[error(transparent)]
    Objects(#[from] ObjectsError),
    /// The operating system denies access.
    #[error("cannot open {}: {message}", path.display())]
    Unreadable {
        /// The path as the user wrote it.
        path: PathBuf,
        /// The error of the operating system.
        message: String,
    },
}

/// A root, and the parts of it that the user named.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) dir: PathBuf,
    /// Label in messages: the directory, or the host and path of a remote, longer if labels are
    /// equal.
    pub(crate) label: PathBuf,
    /// Sorted by path.
    pub(crate) scopes: Vec<Scope>,
    /// Listed paths that are not plain files or directories.
    pub(crate) unread: Vec<RepoPath>,
    /// Prefix of the paths of this root, if there are several roots.
    pub(crate) prefix: RepoPath,
}

/// A part of a root that a user named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scope {
    pub(crate) path: RepoPath,
    pub(crate) is_dir: bool,
    /// Object in a commit, if it is a file.
    pub(crate) object: Option<ObjectId>,
}

impl Scope {
    /// Returns the scope of a whole root.
    pub(crate) fn whole() -> Self {
        Self {
            path: RepoPath::root(),
            is_dir: true,
            object: None,
        }
    }
}

impl Root {
    pub(crate) fn without_scopes(dir: PathBuf) -> Self {
        Self {
            label: dir.clone(),
            dir,
            scopes: Vec::new(),
            unread: Vec::new(),
            prefix: RepoPath::root(),
        }
    }

    /// Sorts and deduplicates the scopes.
    pub(crate) fn tidy(&mut self) {
        self.scopes.sort();
        self.scopes.dedup();
    }

    /// Returns true if the user named exactly this path.
    pub(crate) fn names(&self, path: &RepoPath) -> bool {
        let found = self.scopes.binary_search_by(|scope| scope.path.cmp(path));
        found.is_ok()
    }

    /// Returns true if the user named this path or an ancestor.
    pub(crate) fn covers(&self, path: &RepoPath) -> bool {
        let mut at = Some(path.clone());
        while let Some(path) = at {
            if self.names(&path) {
                return true;
            }
            at = path.parent();
        }
        false
    }

    /// Returns true if a walk of this root reaches the directory `dir` of another one.
    fn walks_into(&self, dir: &Path) -> bool {
        let inside = native::repo_path(&self.dir, dir);
        inside.is_some_and(|path| self.covers(&path))
    }
}

/// Groups the named paths by their root, in the order in which the roots were first named.
pub(crate) fn group(paths: &[impl AsRef<Path>]) -> Result<Vec<Root>, OpenError> {
    let mut roots: Vec<Root> = Vec::new();
    for path in paths {
        let (dir, scope) = locate(path.as_ref())?;
        match roots.iter_mut().find(|root| root.dir == dir) {
            Some(root) => root.scopes.push(scope),
            None => roots.push(Root {
                scopes: vec![scope],
                ..Root::without_scopes(dir)
            }),
        }
    }
    for root in &mut roots {
        root.tidy();
    }
    Ok(join_nested(roots))
}

/// Turns a repository inside a directory that is walked anyway into a named part of that root, so
/// that its files occur once.
fn join_nested(roots: Vec<Root>) -> Vec<Root> {
    let outer = |dir: &Path| {
        roots
            .iter()
            .position(|root| root.dir != dir && root.walks_into(dir))
    };
    let places: Vec<_> = roots.iter().map(|root| outer(&root.dir)).collect();
    let mut joined: Vec<Option<Root>> = Vec::new();
    let mut inner = Vec::new();
    for (root, place) in roots.into_iter().zip(places) {
        match place {
            Some(place) => {
                inner.push((place, root));
                joined.push(None);
            }
            None => joined.push(Some(root)),
        }
    }
    for (place, root) in inner {
        // The outermost root walks the roots nested in a nested root.
        if let Some(Some(outer)) = joined.get_mut(place)
            && let Some(path) = native::repo_path(&outer.dir, &root.dir)
        {
            let below = root.scopes.into_iter().map(|scope| Scope {
                path: path.join(&scope.path),
                ..scope
            });
            outer.scopes.extend(below);
            outer.scopes.sort();
            outer.scopes.dedup();
        }
    }
    joined.into_iter().flatten().collect()
}

fn locate(named: &Path) -> Result<(PathBuf, Scope), OpenError> {
    let path = named.to_owned();
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => OpenError::NotFound {
            path: named.to_owned(),
        },
        _ => OpenError::Unreadable {
            path: named.to_owned(),
            message: plain_message(&error),
        },
    };
    let full = fs::canonicalize(named).map_err(unreadable)?;
    let meta = fs::metadata(&full).map_err(unreadable)?;
    if !meta.is_dir() && !meta.is_file() {
        return Err(OpenError::Special { path });
    }
    let folder = if meta.is_dir() {
        full.as_path()
    } else {
        full.parent().unwrap_or(&full)
    };
    let dir = git_top(folder).unwrap_or(folder).to_owned();
    let path = native::repo_path(&dir, &full).ok_or(OpenError::Special { path })?;
    Ok((
        dir,
        Scope {
            path,
            is_dir: meta.is_dir(),
            object: None,
        },
    ))
}

/// Returns the closest ancestor with a git repository; the directory itself counts.
pub(crate) fn git_top(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|above| is_git_top(above))
}

/// Returns true if the directory is the top of a git working tree: `.git` is a repository, or a
/// file that points to one.
pub(crate) fn is_git_top(folder: &Path) -> bool {
    let git = folder.join(".git");
    match fs::symlink_metadata(&git) {
        Ok(meta) if meta.is_dir() => git.join("HEAD").symlink_metadata().is_ok(),
        Ok(meta) => meta.is_file(),
        Err(_) => false,
    }
}

/// Returns the work tree at `top` and the ones it depends on: the one around a submodule, and the
/// main one of a linked work tree, which has the files that git does not copy.
pub(crate) fn work_trees(top: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let mut found: Vec<PathBuf> = top.map(Path::to_owned).into_iter().collect();
    let mut at = 0;
    while let Some(top) = found.get(at).cloned() {
        at += 1;
        // The `.git` of a submodule and of a linked work tree is a file.
        if !top.join(".git").is_file() {
            continue;
        }
        let around = top.parent().and_then(git_top).map(Path::to_owned);
        let main = GitFiles::of(&top).and_then(|files| files.main_work_tree(&top));
        for next in around.into_iter().chain(main) {
            if !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found.into_iter()
}

/// Gives each root the shortest suffix of its label that is unique; adds a number to equal labels.
pub(crate) fn name_apart(roots: &mut [&mut Root]) {
    let all: Vec<_> = roots.iter().map(|root| parts(&root.label)).collect();
    for (at, root) in roots.iter_mut().enumerate() {
        let own = &all[at];
        let unique = |length: &usize| {
            let end = &own[own.len() - length..];
            all.iter()
                .enumerate()
                .all(|(other, parts)| other == at || !parts.ends_with(end))
        };
        let length = (1..=own.len()).find(unique).unwrap_or(own.len());
        let mut name = own[own.len() - length..].join(&b'/');
        let same = all[..at].iter().filter(|parts| *parts == own).count();
        if same > 0 {
            name.extend_from_slice(format!("-{}", same + 1).as_bytes());
        }
        root.prefix = RepoPath::new(name).unwrap_or_else(|_| RepoPath::root());
    }
}

fn parts(label: &Path) -> Vec<Vec<u8>> {
    let normal = label
        .components()
        .filter(|part| matches!(part, std::path::Component::Normal(_)));
    normal
        .map(|part| native::name_bytes(part.as_os_str()))
        .collect()
}
/// Formats a path for a message. It may be a mistyped URL with a password.
fn display_path(path: &Path) -> String {
    let text = path.display().to_string();
    match text.contains(":/") {
        true => {
            let address = text.replacen(":/", "://", 1).replacen(":///", "://", 1);
            let clean = words_without_credentials(&address);
            if clean == address { text } else { clean }
        }
        false => text,
    }
}
