//! One immutable state of a repository, on which every query runs.

use std::fmt;
use std::sync::{Arc, OnceLock};

use loom_host::{FoundFile, IndexUse, RepoPath, Searcher};

use crate::layer::Layer;
use crate::options::Settings;
use crate::session::{Choices, Reader, Session};
use crate::{Control, Result};

/// The identity of a state: equal for two snapshots of the same files and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapshotId([u8; 16]);

impl SnapshotId {
    /// The identity of a state with these files.
    pub(crate) fn identify(reader: &Reader, files: &Files) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(format!("{:?}", reader.resolved).as_bytes());
        for revision in reader.packer.source().revisions() {
            add(revision.commit.as_bytes());
        }
        for list in [&files.shown, &files.teaching] {
            add(b"");
            for file in list {
                add(file.path.as_bytes());
                add(file.stamp.as_bytes());
            }
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(id)
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// One state of a repository. Queries on it never wait for a change, and a change never
/// cancels them. Clones share the state.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    reader: Reader,
    /// Made when it is needed if the state is unlisted.
    listing: OnceLock<Listing>,
    /// The files with their known secrets, for queries that show lines.
    lines: Layer<Searcher>,
    /// The same with an index of every file, for queries about symbols and ranks.
    whole: Layer<Searcher>,
    /// The layers of the state before.
    earlier: Earlier,
}

/// The files of a state, and the identity that they give it.
#[derive(Debug)]
struct Listing {
    id: SnapshotId,
    files: Files,
}

/// The files of a state, as the file system knew them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files {
    /// The files of the source.
    pub(crate) shown: Vec<ListedFile>,
    /// All files whose secrets are redacted.
    pub(crate) teaching: Vec<ListedFile>,
}

impl Files {
    /// Lists the files and their stamps.
    pub(crate) fn list(reader: &Reader) -> Self {
        let found = reader.packer.source_files();
        let file = |file: &FoundFile| ListedFile {
            path: file.path.clone(),
            stamp: match file.text_hash() {
                Some(hash) => format!("{hash:?}"),
                None => format!("{:?}", file.stamp()),
            },
        };
        Self {
            shown: found.files.iter().map(file).collect(),
            teaching: found.teaching.iter().map(file).collect(),
        }
    }
}

/// A file of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub(crate) path: RepoPath,
    /// The text of its stamp.
    pub(crate) stamp: String,
}

/// The layers that a state goes on from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Earlier {
    lines: Option<Arc<Searcher>>,
    whole: Option<Arc<Searcher>>,
}

impl Snapshot {
    pub(crate) fn new(id: SnapshotId, reader: Reader, files: Files, earlier: Earlier) -> Self {
        Self::with_listing(reader, OnceLock::from(Listing { id, files }), earlier)
    }

    /// A state whose files are listed only if somebody asks for the list.
    pub(crate) fn unlisted(reader: Reader) -> Self {
        Self::with_listing(reader, OnceLock::new(), Earlier::default())
    }

    fn with_listing(reader: Reader, listing: OnceLock<Listing>, earlier: Earlier) -> Self {
        let state = State {
            reader,
            listing,
            lines: Layer::default(),
            whole: Layer::default(),
            earlier,
        };
        Self {
            state: Arc::new(state),
        }
    }

    fn listing(&self) -> &Listing {
        self.state.listing.get_or_init(|| {
            let files = Files::list(&self.state.reader);
            Listing {
                id: SnapshotId::identify(&self.state.reader, &files),
                files,
            }
        })
    }

    /// Returns the identity of the state.
    pub fn id(&self) -> SnapshotId {
        self.listing().id
    }

    /// Returns the settings of the state.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.state.reader.resolved))
    }

    /// Returns the number of files in the state.
    pub fn file_count(&self) -> usize {
        self.listing().files.shown.len()
    }

    /// Returns the paths of the files, redacted and in order.
    ///
    /// # Errors
    /// If the known secrets of the state cannot be read, or the run is cancelled.
    pub fn files(&self, control: &Control) -> Result<Vec<String>> {
        control.run(|| {
            let session = self.session(&Choices::default(), control)?;
            let searcher = self.lines(&session, IndexUse::Auto)?;
            Ok(searcher
                .paths()
                .map(|path| path.display().into_owned())
                .collect())
        })
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.state.reader
    }

    pub(crate) fn listed(&self) -> &Files {
        &self.listing().files
    }

    pub(crate) fn session(&self, choices: &Choices, control: &Control) -> Result<Session> {
        self.state.reader.session(choices, control)
    }

    /// Returns the layers that a later state of the same reader goes on from.
    pub(crate) fn as_earlier(&self) -> Earlier {
        Earlier {
            lines: self
                .state
                .lines
                .built()
                .or(self.state.earlier.lines.clone()),
            whole: self
                .state
                .whole
                .built()
                .or(self.state.earlier.whole.clone()),
        }
    }

    /// Returns the files with all their known secrets, ready to be searched as a query asks.
    pub(crate) fn lines(&self, session: &Session, usage: IndexUse) -> Result<Arc<Searcher>> {
        let open = |usage: IndexUse| {
            let packer = Arc::clone(&session.packer);
            Searcher::open(packer, usage, &*session.progress, &session.cancel)
        };
        if !session.is_shared || usage == IndexUse::Off {
            return Ok(Arc::new(open(usage)?));
        }
        let refreshed = |earlier: &Option<Arc<Searcher>>| match earlier {
            Some(earlier) => Ok(match earlier.refreshed(&session.cancel)? {
                Some(searcher) => Some(Arc::new(searcher)),
                None => Some(Arc::clone(earlier)),
            }),
            None => Ok::<_, loom_host::PackError>(None),
        };
        let State {
            lines,
            whole,
            earlier,
            ..
        } = &*self.state;
        match usage {
            IndexUse::Update => whole.get(&session.cancel, || {
                let known = refreshed(&earlier.whole)?.filter(|known| known.is_whole());
                Ok(match known {
                    Some(known) => known,
                    None => Arc::new(open(usage)?),
                })
            }),
            _ => match whole.built() {
                Some(whole) => Ok(whole),
                None => lines.get(&session.cancel, || {
                    Ok(match refreshed(&earlier.lines)? {
                        Some(known) => known,
                        None => Arc::new(open(usage)?),
                    })
                }),
            },
        }
    }
}
