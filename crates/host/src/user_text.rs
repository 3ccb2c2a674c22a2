//! Small text files that the user names: instructions and templates. They are
//! decoded as any file is.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use loom_source::decode;

/// More than anybody writes by hand, and less than what drowns the files.
const LIMIT: u64 = 1 << 20;

/// A text of the user that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserTextError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is too large.
    #[error("{} is larger than 1 MiB, the most that is read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{} is not text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
}

/// Reads a text that the user named.
///
/// # Errors
/// When it cannot be read, is larger than 1 MiB, or is not text.
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
