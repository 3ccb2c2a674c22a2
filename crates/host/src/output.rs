//! Output files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is written next to its target and moved there when complete. Dropping it removes the
/// temporary file. If the target is not a regular file, such as a pipe or `/dev/null`, the output
/// is written to it directly.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    writer: Writer,
}

#[derive(Debug)]
enum Writer {
    Beside(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
}

/// A large buffer makes few writes.
const BUFFER: usize = 1 << 18;

impl OutputFile {
    /// Prepares a file for `path`. If `path` is a link, the link stays and its target is replaced.
    ///
    /// # Errors
    /// If no file can be created next to `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        // Check the path as given: the target of `/dev/stdout` may not exist.
        let is_special = fs::metadata(path).is_ok_and(|meta| !meta.is_file());
        let writer = if is_special {
            let file = fs::OpenOptions::new().write(true).open(path)?;
            Writer::Direct(BufWriter::with_capacity(BUFFER, file))
        } else {
            Writer::Beside(BufWriter::with_capacity(BUFFER, beside(&target)?))
        };
        Ok(Self { target, writer })
    }

    /// Returns the path of the temporary file; `None` for direct output.
    pub fn temporary_path(&self) -> Option<&Path> {
        match &self.writer {
            Writer::Beside(writer) => Some(writer.get_ref().path()),
            Writer::Direct(_) => None,
        }
    }

    /// Moves the finished file to its target.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the file cannot be moved.
    pub fn finish(self) -> io::Result<()> {
        let writer = match self.writer {
            Writer::Beside(writer) => writer,
            Writer::Direct(mut writer) => return writer.flush(),
        };
        let file = writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        copy_mode(file.as_file(), &self.target)?;
        file.persist(&self.target)?;
        Ok(())
    }
}

fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let message = format!("the folder {} does not exist", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    tempfile::Builder::new()
        .prefix(".infiniloom-")
        .suffix(".tmp")
        .tempfile_in(folder)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Writer::Beside(writer) => writer.write(bytes),
            Writer::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::Beside(writer) => writer.flush(),
            Writer::Direct(writer) => writer.flush(),
        }
    }
}

/// Writes a small file whole or not at all.
///
/// # Errors
/// If the file cannot be created, written or moved.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// Gives the file the mode of the file that it replaces, or the mode of a plain new file. Temporary
/// files are private by default.
#[cfg(unix)]
fn copy_mode(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match fs::metadata(target) {
        Ok(meta) => meta.permissions().mode(),
        Err(_) => 0o666 & !umask(),
    };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Reads the umask of the process without changing it.
#[cfg(unix)]
fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok())
        .unwrap_or(0o022)
}

#[cfg(not(unix))]
fn copy_mode(_file: &File, _target: &Path) -> io::Result<()> {
    Ok(())
}
