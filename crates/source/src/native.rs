//! Conversion between the bytes of a repository path and the names of the platform.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use loom_base::RepoPath;

/// Returns the bytes of a file name.
#[cfg(unix)]
pub(crate) fn name_bytes(name: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().to_vec()
}

/// Returns the bytes of a file name; replaces unpaired surrogates.
#[cfg(not(unix))]
pub(crate) fn name_bytes(name: &OsStr) -> Vec<u8> {
    name.to_string_lossy().into_owned().into_bytes()
}

/// Returns `path` as a relative path of the platform.
#[cfg(unix)]
pub(crate) fn relative(path: &RepoPath) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(path.as_bytes()))
}

/// Returns `path` as a relative path of the platform.
#[cfg(not(unix))]
pub(crate) fn relative(path: &RepoPath) -> PathBuf {
    path.components()
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .collect()
}

/// Converts bytes that a program printed to a path.
#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// Converts bytes that a program printed to a path.
#[cfg(not(unix))]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Joins `path` to `root`; returns the root if it is empty.
pub(crate) fn below(root: &Path, path: &RepoPath) -> PathBuf {
    if path.is_root() {
        root.to_owned()
    } else {
        root.join(relative(path))
    }
}

/// Returns the repository path of `path`, which is below `root`.
pub(crate) fn repo_path(root: &Path, path: &Path) -> Option<RepoPath> {
    let parts = path.strip_prefix(root).ok()?;
    let parts: Vec<_> = parts
        .components()
        .map(|part| name_bytes(part.as_os_str()))
        .collect();
    RepoPath::new(parts.join(&b'/')).ok()
}
