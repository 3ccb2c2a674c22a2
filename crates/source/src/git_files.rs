//! Checks the files that opening a git repository would read. They come with the repository: a pipe
//! would block the run, a device would fill the memory, and a pointer may lead to another person's
//! repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Maximum sizes, above any real file; the index of the Linux kernel has 9 MB.
const LIMITS: [(&str, u64); 4] = [
    ("HEAD", 64 << 10),
    ("config", 1 << 20),
    ("config.worktree", 1 << 20),
    ("index", 1 << 30),
];

/// The directories with the files of a repository: its own, and the one that it shares with other
/// working trees.
#[derive(Clone, Debug)]
pub(crate) struct GitFiles {
    own: PathBuf,
    common: PathBuf,
}

impl GitFiles {
    /// Returns the files of the repository with its working tree at `top`, if all of them are plain
    /// files within the limits.
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

    /// Returns the files of a bare repository, if all of them are plain files within the limits.
    pub(crate) fn bare(folder: &Path) -> Option<Self> {
        let is_there = folder.join("HEAD").is_file()
            && folder.join("objects").is_dir()
            && folder.join("refs").is_dir();
        let own = fs::canonicalize(folder).ok().filter(|_| is_there)?;
        let common = own.clone();
        let files = Self { own, common };
        files.are_plain().then_some(files)
    }

    /// Returns both directories; they are equal if nothing is shared.
    pub(crate) fn folders(&self) -> [&Path; 2] {
        [&self.own, &self.common]
    }

    /// Returns the main work tree, if the work tree at `top` is a linked one. The main repository
    /// must list it, because a pointer in the files proves nothing.
    pub(crate) fn main_work_tree(&self, top: &Path) -> Option<PathBuf> {
        let is_linked = self.own.parent() == Some(self.common.join("worktrees").as_path());
        let back = small_text(&self.own.join("gitdir")).filter(|_| is_linked)?;
        let back = fs::canonicalize(self.own.join(back.trim())).ok()?;
        let is_listed = back == fs::canonicalize(top).ok()?.join(".git");
        let main = self.common.parent().filter(|_| is_listed)?;
        (self.common.file_name()? == ".git").then(|| main.to_owned())
    }

    /// Returns true if the files belong to the tree `outer`, or to the repository of its working
    /// tree.
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

/// Reads a plain file of at most 64 KiB as text.
pub(crate) fn small_text(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    let readable = meta.is_file() && meta.len() <= 64 << 10;
    readable.then(|| fs::read_to_string(path).ok()).flatten()
}
