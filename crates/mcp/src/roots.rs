//! The served directories, their names, and the choice of the one that a call means.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use infiniloom::{Control, Redactor};

use crate::clients::user_home;
use crate::one_line::one_line;
use crate::opener::Opener;
use crate::root::{Place, Preload, Root};
use crate::tool_error::ToolError;

/// Maximum number of served directories: more than any editor has open.
const MOST: usize = 32;

/// The served directories.
pub struct Roots {
    opener: Opener,
    served: RwLock<Vec<Served>>,
}

#[derive(Clone)]
struct Served {
    path: PathBuf,
    /// The path from the user, if it leads through links.
    also: Option<PathBuf>,
    name: String,
    /// The opened directory, or the error; calls try again.
    root: Result<Arc<Root>, String>,
    served_by: ServedBy,
}

/// The party that requested to serve a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServedBy {
    /// The user, for as long as the server runs.
    User,
    /// The client, for as long as it lists it.
    Client,
}

impl Served {
    /// Returns true if a call means this directory by a name or path.
    fn is_called(&self, name: &str) -> bool {
        let also = self.also.as_deref();
        let own = also.and_then(Path::file_name);
        self.name == name
            || self.path == Path::new(name)
            || also == Some(Path::new(name))
            || own.is_some_and(|own| own == name)
    }

    fn has(&self, path: &Path) -> bool {
        let also = self.also.as_ref();
        path.starts_with(&self.path) || also.is_some_and(|also| path.starts_with(also))
    }
}

impl Roots {
    /// Creates an empty list.
    pub fn new(opener: Opener) -> Self {
        Self {
            opener,
            served: RwLock::default(),
        }
    }

    /// Serves the directory at `path` under its own name. Returns the problem of its settings, if
    /// they are invalid; it is served as soon as they are valid.
    ///
    /// # Errors
    /// If the directory does not exist, or there are too many, in words.
    pub fn add(&self, path: &Path) -> Result<Option<String>, String> {
        self.serve(path, ServedBy::User)
    }

    fn serve(&self, path: &Path, served_by: ServedBy) -> Result<Option<String>, String> {
        let full = path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let also = std::path::absolute(path).ok().filter(|also| *also != full);
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        if served.iter().any(|known| known.path == full) {
            return Ok(None);
        }
        if served.len() >= MOST {
            return Err(format!("more than {MOST} folders are not served"));
        }
        let preload = match served.is_empty() {
            true => Preload::Contexts,
            false => Preload::Index,
        };
        let free = |redactor: &Redactor| free_name(&full, redactor, &served);
        let place = Place {
            path: full.clone(),
            also: also.clone(),
            preload,
        };
        let root = Root::open(place, free, &self.opener).inspect(|root| root.start());
        let name = match &root {
            Ok(root) => root.name.clone(),
            Err(_) => free(&Redactor::default()),
        };
        let wrong = root.as_ref().err().map(|told| about(&full, told));
        served.push(Served {
            path: full,
            also,
            name,
            root,
            served_by,
        });
        Ok(wrong)
    }

    /// Serves the current directory, unless it is the top of the disk or the user's home: some
    /// clients start servers there.
    ///
    /// # Errors
    /// If the directory cannot be served, in words.
    pub(crate) fn add_current(&self) -> Result<Option<String>, String> {
        self.add_unasked(Path::new("."))
    }

    /// Serves the directories that a client lists and those that the user named. Returns the
    /// problems of listed directories.
    pub(crate) fn follow(&self, listed: &[PathBuf]) -> Vec<String> {
        let full: Vec<PathBuf> = listed
            .iter()
            .filter_map(|path| path.canonicalize().ok())
            .collect();
        let is_kept =
            |known: &Served| known.served_by == ServedBy::User || full.contains(&known.path);
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        // What is made for the others in the background ends with them.
        served.retain(is_kept);
        drop(served);
        let added = listed.iter().map(|path| self.add_unasked(path));
        added
            .filter_map(|added| added.unwrap_or_else(Some))
            .collect()
    }

    /// Serves a directory that a client names, unless it is the whole disk or a home.
    fn add_unasked(&self, folder: &Path) -> Result<Option<String>, String> {
        let failed = |error| format!("{}: {error}", folder.display());
        let here = folder.canonicalize().map_err(failed)?;
        match is_too_wide(&here) {
            true => Err(format!(
                "{}: neither the whole disk nor a home is served unasked",
                here.display()
            )),
            false => self.serve(folder, ServedBy::Client),
        }
    }

