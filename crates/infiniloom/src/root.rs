//! Roots: directories and files, from the working tree or a commit, remotes, and texts in memory.

use std::path::{Path, PathBuf};

use loom_host::{
    Address, FetchObserver, NamedText, OpenError, RemoteChoice, Separator, Source, split_list,
};

use crate::control::FetchEvent;
use crate::error::ErrorKind;
use crate::{Control, Error, Result, Text};

/// The name of a root of texts.
const TEXTS: &str = "texts";

/// The separator of the paths in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListSeparator {
    /// NUL if the list contains one, else newlines.
    Detect,
    /// NUL.
    Nul,
}

/// A directory, a file, a commit, a remote, or texts to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    place: Place,
    revision: Option<String>,
    branch: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Path(PathBuf),
    List {
        directory: PathBuf,
        paths: Vec<Vec<u8>>,
    },
    /// The repository around a path.
    Around(PathBuf),
    Url(String),
    Texts(Vec<Text>),
}

impl Root {
    fn new(place: Place) -> Self {
        Self {
            place,
            revision: None,
            branch: None,
        }
    }

    /// Creates the root of a directory or file.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::new(Place::Path(path.into()))
    }

    /// Creates a root for the repository that contains a path. The path need not exist. The root
    /// reads a commit: `HEAD`, or a revision.
    pub fn repository_of(path: impl Into<PathBuf>) -> Self {
        Self::new(Place::Around(path.into()))
    }

    /// Creates a root of only the listed paths of a directory, even if an ignore file excludes
    /// them. A directory in the list includes everything in it.
    pub fn list(
        directory: impl Into<PathBuf>,
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
    ) -> Self {
        let paths = paths.into_iter().map(Into::into);
        let paths = paths.map(|path: PathBuf| path.into_os_string().into_encoded_bytes());
        Self::new(Place::List {
            directory: directory.into(),
            paths: paths.collect(),
        })
    }

    /// Creates the root of a remote repository, which is fetched when it is opened.
    pub fn url(url: impl Into<String>) -> Self {
        Self::new(Place::Url(url.into()))
    }

    /// Creates a root of texts in memory, each with its path as a name. The rules of a directory
    /// apply, including ignore files and `infiniloom.toml`. Nothing is read from the machine.
    pub fn texts(texts: impl IntoIterator<Item = Text>) -> Self {
        Self::new(Place::Texts(texts.into_iter().collect()))
    }

    /// Parses a root as a person types it: the URL of a remote, else a path. A service must not use
    /// this, because it fetches a text that looks like a URL.
    ///
    /// # Errors
    /// If the text looks like a URL and is invalid.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(match Address::parse(text)? {
            Some(_) => Self::url(text),
            None => Self::path(text),
        })
    }

    /// Parses a root as a person types it together with a revision. A path in the commit is not a
    /// URL, even if the working tree lacks it.
    ///
    /// # Errors
    /// If the text looks like a URL and is invalid.
    pub fn parse_at(text: &str, revision: &str) -> Result<Self> {
        let is_in_commit = || Source::open_revision(&[text], revision).is_ok();
        let root = match !Address::is_plain(text) && is_in_commit() {
            true => Self::path(text),
            false => Self::parse(text)?,
        };
        Ok(root.revision(revision))
    }

    /// Parses a list of paths, such as the output of `git diff --name-only -z`: see [`Root::list`].
    ///
    /// # Errors
    /// If the list is empty.
    pub fn parse_list(
        directory: impl Into<PathBuf>,
        list: &[u8],
        separator: ListSeparator,
    ) -> Result<Self> {
        let separator = match separator {
            ListSeparator::Detect => Separator::Detect,
            ListSeparator::Nul => Separator::Nul,
        };
        let paths = split_list(list, separator);
        match paths.is_empty() {
            true => Err(Error::invalid("empty_list", "the list has no paths")),
            false => Ok(Self::new(Place::List {
                directory: directory.into(),
                paths,
            })),
        }
    }

    /// Returns whether the root is fetched when it is opened.
    pub fn is_remote(&self) -> bool {
        matches!(self.place, Place::Url(_))
    }

    /// Reads the commit of this revision: a branch, a tag, a hash, `HEAD~3`.
    #[must_use]
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = Some(revision.into());
        self
    }

    /// Reads this branch or tag of a remote.
    #[must_use]
    pub fn branch(mut self, branch: impl Into<String>) -> Self {
        self.branch = Some(branch.into());
        self
    }

    /// Returns the path of a directory or file on this machine.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match &self.place {
            Place::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Opens all roots as one source, and fetches remotes with `commits` commits.
    pub(crate) fn open_all(roots: &[Self], commits: usize, control: &Control) -> Result<Source> {
        let mut sources = Vec::new();
        for local in locals(roots)? {
            sources.push(local.open()?);
        }
        for root in roots {
            match &root.place {
                Place::Path(_) => {}
                Place::List { directory, paths } => {
                    let revision = root.revision.as_deref();
                    sources.push(Source::open_list(directory, paths, revision)?);
                }
                Place::Around(path) => sources.push(root.open_around(path)?),
                Place::Url(url) => sources.push(root.open_remote(url, commits, control)?),
                Place::Texts(texts) => sources.push(root.open_texts(texts)?),
            }
        }
        Ok(Source::join(sources))
    }

    fn open_around(&self, path: &Path) -> Result<Source> {
        let revision = self.revision.as_deref().unwrap_or("HEAD");
        Ok(Source::open_repository(path, revision)?)
    }

    fn open_texts(&self, texts: &[Text]) -> Result<Source> {
        if self.revision.is_some() {
            let message = "a revision is for repositories, and the root consists of texts";
            return Err(Error::invalid("revision_of_texts", message));
        }
        let texts = texts.iter().map(|text| NamedText {
            path: text.name().to_owned(),
            text: text.text().to_owned(),
        });
        Source::of_texts(TEXTS, texts)
            .map_err(|error| Error::with_cause(ErrorKind::Invalid, "invalid_texts", error))
    }

    fn open_remote(&self, url: &str, commits: usize, control: &Control) -> Result<Source> {
        let address = Address::parse(url)?.ok_or_else(|| {
            Error::invalid("invalid_url", format!("{url:?} is a path, not a URL"))
        })?;
        if cfg!(not(feature = "http")) {
            let message = format!("cannot fetch {address}: this build cannot open connections");
            let error = Error::with_message(ErrorKind::Unavailable, "feature_missing", message);
            return Err(error.with_hint("build with the feature `http`".to_owned()));
        }
        let choice = RemoteChoice {
            branch: self.branch.as_deref(),
            revision: self.revision.as_deref(),
            commits,
        };
        let fetching = Fetching {
            cancel: control.token(),
            control,
            url: address.to_string(),
        };
        Ok(Source::open_remote(&address, choice, &fetching)?)
    }
}

