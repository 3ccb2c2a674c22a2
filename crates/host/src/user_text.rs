//! Reads small text files that the user names: instructions and templates. They are decoded like
//! any other file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use loom_source::decode;

/// Maximum size in bytes: more than a person writes by hand, and small compared to a pack.
const LIMIT: u64 = 1 << 20;

/// Reason why a user's text cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserTextError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The file is too large.
    #[error("{} is larger than 1 MiB, the most that is read", path.display())]
    TooLarge {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is not text.
    #[error("{} is not text", path.display())]
    NotText {
        /// Path of the file.
        path: PathBuf,
    },
}

/// Reads a text file that the user names.
///
/// # Errors
/// If the file cannot be read, is larger than 1 MiB, or is not text.
pub fn read_user_text(path: &Path) -> Result<String, UserTextError> {
    let path = path.to_owned();
    let mut bytes = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
    if let Err(source) = read {
        return Err(UserTextError::Unreadable { path, source });
    }
    if bytes.len() as u64 > LIMIT {
        return Err(UserTextError::TooLarge { path });
    }
    match decode(bytes) {
        Ok(decoded) => Ok(decoded.text),
        Err(_) => Err(UserTextError::NotText { path }),
    }
}
