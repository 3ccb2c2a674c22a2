//! Opens the trees of commits: finds the repository of each path that a user names, and the path in
//! the commit. The working tree need not contain it.

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

/// Returns the trees of the commit `revision` in the repository of each path.
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

/// Returns the whole tree of the commit `revision` in the repository of `path`.
pub(crate) fn open_whole(path: &Path, revision: &str) -> Result<(Root, Tree), OpenError> {
    let (dir, _) = locate(path)?;
    let commit = commit_tree(Objects::open(&dir)?, revision)?;
    let mut root = root_at(dir, &commit);
    root.scopes.push(Scope::whole());
    Ok((root, Tree::Commit(commit)))
}

/// Labels a bare repository by its directory without the usual `.git`.
fn root_at(dir: PathBuf, commit: &CommitTree) -> Root {
    let mut root = Root::without_scopes(dir);
    if commit.objects().work_tree().is_none()
        && root.dir.extension().is_some_and(|end| end == "git")
    {
        root.label = root.dir.with_extension("");
    }
    root
}

/// Returns the tree of the commit `revision`.
pub(crate) fn commit_tree(objects: Objects, revision: &str) -> Result<CommitTree, ObjectsError> {
    let commit = objects.resolve(revision)?;
    Ok(CommitTree::new(Arc::new(objects), commit, revision))
}

/// Returns the part of the tree that the user named.
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

/// Returns the repository of `named`, and the path in it.
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

/// Resolves the links in a path. Keeps the last component if it is inside a repository, because the
/// commit decides its kind.
fn without_links(path: &Path) -> PathBuf {
    match (path.parent().map(existing), path.file_name()) {
        (Some(above), Some(name)) if above.ancestors().find_map(root::git_top).is_some() => {
            above.join(name)
        }
        _ => existing(path),
    }
}

/// Resolves the links in the existing part of a path.
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

/// Makes a path absolute and removes `.` and `..`.
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
