//! The files that the rules check: tracked files, and new files that git does not ignore. Skips
//! files that are not text.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::invocation::Invocation;

/// Directories with Rust files that are test data, not our code.
const DATA_FOLDERS: &[&str] = &["fixtures", "testdata", "snapshots"];

pub(crate) struct Checkout {
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<TextFile>,
}

/// A file with its path from the root, parts joined by `/`.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Checkout {
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let list = git(
            root,
            &[
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
        )?;
        let mut paths: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        paths.dedup();
        let files = paths
            .into_iter()
            .filter_map(|path| read(root, path))
            .collect();
        Ok(Self {
            root: root.to_path_buf(),
            files,
        })
    }

    /// Returns our own Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &TextFile> {
        self.files.iter().filter(|file| file.is_our_rust())
    }
}

impl TextFile {
    fn is_our_rust(&self) -> bool {
        let is_data = self
            .path
            .split('/')
            .any(|part| DATA_FOLDERS.contains(&part));
        self.path.ends_with(".rs") && !is_data
    }
}

/// Returns the output of git. Trusts a checkout of another user, as in a container, because its
/// code runs here anyway.
pub(crate) fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let trust = format!("safe.directory={}", root.display());
    let words: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
    let output = Invocation::new("git", &["-c", &trust])
        .arguments(&words)
        .output(root)?;
    String::from_utf8(output).context("git names a file that is not UTF-8")
}

/// Returns `None` for a tracked file that was deleted, for a link, or for binary contents.
fn read(root: &Path, path: &str) -> Option<TextFile> {
    let full = root.join(path);
    if !fs::symlink_metadata(&full).ok()?.is_file() {
        return None;
    }
    let text = fs::read_to_string(full)
        .ok()
        .filter(|text| !text.contains('\0'))?;
    Some(TextFile {
        path: path.to_owned(),
        text,
    })
}

#[cfg(test)]
impl TextFile {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracked_and_new_files_are_read_and_ignored_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (name, bytes) in [
            (".gitignore", &b"ignored.rs\n"[..]),
            ("new.rs", b"x"),
            ("ignored.rs", b"x"),
            ("binary", b"\0\xff"),
        ] {
            fs::write(root.join(name), bytes).unwrap();
        }
        git(root, &["init", "--quiet"]).unwrap();
        let checkout = Checkout::load(root).unwrap();
        let paths: Vec<&str> = checkout
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(paths, [".gitignore", "new.rs"]);
    }

    #[test]
    fn rust_in_data_folders_is_not_ours() {
        assert!(TextFile::new("crates/base/src/lib.rs", "").is_our_rust());
        assert!(!TextFile::new("crates/syntax/tests/fixtures/a.rs", "").is_our_rust());
        assert!(!TextFile::new("README.md", "").is_our_rust());
    }
}
