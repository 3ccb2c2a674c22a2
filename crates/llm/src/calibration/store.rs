//! The calibration file: in the user's data directory, never in a repository. An unreadable file is
//! moved aside, not overwritten.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use loom_models::{Calibration, Estimator};
use serde::{Deserialize, Serialize};

use super::Measured;

const FILE_NAME: &str = "calibrations.json";
/// Version of the file's format. A file of another version is not read.
const VERSION: u32 = 1;

/// Reasons why calibrations cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The user has no data directory.
    #[error("no directory for calibrations: neither XDG_DATA_HOME nor HOME is set")]
    NoFolder,
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file has another format.
    #[error("{} is not a calibration file", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Calibrations of the user's repositories.
#[derive(Debug)]
pub struct Calibrations {
    path: PathBuf,
    contents: Contents,
    /// Locked while this process changes the file.
    lock: Option<fs::File>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Contents {
    format_version: u32,
    calibrations: Vec<Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    repository: String,
    estimator: String,
    factor: f64,
    band: f64,
    /// Model that the provider counted with.
    model: String,
}

impl Calibrations {
    /// Reads the user's file, which may not exist yet.
    ///
    /// # Errors
    /// If the data directory is unknown, or the file cannot be read or parsed.
    pub fn read() -> Result<Self, CalibrationError> {
        Self::read_from(user_data_file().ok_or(CalibrationError::NoFolder)?)
    }

    /// Reads the user's file to change it. No other process changes the file until this value is
    /// dropped.
    ///
    /// # Errors
    /// If the data directory is unknown, or the file cannot be locked, read or parsed.
    pub fn lock() -> Result<Self, CalibrationError> {
        Self::lock_at(user_data_file().ok_or(CalibrationError::NoFolder)?)
    }

    /// Reads the user's file to change it. Renames a file that cannot be parsed, and returns its
    /// new name.
    ///
    /// # Errors
    /// If the data directory is unknown, or the file cannot be locked, read or renamed.
    pub fn lock_or_set_aside() -> Result<(Self, Option<PathBuf>), CalibrationError> {
        let path = user_data_file().ok_or(CalibrationError::NoFolder)?;
        let lock = locked(&path)?;
        let (mut known, aside) = match Self::read_from(path) {
            Err(CalibrationError::Broken { path, .. }) => {
                let aside = set_aside(&path)?;
                (Self::read_from(path)?, Some(aside))
            }
            read => (read?, None),
        };
        known.lock = Some(lock);
        Ok((known, aside))
    }

    fn lock_at(path: PathBuf) -> Result<Self, CalibrationError> {
        let lock = locked(&path)?;
        let mut known = Self::read_from(path)?;
        known.lock = Some(lock);
        Ok(known)
    }

    fn read_from(path: PathBuf) -> Result<Self, CalibrationError> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => return Ok(Self::empty(path)),
            Err(source) => return Err(CalibrationError::Read { path, source }),
        };
        match parse(&text) {
            Ok(contents) => Ok(Self {
                path,
                contents,
                lock: None,
            }),
            Err(source) => Err(CalibrationError::Broken { path, source }),
        }
    }

    fn empty(path: PathBuf) -> Self {
        let contents = Contents {
            format_version: VERSION,
            calibrations: Vec::new(),
        };
        Self {
            path,
            contents,
            lock: None,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the correction of `estimator` for the repository in a directory.
    pub fn get(&self, folder: &Path, estimator: Estimator) -> Option<Calibration> {
        let is_it = is_for(folder, estimator);
        let entry = self
            .contents
            .calibrations
            .iter()
            .find(|entry| is_it(entry))?;
        Calibration::new(entry.factor, entry.band)
    }

    /// Replaces the correction by a measurement with `model`.
    pub fn set(&mut self, folder: &Path, estimator: Estimator, model: &str, measured: &Measured) {
        self.remove(folder, estimator);
        self.contents.calibrations.push(Entry {
            repository: display_path(folder),
            estimator: estimator.name().to_owned(),
            factor: measured.factor,
            band: measured.band(),
            model: model.to_owned(),
        });
    }

    /// Removes the correction of a repository. Returns true if there was one.
    pub fn remove(&mut self, folder: &Path, estimator: Estimator) -> bool {
        let is_it = is_for(folder, estimator);
        let before = self.contents.calibrations.len();
        self.contents.calibrations.retain(|entry| !is_it(entry));
        self.contents.calibrations.len() < before
    }

    /// Writes the file. `write` writes a text into a file, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(
        &self,
        write: impl FnOnce(&Path, &str) -> io::Result<()>,
    ) -> Result<(), CalibrationError> {
        let failed = |source| CalibrationError::Write {
            path: self.path.clone(),
            source,
        };
        create_folder(&self.path).map_err(failed)?;
        let text = serde_json::to_string_pretty(&self.contents);
        let text = text.map_err(|error| failed(error.into()))?;
        write(&self.path, &(text + "\n")).map_err(failed)
    }
}

