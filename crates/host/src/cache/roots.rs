//! Paths of roots as keys of the store.

use loom_base::RepoPath;

/// Returns true if a file does not exist.
#[cfg(unix)]
pub(super) fn is_absent(root: &[u8], path: &RepoPath) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let below = std::ffi::OsStr::from_bytes(path.as_bytes());
    let full = std::path::Path::new(std::ffi::OsStr::from_bytes(root)).join(below);
    full.symlink_metadata().is_err()
}

#[cfg(not(unix))]
pub(super) fn is_absent(root: &[u8], path: &RepoPath) -> bool {
    let root = String::from_utf8_lossy(root).into_owned();
    let full = std::path::Path::new(&root).join(path.display().as_ref());
    full.symlink_metadata().is_err()
}

#[cfg(unix)]
pub(crate) fn root_bytes(root: &std::path::Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    root.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
pub(crate) fn root_bytes(root: &std::path::Path) -> Vec<u8> {
    root.to_string_lossy().into_owned().into_bytes()
}
