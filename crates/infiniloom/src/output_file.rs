//! Files that appear complete or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use loom_host::write_atomically;

use crate::{Error, Result};

/// A file that is written next to its path, and renamed when it is complete. Dropping it earlier
/// removes it.
#[derive(Debug)]
pub struct OutputFile {
    file: loom_host::OutputFile,
    path: PathBuf,
}

impl OutputFile {
    /// Creates an unfinished file for `path`.
    ///
    /// # Errors
    /// If the directory cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = loom_host::OutputFile::create(path).map_err(|error| failed(path, error))?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Writes a whole file at once.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(path: impl AsRef<Path>, text: &str) -> Result<()> {
        let path = path.as_ref();
        write_atomically(path, text).map_err(|error| failed(path, error))
    }

    /// Returns the path of the unfinished file, which a killed program does not remove. Returns
    /// `None` if the file is written in place, such as a pipe.
    pub fn temporary_path(&self) -> Option<&Path> {
        self.file.temporary_path()
    }

    /// Renames the complete file to its path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<()> {
        let Self { file, path } = self;
        file.finish().map_err(|error| failed(&path, error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn failed(path: &Path, error: io::Error) -> Error {
    Error::io(format!("cannot write {}", path.display()), error)
}
