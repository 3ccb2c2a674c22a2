//! The files of a git repository that opening it would read. They come with the
//! repository, so they are looked at first: a pipe would hang the run, a device
//! would fill the memory, and a pointer may lead to somebody else's repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Larger than any real one; the index of the Linux kernel has 9 MB.
const LIMITS: [(&str, u64); 4] = [
    ("HEAD", 64 << 10),
    ("config", 1 << 20),
    ("config.worktree", 1 << 20),
    ("index", 1 << 30),
];

/// Where a repository keeps its files: its own folder, and the one that it shares
/// with other working trees.
#[derive(Clone, Debug)]
pub(crate) struct GitFiles {
    own: PathBuf,
    common: PathBuf,
}

impl GitFiles {
    /// The files of the repository whose working tree has its top at `top`, if all
    /// of them are plain files of a sane size.
    pub(crate) fn of(top: &Path) -> Option<Self> {
        let git = top.join(".git");
        let own = if git.symlink_metadata().ok()?.is_file() {
            let pointer = small_text(&git)?;
            top.join(pointer.strip_prefix("gitdir:")?.trim())
        } else {
            git
        };
        let own = fs::canonicalize(own).ok()?;
        let common = match own.join("commondir").exists() {
            true => fs::canonicalize(own.join(small_text(&own.join("commondir"))?.trim())).ok()?,
            false => own.clone(),
        };
        let files = Self { own, common };
        files.are_plain().then_some(files)
    }

    /// The files of the bare repository at `folder`, if all of them are plain files
    /// of a sane size.
    pub(crate) fn bare(folder: &Path) -> Option<Self> {
        let is_there = folder.join("HEAD").is_file()
            && folder.join("objects").is_dir()
            && folder.join("refs").is_dir();
        let own = fs::canonicalize(folder).ok().filter(|_| is_there)?;
        let common = own.clone();
        let files = Self { own, common };
        files.are_plain().then_some(files)
    }

    /// The folders, the second one the same where nothing is shared.
    pub(crate) fn folders(&self) -> [&Path; 2] {
        [&self.own, &self.common]
    }

    /// The main work tree, if the work tree at `top` that these are of is a linked one. Its
    /// repository has to list it: a pointer that came with the files says nothing.
    pub(crate) fn main_work_tree(&self, top: &Path) -> Option<PathBuf> {
        let is_linked = self.own.parent() == Some(self.common.join("worktrees").as_path());
        let back = small_text(&self.own.join("gitdir")).filter(|_| is_linked)?;
        let back = fs::canonicalize(self.own.join(back.trim())).ok()?;
        let is_listed = back == fs::canonicalize(top).ok()?.join(".git");
        let main = self.common.parent().filter(|_| is_listed)?;
        (self.common.file_name()? == ".git").then(|| main.to_owned())
    }

    /// Whether these belong to the tree `outer` or to the repository that `outer` is
    /// a working tree of.
    pub(crate) fn belong_to(&self, outer: &Path) -> bool {
        let shared = Self::of(outer).map(|files| files.common);
        self.own.starts_with(outer) || shared.is_some_and(|shared| self.own.starts_with(shared))
    }

    fn are_plain(&self) -> bool {
        self.folders().into_iter().all(|folder| {
            LIMITS
                .iter()
                .all(|(name, limit)| match fs::metadata(folder.join(name)) {
                    Ok(meta) => meta.is_file() && meta.len() <= *limit,
                    Err(_) => folder.join(name).symlink_metadata().is_err(),
                })
        })
    }
}

/// The text of a plain file of at most 64 KiB.
pub(crate) fn small_text(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    let readable = meta.is_file() && meta.len() <= 64 << 10;
    readable.then(|| fs::read_to_string(path).ok()).flatten()
}
