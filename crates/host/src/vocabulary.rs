//! Reads a vocabulary file that the user has.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

use loom_models::{FileKind, LoadError, Tokenizer, Vocabulary, file_kind};

use crate::vocabulary_files::{in_folder, usual_names};

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
    /// A folder has no such file.
    #[error("{} has none of {}", path.display(), names.join(", "))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is looked for.
        names: Vec<&'static str>,
    },
    /// It is too large.
    #[error("{} has {bytes} bytes; expected at most {LIMIT}", path.display())]
    Large {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It is the vocabulary of another model.
    #[error("{} has {found} tokens; the vocabulary of {kind} has {expected}", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// How many tokens it has.
        found: usize,
        /// What it was read for.
        kind: &'static str,
        /// How many there should be, in words.
        expected: &'static str,
    },
    /// It is something else.
    #[error("{} cannot be used as a vocabulary", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
}

/// What was read from a file, and which file that was.
type LoadedVocabulary = (FileKind, PathBuf, u64, Option<SystemTime>, Vocabulary);

/// What has been read stays in memory, so that a file is read once.
static KNOWN: Mutex<Vec<LoadedVocabulary>> = Mutex::new(Vec::new());

/// The vocabulary in the file at `path`, for a model that otherwise counts by
/// `tokenizer`. Of a folder it is the file of the usual name.
///
/// # Errors
/// When the model does not count by a file, or the file cannot be used.
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

    /// A table of all bytes, which is too small for any model.
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
