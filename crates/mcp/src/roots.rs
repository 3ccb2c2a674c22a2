//! The folders that are served, and how a call names one of them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use loom_host::{Cancel, Packer, user_home};
use loom_settings::Settings;

use crate::arguments::Wrong;
use crate::root::{Ahead, Root};

/// Opens a folder with the settings that hold there; says what is wrong where that
/// cannot be done.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Opened, String> + Send + Sync>;

/// A folder that was opened.
#[derive(Debug)]
pub struct Opened {
    /// What reads it.
    pub packer: Packer,
    /// The settings that hold there.
    pub settings: Settings,
}

/// More than any editor has open; a client that names more is not served them.
const MOST: usize = 32;

/// The folders that are served.
pub struct Roots {
    opener: Opener,
    served: RwLock<Vec<Served>>,
    cancel: Cancel,
}

#[derive(Clone)]
struct Served {
    path: PathBuf,
    root: Arc<Root>,
    by: By,
}

/// Who said that a folder is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The user, for as long as the server runs.
    User,
    /// The client, for as long as it lists it.
    Client,
}

impl Roots {
    /// None yet.
    pub fn new(opener: Opener) -> Self {
        Self {
            opener,
            served: RwLock::default(),
            cancel: Cancel::new(),
        }
    }

    /// Serves the folder at `path`, under its own name.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn add(&self, path: &Path) -> Result<(), String> {
        self.serve(path, By::User)
    }

    fn serve(&self, path: &Path, by: By) -> Result<(), String> {
        let full = path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        if served.iter().any(|known| known.path == full) {
            return Ok(());
        }
        if served.len() >= MOST {
            return Err(format!("more than {MOST} folders are not served"));
        }
        let own = full
            .file_name()
            .map_or("root".into(), |name| name.to_string_lossy());
        let is_taken = |name: &str| served.iter().any(|known| known.root.name == name);
        let names = (1..).map(|at| match at {
            1 => own.to_string(),
            at => format!("{own}-{at}"),
        });
        let name = names.into_iter().find(|name| !is_taken(name));
        let root = Root::open(&full, name.unwrap_or_default(), &self.opener)?;
        let ahead = match served.is_empty() {
            true => Ahead::Contexts,
            false => Ahead::Index,
        };
        root.start(ahead, &self.cancel);
        served.push(Served {
            path: full,
            root,
            by,
        });
        Ok(())
    }

    /// Serves the current folder, unless it is one that nobody means: some clients start
    /// servers at the top of the disk or in the user's home.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn add_current(&self) -> Result<(), String> {
        self.add_unasked(Path::new("."))
    }

    /// Serves what a client lists and what the user named, and nothing else. What is wrong
    /// with folders of the list is returned.
    pub(crate) fn follow(&self, listed: &[PathBuf]) -> Vec<String> {
        let full: Vec<PathBuf> = listed
            .iter()
            .filter_map(|path| path.canonicalize().ok())
            .collect();
        let is_kept = |known: &Served| known.by == By::User || full.contains(&known.path);
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        served.retain(is_kept);
        drop(served);
        let added = listed.iter().map(|path| self.add_unasked(path));
        added.filter_map(Result::err).collect()
    }

    /// Serves a folder that a client names, unless it is such a one.
    fn add_unasked(&self, folder: &Path) -> Result<(), String> {
        let failed = |error| format!("{}: {error}", folder.display());
        let here = folder.canonicalize().map_err(failed)?;
        let home = user_home().and_then(|home| home.canonicalize().ok());
        match here.parent().is_none() || home.as_ref() == Some(&here) {
            true => Err(format!(
                "{}: neither the whole disk nor a home is served unasked",
                here.display()
            )),
            false => self.serve(&here, By::Client),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list().is_empty()
    }

    pub(crate) fn list(&self) -> Vec<Arc<Root>> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        served.iter().map(|known| Arc::clone(&known.root)).collect()
    }

    /// The folder that a call means: by its name or its path, else the one that has what
    /// the call names in full.
    pub(crate) fn pick(&self, name: Option<&str>, paths: &[&Path]) -> Result<Arc<Root>, Wrong> {
        let roots = self.list();
        let names = || {
            let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
            names.join(", ")
        };
        let has_all = |root: &&Arc<Root>| paths.iter().all(|path| path.starts_with(root.path()));
        let around = || {
            let fitting = roots.iter().filter(has_all).filter(|_| !paths.is_empty());
            // Of folders within each other the inner one.
            fitting.max_by_key(|root| root.path().components().count())
        };
        match (name, roots.as_slice()) {
            (_, []) => Err(Wrong::new(
                "no folder is served: open one in the client, or put its path behind `mcp` in the \
                 command that starts the server (`infiniloom mcp install --root FOLDER` does)",
            )),
            (None, [only]) => Ok(Arc::clone(only)),
            (None, _) => around()
                .cloned()
                .ok_or_else(|| Wrong(format!("say which `root` is meant: {}", names()))),
            (Some(name), _) => {
                let is_it = |root: &&Arc<Root>| root.name == name || root.path() == Path::new(name);
                let found = roots.iter().find(is_it).cloned();
                found.ok_or_else(|| {
                    Wrong(format!("there is no root `{name}`; there are {}", names()))
                })
            }
        }
    }
}

impl Drop for Roots {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl std::fmt::Debug for Roots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.list().iter().map(|root| &root.name))
            .finish()
    }
}
