//! Reads the user's vocabulary files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

use loom_models::{FileKind, LoadError, Tokenizer, Vocabulary, file_kind};

use crate::vocabulary_files::{in_folder, usual_names};

/// Maximum size of a file in bytes, several times the largest known one.
const LIMIT: u64 = 64 << 20;

/// Reason why a vocabulary file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// The model does not count with a vocabulary file.
    #[error("{tokenizer} is not read from a file; expected a model that counts by one of {known}")]
    NotFromFile {
        /// Tokenizer of the model.
        tokenizer: String,
        /// Vocabularies that are read from files.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The directory contains no vocabulary file.
    #[error("{} has none of {}", path.display(), names.join(", "))]
    Folder {
        /// Path of the directory.
        path: PathBuf,
        /// Expected file names.
        names: Vec<&'static str>,
    },
    /// The file is too large.
    #[error("{} has {bytes} bytes; expected at most {LIMIT}", path.display())]
    Large {
        /// Path of the file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The file is the vocabulary of another model.
    #[error("{} has {found} tokens; the vocabulary of {kind} has {expected}", path.display())]
    Size {
        /// Path of the file.
        path: PathBuf,
        /// Number of tokens.
        found: usize,
        /// Name of the expected vocabulary.
        kind: &'static str,
        /// Expected number of tokens, in words.
        expected: &'static str,
    },
    /// The file is not a vocabulary.
    #[error("{} cannot be used as a vocabulary", path.display())]
    Load {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: LoadError,
    },
}

/// A vocabulary with the path, size and modification time of its file.
type LoadedVocabulary = (FileKind, PathBuf, u64, Option<SystemTime>, Vocabulary);

/// Vocabularies read so far, so that each file is read once.
static KNOWN: Mutex<Vec<LoadedVocabulary>> = Mutex::new(Vec::new());

/// Reads the vocabulary file at `path` for a model whose own tokenizer is `tokenizer`. In a
/// directory, reads the file with a usual name.
///
/// # Errors
/// If the model does not count with a vocabulary file, or the file cannot be used.
pub(crate) fn read_vocabulary(
    tokenizer: Tokenizer,
    path: &Path,
) -> Result<Vocabulary, VocabularyError> {
    let Some(kind) = file_kind(tokenizer) else {
        let known: Vec<_> = FileKind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(VocabularyError::NotFromFile {
            tokenizer: tokenizer.name().to_owned(),
            known: known.join(", "),
        });
    };
    let Some(path) = &in_folder(kind, path) else {
        return Err(VocabularyError::Folder {
            path: path.to_owned(),
            names: usual_names(kind).collect(),
        });
    };
    let read = |source| VocabularyError::Read {
        path: path.clone(),
        source,
    };
    let meta = fs::metadata(path).map_err(read)?;
    if !meta.is_file() {
        return Err(read(io::Error::other("not a file")));
    }
    let (bytes, modified) = (meta.len(), meta.modified().ok());
    if bytes > LIMIT {
        let path = path.clone();
        return Err(VocabularyError::Large { path, bytes });
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |entry: &&LoadedVocabulary| {
        (entry.0, &entry.1, entry.2, entry.3) == (kind, path, bytes, modified)
    };
    if let Some((.., vocabulary)) = known.iter().find(is_it) {
        return Ok(*vocabulary);
    }
    let mut file = Vec::new();
    let opened = fs::File::open(path).map_err(read)?;
    opened.take(LIMIT).read_to_end(&mut file).map_err(read)?;
    let vocabulary = of_file(kind, path, &file)?;
    known.push((kind, path.clone(), bytes, modified, vocabulary));
    Ok(vocabulary)
}

fn of_file(kind: FileKind, path: &Path, file: &[u8]) -> Result<Vocabulary, VocabularyError> {
    let path = path.to_owned();
    let vocabulary = match Vocabulary::from_file(kind, file) {
        Ok(vocabulary) => vocabulary,
        Err(source) => return Err(VocabularyError::Load { path, source }),
    };
    let Vocabulary::Loaded(loaded) = vocabulary else {
        return Ok(vocabulary);
    };
    let found = loaded.tokens();
    match kind.size() {
        Some((size, expected)) if !size.contains(&found) => Err(VocabularyError::Size {
            path,
            found,
            kind: kind.name(),
            expected,
        }),
        _ => Ok(vocabulary),
    }
}

#[cfg(test)]
mod tests {
    use loom_models::Estimator;
    use loom_testkit::Sandbox;

    use super::*;

    /// Returns a vocabulary of all bytes, which is too small for any model.
    fn bytes() -> String {
        let digit = |at: u8| {
            char::from(
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                    [usize::from(at)],
            )
        };
        let line = |byte: u8| format!("{}{}== {byte}\n", digit(byte >> 2), digit((byte & 3) << 4));
        (0..=255).map(line).collect()
    }

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
        sandbox.write("folder/text", "");
        let folder = read(llama, "folder").to_string();
        assert!(
            folder.ends_with("folder has none of tokenizer.json, tokenizer.model, tiktoken.model"),
            "{folder}"
        );
        sandbox.write("small", bytes());
        assert!(matches!(read(llama, "small"), VocabularyError::Size { .. }));
    }
}