    /// Returns true if no directory is served.
    pub fn is_empty(&self) -> bool {
        self.served().is_empty()
    }

    fn served(&self) -> Vec<Served> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        served.clone()
    }

    /// Returns the readable directories.
    pub(crate) fn list(&self) -> Vec<Arc<Root>> {
        let served = self.served().into_iter();
        served.filter_map(|known| known.root.ok()).collect()
    }

    /// Returns the directory that a call means, in its present state: by its name or path, else
    /// the one that contains all full paths of the call.
    pub(crate) fn pick(
        &self,
        name: Option<&str>,
        paths: &[&Path],
        control: &Control,
    ) -> Result<Arc<Root>, ToolError> {
        let served = self.served();
        let names = || {
            let names: Vec<&str> = served.iter().map(|known| known.name.as_str()).collect();
            names.join(", ")
        };
        let has_all = |known: &&Served| paths.iter().all(|path| known.has(path));
        let around = || {
            let fitting = served.iter().filter(has_all).filter(|_| !paths.is_empty());
            // Of folders within each other the inner one.
            fitting.max_by_key(|known| known.path.components().count())
        };
        let picked = match (name, served.as_slice()) {
            (_, []) => Err(ToolError::new(
                "no folder is served: open one in the client, or put its path behind `mcp` in the \
                 command that starts the server (`infiniloom mcp install --root FOLDER` does)",
            )),
            (None, [only]) => Ok(only),
            (None, _) => {
                around().ok_or_else(|| ToolError(format!("say which `root` is meant: {}", names())))
            }
            (Some(name), _) => {
                let found = served.iter().find(|known| known.is_called(name));
                found.ok_or_else(|| {
                    ToolError(format!("there is no root `{name}`; there are {}", names()))
                })
            }
        }?;
        let wrong = |told: String| ToolError(about(&picked.path, &told));
        let root = match &picked.root {
            Ok(root) => Arc::clone(root),
            Err(_) => self.try_again(picked).map_err(wrong)?,
        };
        root.settle(control).map_err(wrong)?;
        Ok(root)
    }

    /// Opens a directory that could not be opened before.
    fn try_again(&self, known: &Served) -> Result<Arc<Root>, String> {
        let place = Place {
            path: known.path.clone(),
            also: known.also.clone(),
            preload: Preload::Index,
        };
        let root = Root::open(place, |_| known.name.clone(), &self.opener)?;
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = served.iter_mut().find(|one| one.path == known.path) else {
            return Err("it is served no more".to_owned());
        };
        match &place.root {
            // Another call was quicker.
            Ok(root) => Ok(Arc::clone(root)),
            Err(_) => {
                root.start();
                place.root = Ok(Arc::clone(&root));
                Ok(root)
            }
        }
    }
}

/// Returns true for the whole disk and the user's home: some clients start servers there.
fn is_too_wide(folder: &Path) -> bool {
    let home = user_home().and_then(|home| home.canonicalize().ok());
    folder.parent().is_none() || home.as_deref() == Some(folder)
}

/// Returns the name under which the current directory will be served, without opening it.
pub(crate) fn current_name() -> Option<String> {
    let here = Path::new(".").canonicalize().ok()?;
    let name = || free_name(&here, &Redactor::default(), &[]);
    (!is_too_wide(&here)).then(name)
}

/// Returns the problem of a directory with its path. Problems of settings only have the name of the
/// file.
fn about(folder: &Path, told: &str) -> String {
    match told.contains(&*folder.to_string_lossy()) {
        true => told.to_owned(),
        false => format!("{}: {told}", folder.display()),
    }
}

/// Returns an unused name for a directory, without secrets and in one line.
fn free_name(folder: &Path, redactor: &Redactor, served: &[Served]) -> String {
    let own = folder
        .file_name()
        .map_or("root".into(), |name| name.to_string_lossy());
    let own = redactor.redact(&one_line(&own));
    let is_taken = |name: &String| served.iter().any(|known| known.name == *name);
    let names = (1..).map(|at| match at {
        1 => own.clone(),
        at => format!("{own}-{at}"),
    });
    names
        .into_iter()
        .find(|name| !is_taken(name))
        .unwrap_or(own.clone())
}

impl std::fmt::Debug for Roots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.list().iter().map(|root| &root.name))
            .finish()
    }
}

#[cfg(test)]
mod tests;
