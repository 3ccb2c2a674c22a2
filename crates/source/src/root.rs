//! From the paths that a user names to the trees that are read. A path inside
//! a git repository belongs to that repository, whose ignore files hold there;
//! any other folder is a tree of its own.

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

/// A path that cannot be read from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Nothing is there.
    #[error("no such file or folder: {}", shown(path))]
    NotFound {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// Nothing of a list is there.
    #[error("none of the {count} listed paths is a file or folder here; the first is {first}")]
    NothingListed {
        /// How many were listed.
        count: usize,
        /// The first of them.
        first: String,
    },
    /// It is neither a file nor a folder.
    #[error("neither a file nor a folder: {}", path.display())]
    Special {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// The commit has no such path.
    #[error("no such file or folder in {revision}: {}", path.display())]
    NotInRevision {
        /// The path as the user wrote it.
        path: PathBuf,
        /// The revision as the user named it.
        revision: String,
    },
    /// The commit has something else there.
    #[error("neither a file nor a folder in {revision}: {}", path.display())]
    SpecialInRevision {
        /// The path as the user wrote it.
        path: PathBuf,
        /// The revision as the user named it.
        revision: String,
    },
    /// The repository or the revision cannot be read.
    #[error(transparent)]
    Objects(#[from] ObjectsError),
    /// The system does not let us look at it.
    #[error("cannot open {}: {message}", path.display())]
    Unreadable {
        /// The path as the user wrote it.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
}

/// A tree, and the parts of it that were asked for.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) dir: PathBuf,
    /// What people call it, longer where names are alike: its folder, or the host and
    /// path of a remote.
    pub(crate) label: PathBuf,
    /// Ordered by path.
    pub(crate) scopes: Vec<Scope>,
    /// What was listed and is no plain file or folder.
    pub(crate) unread: Vec<RepoPath>,
    /// What stands before the paths of this tree where there are several trees.
    pub(crate) prefix: RepoPath,
}

/// A part of a tree that a user named.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scope {
    pub(crate) path: RepoPath,
    pub(crate) is_dir: bool,
    /// Where a commit keeps it, when it is a file.
    pub(crate) object: Option<ObjectId>,
}

impl Scope {
    /// All of a tree.
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

    /// Puts what was named in order, each once.
    pub(crate) fn tidy(&mut self) {
        self.scopes.sort();
        self.scopes.dedup();
    }

    /// Whether the user named this very path.
    pub(crate) fn names(&self, path: &RepoPath) -> bool {
        let found = self.scopes.binary_search_by(|scope| scope.path.cmp(path));
        found.is_ok()
    }

    /// Whether the user named this path or a folder above it.
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

    /// Whether a walk over this tree comes to the folder `dir` of another one.
    fn walks_into(&self, dir: &Path) -> bool {
        let inside = native::repo_path(&self.dir, dir);
        inside.is_some_and(|path| self.covers(&path))
    }
}

/// Groups the named paths by the tree that they belong to, in the order in which
/// the trees were first named.
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

/// A repository inside a folder that is walked anyway becomes a named part of that
/// tree, so that its files are there once.
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
        // What lies in an inner tree of an inner tree is walked from the outermost.
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

/// The closest folder at or above `folder` that holds a git repository.
pub(crate) fn git_top(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|above| is_git_top(above))
}

/// Whether `folder` is the top of a git working tree: `.git` is a repository, or
/// a file that points to one.
pub(crate) fn is_git_top(folder: &Path) -> bool {
    let git = folder.join(".git");
    match fs::symlink_metadata(&git) {
        Ok(meta) if meta.is_dir() => git.join("HEAD").symlink_metadata().is_ok(),
        Ok(meta) => meta.is_file(),
        Err(_) => false,
    }
}

/// The work tree at `top` and those that belong to it: around a submodule, and the main work
/// tree of a linked one, where people keep the files that git does not copy.
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

/// Gives each tree the shortest end of its label that no other one has; where
/// labels are the same, a number besides.
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
/// A path for a message. It may be a mistyped address with a password in it.
fn shown(path: &Path) -> String {
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
