//! What a repository's own settings may have us write: a file inside it that is
//! new, or that we wrote ourselves. A repository must not be able to overwrite
//! somebody's work by being packed.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use loom_engine::{Contents, inspect};

/// An output that a repository's settings ask for and that is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefusedOutput {
    /// It would lie outside, by way of a link.
    #[error("the repository's settings would write outside it: {}", path.display())]
    Outside {
        /// The path.
        path: PathBuf,
    },
    /// Something else is there.
    #[error("the repository's settings would overwrite {}, which is not an earlier output", path.display())]
    Overwrites {
        /// The path.
        path: PathBuf,
    },
}

/// Checks an output path that comes from the settings of the repository at `root`.
///
/// # Errors
/// When the path leads outside, or something else than an earlier output is there.
pub fn check_repository_output(root: &Path, path: &Path) -> Result<(), RefusedOutput> {
    let folder = path
        .parent()
        .and_then(|folder| fs::canonicalize(folder).ok());
    let is_link = path.is_symlink();
    if is_link || !folder.is_some_and(|folder| folder.starts_with(root)) {
        return Err(RefusedOutput::Outside {
            path: path.to_owned(),
        });
    }
    if path.exists() && !is_ours(path) {
        return Err(RefusedOutput::Overwrites {
            path: path.to_owned(),
        });
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    // Opening a pipe would wait for its other end.
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok()
        && (inspect(&head) == Contents::EarlierPack
            || head.starts_with("{\n  \"format_version\": "))
}
