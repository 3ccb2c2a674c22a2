//! The temporary directory of a copy, removed after the last read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// Attempts to remove the directory: a program that was just stopped may still write to it.
const ATTEMPTS: u32 = 20;

/// A directory that only this user can read.
#[derive(Debug)]
pub(crate) struct CopyFolder {
    path: PathBuf,
}

impl CopyFolder {
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("infiniloom-").tempdir()?;
        let path = folder.keep();
        let real = path.canonicalize().unwrap_or(path);
        Ok(Self { path: real })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for CopyFolder {
    fn drop(&mut self) {
        for _ in 0..ATTEMPTS {
            match fs::remove_dir_all(&self.path) {
                Ok(()) => return,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return,
                Err(_) => sleep(Duration::from_millis(10)),
            }
        }
    }
}
