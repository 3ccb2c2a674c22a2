//! The folders that are served, and how a call names one of them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use loom_host::{Cancel, Packer};

use crate::arguments::Wrong;
use crate::root::{Ahead, Root};

/// Opens a folder with the settings that hold there; says what is wrong where that
/// cannot be done.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Packer, String> + Send + Sync>;

/// More than any editor has open; a client that names more is not served them.
const MOST: usize = 32;

/// The folders that are served.
pub struct Roots {
    opener: Opener,
    served: RwLock<Vec<(PathBuf, Arc<Root>)>>,
    cancel: Cancel,
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
        let full = path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        if served.iter().any(|(known, _)| *known == full) {
            return Ok(());
        }
        if served.len() >= MOST {
            return Err(format!("more than {MOST} folders are not served"));
        }
        let own = full
            .file_name()
            .map_or("root".into(), |name| name.to_string_lossy());
        let is_taken = |name: &str| served.iter().any(|(_, root)| root.name == name);
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
        served.push((full, root));
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

    /// Serves a folder that a client names, unless it is such a one.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn add_unasked(&self, folder: &Path) -> Result<(), String> {
        let here = folder.canonicalize().map_err(|error| error.to_string())?;
        let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let home = home.map(PathBuf::from);
        let home = home.and_then(|home| home.canonicalize().ok());
        match here.parent().is_none() || home.as_ref() == Some(&here) {
            true => Err("neither the whole disk nor a home is served unasked".to_owned()),
            false => self.add(&here),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list().is_empty()
    }

    pub(crate) fn list(&self) -> Vec<Arc<Root>> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        served.iter().map(|(_, root)| Arc::clone(root)).collect()
    }

    /// The folder that a call means.
    pub(crate) fn pick(&self, name: Option<&str>) -> Result<Arc<Root>, Wrong> {
        let roots = self.list();
        let names = || {
            let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
            names.join(", ")
        };
        match (name, roots.as_slice()) {
            (_, []) => Err(Wrong::new(
                "no folder is served: open one in the client, or put its path behind `mcp` in the \
                 command that starts the server (`infiniloom mcp install --root FOLDER` does)",
            )),
            (None, [only]) => Ok(Arc::clone(only)),
            (None, _) => Err(Wrong(format!("say which `root` is meant: {}", names()))),
            (Some(name), _) => {
                let found = roots.iter().find(|root| root.name == name).cloned();
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
