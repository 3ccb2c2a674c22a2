//! A text in memory, with a name that indicates its type.

use std::path::Path;

use loom_host::{Decoded, Language, RepoPath, percent_encoded, read_user_text};

use crate::{Error, ErrorKind, Result};

/// A text without a file, or one that the caller already read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    name: String,
    decoded: Decoded,
}

impl Text {
    /// Creates the text of a file of this name, such as `shop.py`; `-` for a text without a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            decoded: Decoded::from(text.into()),
        }
    }

    /// Decodes a text like a file of a repository.
    ///
    /// # Errors
    /// If the bytes are not text.
    pub fn decode(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        let name = name.into();
        match loom_host::decode(bytes.into()) {
            Ok(decoded) => Ok(Self { name, decoded }),
            Err(_) => Err(Error::invalid("not_text", format!("{name} is not text"))),
        }
    }

    /// Reads a text that a person wrote, such as an issue or instructions. Its name is the path.
    ///
    /// # Errors
    /// If the file cannot be read, is larger than 1 MiB, or is not text.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match read_user_text(path) {
            Ok(text) => Ok(Self::new(path.to_string_lossy(), text)),
            Err(error) => Err(Error::with_cause(
                ErrorKind::Invalid,
                "unusable_file",
                error,
            )),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.decoded.text
    }

    pub(crate) fn decoded(&self) -> &Decoded {
        &self.decoded
    }

    pub(crate) fn path(&self) -> RepoPath {
        RepoPath::new(&self.name).unwrap_or_else(|_| RepoPath::root())
    }

    pub(crate) fn language(&self) -> Option<Language> {
        Language::detect(&self.path(), self.text())
    }
}

/// Returns the licences and notices of the data that ships with the library.
pub fn notices() -> String {
    loom_host::notices()
}

/// Returns the URL of a file, for links in a terminal.
pub fn file_url(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("file://{}", percent_encoded(path.as_bytes()))
}

/// Removes the marks of changed lines from a text of a pack.
pub fn unmark(marked: &str) -> String {
    loom_host::unmark(marked)
}
