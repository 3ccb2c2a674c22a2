//! A baseline: a file of known and accepted findings that can be committed to a repository. It
//! contains paths, kinds and fingerprints, but no secrets.

use std::path::{Path, PathBuf};
use std::{fs, io};

use loom_engine::FoundSecret;
use loom_secrets::Fingerprint;
use loom_wire::{BASELINE_GENERATOR, BaselineEntry, BaselineFile, FORMAT_VERSION};

/// Maximum size of a baseline in bytes, far more than one needs.
const LIMIT: u64 = 64 << 20;

/// Known findings.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: Vec<(BaselineEntry, Fingerprint)>,
}

/// Reason why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("cannot read the baseline {}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The file is not a baseline.
    #[error("{} is no baseline: {problem}", path.display())]
    Wrong {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        problem: String,
    },
}

impl Baseline {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a baseline.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let wrong = |problem: String| BaselineError::Wrong {
            path: path.to_owned(),
            problem,
        };
        let unreadable = |source| BaselineError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let size = fs::metadata(path).map_err(unreadable)?.len();
        if size > LIMIT {
            return Err(wrong(format!(
                "it has {size} bytes, expected at most {LIMIT}"
            )));
        }
        let text = fs::read_to_string(path).map_err(unreadable)?;
        // The message does not quote the file, because it may contain secrets.
        let file: BaselineFile = serde_json::from_str(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            wrong(format!(
                "line {line}, column {column}: expected the JSON of one"
            ))
        })?;
        if file.generator != BASELINE_GENERATOR {
            return Err(wrong(format!(
                "its generator is another, expected {BASELINE_GENERATOR:?}"
            )));
        }
        let entry = |(number, entry): (usize, BaselineEntry)| match entry.fingerprint.parse() {
            Ok(fingerprint) => Ok((entry, fingerprint)),
            Err(_) => Err(wrong(format!(
                "the fingerprint of finding {} has not 4 hexadecimal digits",
                number + 1
            ))),
        };
        let entries = file.findings.into_iter().enumerate().map(entry);
        let entries = entries.collect::<Result<_, _>>()?;
        Ok(Self { entries })
    }

    /// Creates a baseline from findings, each once.
    pub fn from_found(found: &[FoundSecret]) -> Self {
        let entry = |found: &FoundSecret| {
            let entry = BaselineEntry {
                path: found.path.clone(),
                kind: found.kind.to_owned(),
                fingerprint: found.fingerprint.to_string(),
            };
            (entry, found.fingerprint)
        };
        let mut entries: Vec<_> = found.iter().map(entry).collect();
        entries.sort_by(|(a, _), (b, _)| {
            (&a.path, &a.kind, &a.fingerprint).cmp(&(&b.path, &b.kind, &b.fingerprint))
        });
        entries.dedup_by(|(a, _), (b, _)| a == b);
        Self { entries }
    }

    /// Returns the contents of the baseline file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.to_wire()).unwrap_or_default() + "\n"
    }

    /// The same for programs.
    pub fn to_wire(&self) -> BaselineFile {
        BaselineFile {
            generator: BASELINE_GENERATOR.to_owned(),
            format_version: FORMAT_VERSION,
            findings: self
                .entries
                .iter()
                .map(|(entry, _)| entry.clone())
                .collect(),
        }
    }

    /// Returns the number of findings.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if it contains no findings.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn fingerprints(&self) -> impl Iterator<Item = Fingerprint> {
        self.entries.iter().map(|(_, fingerprint)| *fingerprint)
    }
}
