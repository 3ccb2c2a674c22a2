//! Checks the files that reading objects would open. They come with the repository: a pipe would
//! block the run, a device would fill the memory.

use std::fs;
use std::path::Path;

use crate::git_files::{GitFiles, small_text};

/// Single files in addition to those of [`GitFiles`], with their maximum sizes. The largest
/// repositories need about ten megabytes.
const LIMITS: [(&str, u64); 3] = [
    ("packed-refs", 1 << 30),
    ("shallow", 64 << 20),
    ("objects/info/commit-graph", 4 << 30),
];

/// Git creates no deeper directories.
const DEEPEST: usize = 32;

/// Maximum chain of alternate object stores; git follows five.
const LONGEST_CHAIN: usize = 5;

/// Checks that all of git's files are plain files. Returns the name of one that is not.
pub(crate) fn check(files: &GitFiles) -> Result<(), String> {
    for folder in files.folders() {
        for (name, limit) in LIMITS {
            check_file(&folder.join(name), limit)?;
        }
        check_shared_indexes(folder)?;
        for name in ["refs", "logs", "reftable"] {
            check_folder(&folder.join(name), 0)?;
        }
        check_store(&folder.join("objects"), 0)?;
    }
    Ok(())
}

/// Checks the shared parts of a split index, which are next to it.
fn check_shared_indexes(folder: &Path) -> Result<(), String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b"sharedindex.") {
            check_file(&entry.path(), 1 << 30)?;
        }
    }
    Ok(())
}

/// Checks an object store and its alternates.
fn check_store(store: &Path, chain: usize) -> Result<(), String> {
    check_folder(store, 0)?;
    let alternates = store.join("info").join("alternates");
    if chain >= LONGEST_CHAIN || fs::symlink_metadata(&alternates).is_err() {
        return Ok(());
    }
    let text = small_text(&alternates).ok_or_else(|| odd(&alternates))?;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        check_store(&store.join(line), chain + 1)?;
    }
    Ok(())
}

fn check_file(path: &Path, limit: u64) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() && meta.len() <= limit => Ok(()),
        Err(_) if fs::symlink_metadata(path).is_err() => Ok(()),
        _ => Err(odd(path)),
    }
}

/// Checks everything below a directory. Git's own tools put links only at the top.
fn check_folder(folder: &Path, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(odd(folder));
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return match fs::metadata(folder) {
            Ok(meta) if !meta.is_dir() => Err(odd(folder)),
            _ => Ok(()),
        };
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            check_folder(&entry.path(), depth + 1)?;
        } else if kind.is_symlink() {
            check_link(&entry.path(), depth)?;
        } else if !kind.is_file() {
            return Err(odd(&entry.path()));
        }
    }
    Ok(())
}

fn check_link(link: &Path, depth: usize) -> Result<(), String> {
    match fs::metadata(link) {
        Ok(meta) if meta.is_file() => Ok(()),
        Ok(meta) if meta.is_dir() && depth == 0 => check_folder(link, depth + 1),
        // A missing directory cannot be opened.
        Err(_) => Ok(()),
        Ok(_) => Err(odd(link)),
    }
}

fn odd(path: &Path) -> String {
    format!("{} is not what git puts there", path.display())
}