/// Paths of the same revision. Together they are one source, in which paths of one repository form
/// one tree.
struct Local<'r> {
    paths: Vec<&'r Path>,
    revision: Option<&'r str>,
}

impl Local<'_> {
    fn open(&self) -> Result<Source, OpenError> {
        match self.revision {
            Some(revision) => Source::open_revision(&self.paths, revision),
            None => Source::open(&self.paths),
        }
    }
}

fn locals(roots: &[Root]) -> Result<Vec<Local<'_>>> {
    let mut locals: Vec<Local<'_>> = Vec::new();
    for root in roots {
        let is_remote = matches!(root.place, Place::Url(_));
        if root.branch.is_some() && !is_remote {
            let message = "a branch is for remotes, and the root is none";
            return Err(Error::invalid("branch_of_path", message)
                .with_hint("a revision reads a commit of a path".to_owned()));
        }
        let Place::Path(path) = &root.place else {
            continue;
        };
        let revision = root.revision.as_deref();
        match locals.iter_mut().find(|local| local.revision == revision) {
            Some(local) => local.paths.push(path),
            None => locals.push(Local {
                paths: vec![path],
                revision,
            }),
        }
    }
    Ok(locals)
}

impl From<&str> for Root {
    fn from(path: &str) -> Self {
        Self::path(path)
    }
}

impl From<String> for Root {
    fn from(path: String) -> Self {
        Self::path(path)
    }
}

impl From<&Path> for Root {
    fn from(path: &Path) -> Self {
        Self::path(path)
    }
}

impl From<&PathBuf> for Root {
    fn from(path: &PathBuf) -> Self {
        Self::path(path)
    }
}

impl From<PathBuf> for Root {
    fn from(path: PathBuf) -> Self {
        Self::path(path)
    }
}

/// Reports the progress of a fetch to the caller.
struct Fetching<'c> {
    cancel: loom_host::Cancel,
    control: &'c Control,
    url: String,
}

impl FetchObserver for Fetching<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn is_interactive(&self) -> bool {
        self.control.is_interactive()
    }

    fn progress(&self, words: &str) {
        self.control.report_fetch(&FetchEvent::Message {
            url: self.url.clone(),
            text: words.to_owned(),
        });
    }

    fn made_folder(&self, folder: &Path) {
        self.control.report_fetch(&FetchEvent::Directory {
            path: folder.to_owned(),
        });
    }
}