fn is_for(folder: &Path, estimator: Estimator) -> impl Fn(&Entry) -> bool {
    let repository = display_path(folder);
    move |entry| entry.repository == repository && entry.estimator == estimator.name()
}

/// Formats a directory for the file. Quotes a path that is not UTF-8; absolute paths do not start
/// with a quote, so the two cannot collide.
fn display_path(folder: &Path) -> String {
    let text = folder.to_str().map(str::to_owned);
    text.unwrap_or_else(|| format!("{folder:?}"))
}

fn parse(text: &str) -> Result<Contents, serde_json::Error> {
    let contents: Contents = serde_json::from_str(text)?;
    if contents.format_version != VERSION {
        let found = contents.format_version;
        let message = format!("expected format_version {VERSION}, found {found}");
        return Err(serde::de::Error::custom(message));
    }
    Ok(contents)
}

fn create_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Locks a file next to the calibration file. The calibration file itself is replaced, so a lock on
/// it would be lost.
fn locked(path: &Path) -> Result<fs::File, CalibrationError> {
    let beside = path.with_extension("lock");
    let open = || {
        create_folder(&beside)?;
        let mut options = fs::OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(&beside)?;
        file.lock()?;
        Ok(file)
    };
    open().map_err(|source| CalibrationError::Write {
        path: beside.clone(),
        source,
    })
}

/// Renames the file to the first free name next to it.
fn set_aside(path: &Path) -> Result<PathBuf, CalibrationError> {
    let name = |at: usize| path.with_extension(format!("broken-{at}.json"));
    let free = (1..).map(name).find(|name| !name.exists());
    let aside = free.unwrap_or_else(|| name(0));
    match fs::rename(path, &aside) {
        Ok(()) => Ok(aside),
        Err(source) => Err(CalibrationError::Write {
            path: aside,
            source,
        }),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn user_data_file() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        let data = variable("XDG_DATA_HOME").filter(|path| path.is_absolute());
        data.or_else(|| variable("HOME").map(|home| home.join(".local/share")))
    };
    folder.map(|folder| folder.join("infiniloom").join(FILE_NAME))
}

/// Returns the path in an environment variable, unless it is empty.
fn variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;

    const CLAUDE: Estimator = Estimator::Claude3;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        fs::write(path, text)
    }

    #[test]
    fn calibrations_are_stored_and_removed() {
        let sandbox = Sandbox::new();
        let path = sandbox.path("data/infiniloom/calibrations.json");
        let (here, there) = (Path::new("/a"), Path::new("/b"));
        let measured = Measured::of(&[(1_000, 1_250)]);
        let mut known = Calibrations::read_from(path.clone()).unwrap();
        known.set(here, CLAUDE, "claude-x", &measured);
        known.set(here, CLAUDE, "claude-x", &measured);
        known.save(write).unwrap();
        let mut known = Calibrations::read_from(path).unwrap();
        assert_eq!(known.contents.calibrations.len(), 1);
        let found = known.get(here, CLAUDE).unwrap();
        assert_eq!((found.factor(), found.band()), (1.25, 0.05));
        assert_eq!(known.get(there, CLAUDE), None);
        assert_eq!(known.get(here, Estimator::Claude47), None);
        assert!(known.remove(here, CLAUDE) && !known.remove(here, CLAUDE));
    }

    #[test]
    fn runs_at_the_same_time_lose_nothing() {
        let sandbox = Sandbox::new();
        let path = sandbox.path("data/calibrations.json");
        let measured = Measured::of(&[(1_000, 1_250)]);
        std::thread::scope(|scope| {
            for at in 0..8 {
                let (path, measured) = (path.clone(), &measured);
                scope.spawn(move || {
                    let mut known = Calibrations::lock_at(path).unwrap();
                    known.set(Path::new(&format!("/{at}")), CLAUDE, "claude-x", measured);
                    known.save(write).unwrap();
                });
            }
        });
        let known = Calibrations::read_from(path).unwrap();
        assert_eq!(known.contents.calibrations.len(), 8);
    }

    #[test]
    fn broken_file_is_reported_and_renamed() {
        let sandbox = Sandbox::new();
        for text in ["{", "[]", r#"{"format_version": 9, "calibrations": []}"#] {
            sandbox.write("calibrations.json", text);
            let path = sandbox.path("calibrations.json");
            let error = Calibrations::read_from(path.clone()).unwrap_err();
            assert!(matches!(error, CalibrationError::Broken { .. }), "{text}");
            let aside = set_aside(&path).unwrap();
            assert_eq!(fs::read_to_string(aside).unwrap(), text);
        }
        assert!(sandbox.path("calibrations.broken-3.json").exists());
    }
}
