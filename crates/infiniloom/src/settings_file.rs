//! The settings files: their paths, and new files with every setting in a comment.

use std::path::{Path, PathBuf};

use loom_host::{user_file, write_atomically};
use loom_settings::{FileTrust, commented_file};
use loom_wire::SettingsFileInfo;

use crate::config::{Engine, Inputs};
use crate::error::ErrorKind;
use crate::{Error, Result};

/// The name of a repository's settings file.
const NAME: &str = "infiniloom.toml";

/// A file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsFile {
    /// The user's file, which may have every setting.
    User,
    /// The file of the repository in this directory. A repository may not have every setting.
    Repository(PathBuf),
}

/// The handling of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Existing {
    /// Keeps it: the call fails.
    Keep,
    /// Replaces it.
    Replace,
}

impl SettingsFile {
    /// Returns the path of the file. It may not exist yet.
    ///
    /// # Errors
    /// If it is the user's file, and the user has no home directory.
    pub fn path(&self) -> Result<PathBuf> {
        match self {
            Self::Repository(directory) => Ok(directory.join(NAME)),
            Self::User => user_file().ok_or_else(|| {
                let message = "there is no home directory to put the file in";
                Error::with_message(ErrorKind::Unavailable, "no_home", message)
            }),
        }
    }

    /// Returns the text of a new file, with every allowed setting in a comment.
    pub fn template(&self) -> String {
        commented_file(self.trust())
    }

    /// Writes a new file, and returns its path.
    ///
    /// # Errors
    /// If an existing file must stay, its directory is unknown, or it cannot be written.
    pub fn create(&self, existing: Existing) -> Result<PathBuf> {
        let path = self.path()?;
        if let Self::Repository(directory) = self
            && !directory.is_dir()
        {
            let message = format!("not a directory: {}", directory.display());
            let error = Error::with_message(ErrorKind::NotFound, "no_such_path", message);
            return Err(error);
        }
        if existing == Existing::Keep && path.symlink_metadata().is_ok() {
            let message = format!("{} is already there", path.display());
            let error = Error::with_message(ErrorKind::Refused, "file_exists", message);
            return Err(error.with_hint("replace it".to_owned()));
        }
        let failed = |error| Error::io(format!("cannot write {}", path.display()), error);
        if let Some(directory) = path.parent().filter(|_| *self == Self::User) {
            std::fs::create_dir_all(directory).map_err(failed)?;
        }
        write_atomically(&path, &self.template()).map_err(failed)?;
        Ok(path)
    }

    fn trust(&self) -> FileTrust {
        match self {
            Self::User => FileTrust::User,
            Self::Repository(_) => FileTrust::Repository,
        }
    }
}

/// Lists the files that an engine reads for a repository with these roots.
pub(crate) fn files<'r>(
    engine: &Engine,
    roots: impl Iterator<Item = &'r Path>,
) -> Vec<SettingsFileInfo> {
    let user = match &engine.inputs {
        Inputs::User(files) if !files.none => files.user.clone().or_else(user_file),
        _ => None,
    };
    let info = |owner: &str, path: PathBuf| SettingsFileInfo {
        owner: owner.to_owned(),
        exists: path.is_file(),
        path: path.display().to_string(),
    };
    let user = user.into_iter().map(|path| info("user", path));
    let repository = roots.map(|root| info("repository", root.join(NAME)));
    user.chain(repository).collect()
}
