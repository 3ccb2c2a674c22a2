//! Opens the trees of commits: finds the repository of each path that a user
//! names, and the path in the commit. The working tree need not have it.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use loom_base::RepoPath;

use crate::commit_tree::CommitTree;
use crate::entry::EntryKind;
use crate::git_files::GitFiles;
use crate::native;
use crate::objects::{Objects, ObjectsError};
use crate::root::{self, OpenError, Root, Scope};
use crate::tree::Tree;

/// The trees of the commit that `revision` names in the repository of each path.
pub(crate) fn open(
    paths: &[impl AsRef<Path>],
    revision: &str,
) -> Result<Vec<(Root, Tree)>, OpenError> {
    let mut trees: Vec<(Root, Tree)> = Vec::new();
    for path in paths {
        let (dir, below) = locate(path.as_ref())?;
        let at = match trees.iter().position(|(root, _)| root.dir == dir) {
            Some(at) => at,
            None => {
                let commit = commit_tree(Objects::open(&dir)?, revision)?;
                trees.push((root_at(dir, &commit), Tree::Commit(commit)));
                trees.len() - 1
            }
        };
        let (root, tree) = &mut trees[at];
        root.scopes
            .push(scope(tree, below, path.as_ref(), revision)?);
    }
    for (root, _) in &mut trees {
        root.tidy();
    }
    Ok(trees)
}

/// The whole tree of the commit that `revision` names in the repository of `path`.
pub(crate) fn open_whole(path: &Path, revision: &str) -> Result<(Root, Tree), OpenError> {
    let (dir, _) = locate(path)?;
    let commit = commit_tree(Objects::open(&dir)?, revision)?;
    let mut root = root_at(dir, &commit);
    root.scopes.push(Scope::whole());
    Ok((root, Tree::Commit(commit)))
}

/// A bare repository is called by its folder without the usual `.git`.
fn root_at(dir: PathBuf, commit: &CommitTree) -> Root {
    let mut root = Root::without_scopes(dir);
    if commit.objects().work_tree().is_none()
        && root.dir.extension().is_some_and(|end| end == "git")
    {
        root.label = root.dir.with_extension("");
    }
    root
}

/// The tree of the commit that `revision` names.
pub(crate) fn commit_tree(objects: Objects, revision: &str) -> Result<CommitTree, ObjectsError> {
    let commit = objects.resolve(revision)?;
    Ok(CommitTree::new(Arc::new(objects), commit, revision))
}

/// What the user named in the tree.
pub(crate) fn scope(
    tree: &Tree,
    below: RepoPath,
    path: &Path,
    revision: &str,
) -> Result<Scope, OpenError> {
    let (path, revision) = (path.to_owned(), revision.to_owned());
    let found = tree.commit().and_then(|commit| commit.find(&below));
    match found {
        None => Err(OpenError::NotInRevision { path, revision }),
        Some((EntryKind::Folder, _)) => Ok(Scope {
            path: below,
            is_dir: true,
            object: None,
        }),
        Some((EntryKind::File, id)) => Ok(Scope {
            path: below,
            is_dir: false,
            object: Some(id),
        }),
        Some(_) => Err(OpenError::SpecialInRevision { path, revision }),
    }
}

/// The repository that `named` belongs to, and the path in it.
pub(crate) fn locate(named: &Path) -> Result<(PathBuf, RepoPath), OpenError> {
    let full = without_links(&lexical(named));
    let above = full.ancestors().filter(|above| above.is_dir());
    let bare = || above.clone().find(|dir| GitFiles::bare(dir).is_some());
    let top = full.ancestors().find_map(|dir| root::git_top(dir));
    let dir = top
        .or_else(bare)
        .ok_or_else(|| ObjectsError::NoRepository {
            path: named.to_owned(),
        })?;
    let path = native::repo_path(dir, &full).ok_or(OpenError::Special {
        path: named.to_owned(),
    })?;
    Ok((dir.to_owned(), path))
}

/// The path with its links resolved. The last name is kept where a repository holds
/// it: what it is there, the commit says.
fn without_links(path: &Path) -> PathBuf {
    match (path.parent().map(existing), path.file_name()) {
        (Some(above), Some(name)) if above.ancestors().find_map(root::git_top).is_some() => {
            above.join(name)
        }
        _ => existing(path),
    }
}

/// The path with its links resolved as far as it exists.
fn existing(path: &Path) -> PathBuf {
    let mut rest: Vec<OsString> = Vec::new();
    for above in path.ancestors() {
        if let Ok(full) = above.canonicalize() {
            let rest = rest.iter().rev();
            return rest.fold(full, |path, name| path.join(name));
        }
        rest.extend(above.file_name().map(ToOwned::to_owned));
    }
    path.to_owned()
}

/// The absolute path without `.` and `..`.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in full.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
