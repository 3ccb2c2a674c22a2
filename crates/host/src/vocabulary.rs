//! Reads a vocabulary file that the user has.

use std::path::{Path, PathBuf};
use std::{fs, io};

use loom_models::{FileKind, LoadError, Tokenizer, Vocabulary};

/// The largest file that is read: several times the largest known one.
const LIMIT: u64 = 64 << 20;

/// A vocabulary file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// The model does not count by a file.
    #[error("{tokenizer} is not read from a file; expected a model that counts by one of {known}")]
    NotFromFile {
        /// How the model counts.
        tokenizer: String,
        /// What is read from files.
        known: String,
    },
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is too large.
    #[error("{} has {bytes} bytes; expected at most {LIMIT}", path.display())]
    Large {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It is something else.
    #[error("{} is no vocabulary file", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
}

/// Whether a model that counts so can count by a file.
pub(crate) fn counts_by_file(tokenizer: Tokenizer) -> bool {
    FileKind::from_name(tokenizer.name()).is_some()
}

/// The vocabulary in the file at `path`, for a model that otherwise counts by
/// `tokenizer`.
///
/// # Errors
/// When the model does not count by a file, or the file cannot be used.
pub(crate) fn read_vocabulary(
    tokenizer: Tokenizer,
    path: &Path,
) -> Result<Vocabulary, VocabularyError> {
    let Some(kind) = FileKind::from_name(tokenizer.name()) else {
        let known: Vec<_> = FileKind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(VocabularyError::NotFromFile {
            tokenizer: tokenizer.name().to_owned(),
            known: known.join(", "),
        });
    };
    let owned = || path.to_owned();
    let read = |source| VocabularyError::Read {
        path: owned(),
        source,
    };
    let bytes = fs::metadata(path).map_err(read)?.len();
    if bytes > LIMIT {
        return Err(VocabularyError::Large {
            path: owned(),
            bytes,
        });
    }
    let file = fs::read(path).map_err(read)?;
    Vocabulary::from_file(kind, &file).map_err(|source| VocabularyError::Load {
        path: owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use loom_models::Estimator;
    use loom_testkit::Sandbox;

    use super::*;

    #[test]
    fn files_that_cannot_be_used_are_told() {
        let sandbox = Sandbox::new();
        let read = |tokenizer: Tokenizer, name: &str| {
            read_vocabulary(tokenizer, &sandbox.path(name)).unwrap_err()
        };
        let exact = Tokenizer::Exact(Vocabulary::O200kBase);
        assert!(matches!(
            read(exact, "x"),
            VocabularyError::NotFromFile { .. }
        ));
        let llama = Tokenizer::Estimated(Estimator::Llama3);
        assert!(matches!(read(llama, "none"), VocabularyError::Read { .. }));
        sandbox.write("text", "no vocabulary\n");
        assert!(matches!(read(llama, "text"), VocabularyError::Load { .. }));
    }
}
