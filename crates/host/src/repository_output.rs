//! Checks an output path from a repository's own config file: the file must be inside the
//! repository, and new or an earlier output. Packing a repository must not overwrite the user's
//! work.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use loom_engine::{Contents, inspect};

/// Reason for refusing an output path from a repository's config file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefusedOutput {
    /// It is outside the repository, or its directory does not exist.
    #[error("the repository's settings would write outside its folders: {}", path.display())]
    Outside {
        /// The path.
        path: PathBuf,
    },
    /// The path contains a link, which could lead anywhere, even into `.git`.
    #[error("the repository's settings would write through the link {}", link.display())]
    ThroughLink {
        /// The link.
        link: PathBuf,
    },
    /// It is in git's directory, where a file can make git run programs.
    #[error("the repository's settings would write into git's folder: {}", path.display())]
    GitFolder {
        /// The path.
        path: PathBuf,
    },
    /// It exists and is not an earlier output.
    #[error("the repository's settings would overwrite {}, which is not an earlier output", path.display())]
    Overwrites {
        /// The path.
        path: PathBuf,
    },
}

/// Checks an output path from the config file of the repository at `root`.
///
/// # Errors
/// If the path leads outside, into `.git` or through a link, or exists and is not an earlier
/// output.
pub fn check_repository_output(root: &Path, path: &Path) -> Result<(), RefusedOutput> {
    check_way(root, path)?;
    if path.exists() && !is_ours(path) {
        return Err(RefusedOutput::Overwrites {
            path: path.to_owned(),
        });
    }
    Ok(())
}

fn check_way(root: &Path, path: &Path) -> Result<(), RefusedOutput> {
    let outside = || RefusedOutput::Outside {
        path: path.to_owned(),
    };
    let below = path.strip_prefix(root).map_err(|_| outside())?;
    let mut at = root.to_owned();
    for part in below.components() {
        at.push(part);
        if at.is_symlink() {
            return Err(RefusedOutput::ThroughLink { link: at });
        }
    }
    // Compare the canonical name: some file systems accept several spellings of a directory.
    let folder = path.parent().and_then(|above| fs::canonicalize(above).ok());
    let folder = folder.ok_or_else(outside)?;
    let top = fs::canonicalize(root).map_err(|_| outside())?;
    let inner = folder.strip_prefix(&top).map_err(|_| outside())?;
    let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    if inner.components().chain(below.components()).any(is_git) {
        return Err(RefusedOutput::GitFolder {
            path: path.to_owned(),
        });
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    // Opening a pipe would block until its other end opens.
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut head));
    read.is_ok() && inspect(&String::from_utf8_lossy(&head)) == Contents::EarlierPack
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;

    #[test]
    fn git_folders_are_refused_at_any_depth_and_in_any_spelling() {
        let sandbox = Sandbox::new();
        for folder in [".git/info", "sub/.git", "sub/.GIT"] {
            sandbox.write(format!("{folder}/there"), "");
            let path = sandbox.path(folder).join("attributes");
            let refused = check_repository_output(&sandbox.work(), &path);
            assert!(matches!(refused, Err(RefusedOutput::GitFolder { .. })));
        }
        let fine = sandbox.path("sub/out.xml");
        assert!(check_repository_output(&sandbox.work(), &fine).is_ok());
    }
}
