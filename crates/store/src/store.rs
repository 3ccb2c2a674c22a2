//! The store: opening it, asking it, and what happens when it cannot be used.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use loom_db::{Connection, Error, OpenError, OptionalExtension, Place, params};

use crate::packed::{Seal, unpack};
use crate::schema::SCHEMA;
use crate::{Compression, Digest, HashChoice};

/// How a store works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How values are made small.
    pub compression: Compression,
    /// By what contents are known.
    pub hash: HashChoice,
    /// How large the store may grow, in bytes.
    pub limit: u64,
    /// Today, as a day since 1970: what was used long ago goes first.
    pub day: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            compression: Compression::default(),
            hash: HashChoice::default(),
            limit: 2_000_000_000,
            day: 0,
        }
    }
}

/// Who derived a value. Another version is another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// What the value is.
    pub name: &'static str,
    /// Which version of the program derived it.
    pub version: u32,
}

/// Contents that the store has met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub(crate) id: i64,
    pub(crate) digest: Digest,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Its folder cannot be made.
    #[error("cannot make the folder {path}: {message}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
    /// The database cannot be opened or written.
    #[error("cannot use {path}: {source}")]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        source: OpenError,
    },
}

/// What was derived from contents, and snapshots of trees. Safe for several threads
/// and several processes. Nothing here fails a run: what cannot be read is not there,
/// what cannot be written is not kept, and [`Store::trouble`] says why.
#[derive(Debug)]
pub struct Store {
    pub(crate) path: Option<PathBuf>,
    pub(crate) options: Options,
    idle: Mutex<Vec<Connection>>,
    kinds: Mutex<HashMap<Kind, i64>>,
    trouble: Mutex<Option<String>>,
}

impl Store {
    /// Opens the store in `folder`, and makes it where there is none. One that is
    /// damaged or of another version is made anew.
    ///
    /// # Errors
    /// When it can be neither opened nor made.
    pub fn open(folder: &Path, options: Options) -> Result<Self, StoreError> {
        make_folder(folder).map_err(|error| StoreError::Folder {
            path: folder.to_owned(),
            message: error.to_string(),
        })?;
        let path = Self::file_in(folder);
        take_over(folder, &path);
        let opened = match loom_db::open(Place::File(&path), &SCHEMA) {
            Err(OpenError::Damaged | OpenError::Other { .. }) => {
                remove(&path);
                loom_db::open(Place::File(&path), &SCHEMA)
            }
            opened => opened,
        };
        match opened {
            Ok(db) => Ok(Self::new(Some(path), options, db)),
            Err(source) => Err(StoreError::Database { path, source }),
        }
    }

    /// A store that goes with the process.
    pub fn in_memory(options: Options) -> Self {
        match loom_db::open(Place::Memory, &SCHEMA) {
            Ok(db) => Self::new(None, options, db),
            Err(error) => Self {
                path: None,
                options,
                idle: Mutex::default(),
                kinds: Mutex::default(),
                trouble: Mutex::new(Some(error.to_string())),
            },
        }
    }

    fn new(path: Option<PathBuf>, options: Options, db: Connection) -> Self {
        Self {
            path,
            options,
            idle: Mutex::new(vec![db]),
            kinds: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    /// The file of the store in `folder`.
    pub fn file_in(folder: &Path) -> PathBuf {
        Self::file_of(folder, SCHEMA.version)
    }

    fn file_of(folder: &Path, version: i32) -> PathBuf {
        folder.join(format!("store-{version}.db"))
    }

    /// Removes the store in `folder`, and what earlier versions left there; says how
    /// many bytes that freed.
    ///
    /// # Errors
    /// When a file of it cannot be removed.
    pub fn remove(folder: &Path) -> std::io::Result<u64> {
        Ok(Self::remove_earlier(folder)? + remove_files(&Self::file_in(folder))?)
    }

    /// Removes the stores of earlier versions in `folder`; says how many bytes that
    /// freed.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_earlier(folder: &Path) -> std::io::Result<u64> {
        let earlier = (1..SCHEMA.version).map(|version| Self::file_of(folder, version));
        earlier.map(|file| remove_files(&file)).sum()
    }

    /// The choices it was opened with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Why the store is no longer used, in words; `None` while all is well.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// The contents with that hash.
    pub fn find(&self, digest: &Digest) -> Option<Content> {
        let id = self.with(|db| {
            let mut find = db.prepare_cached("SELECT id FROM content WHERE digest = ?1")?;
            find.query_row([digest.as_bytes()], |row| row.get(0))
                .optional()
        })??;
        Some(Content {
            id,
            digest: digest.clone(),
        })
    }

    /// A plain value.
    pub fn get(&self, content: &Content, kind: Kind, variant: i64) -> Option<Vec<u8>> {
        self.value(content, kind, variant, None)
    }

    /// Whether there is such a value, of either form.
    pub fn has(&self, content: &Content, kind: Kind, variant: i64) -> bool {
        let found = self.with(|db| {
            let kind = self.known_kind(db, kind)?;
            let mut has = db.prepare_cached(
                "SELECT 1 FROM every WHERE content = ?1 AND kind = ?2 AND variant = ?3",
            )?;
            has.exists(params![content.id, kind, variant])
        });
        found.unwrap_or_default()
    }

    /// A sealed value, opened by the contents that it was derived from.
    pub fn get_sealed(
        &self,
        content: &Content,
        kind: Kind,
        variant: i64,
        seal: &Seal,
    ) -> Option<Vec<u8>> {
        self.value(content, kind, variant, Some(seal))
    }

    fn value(
        &self,
        content: &Content,
        kind: Kind,
        variant: i64,
        seal: Option<&Seal>,
    ) -> Option<Vec<u8>> {
        let packed: Vec<u8> = self.with(|db| {
            let kind = self.known_kind(db, kind)?;
            let mut get = db.prepare_cached(match seal {
                Some(_) => {
                    "SELECT packed FROM sealed WHERE content = ?1 AND kind = ?2 AND variant = ?3"
                }
                None => {
                    "SELECT packed FROM value WHERE content = ?1 AND kind = ?2 AND variant = ?3"
                }
            })?;
            get.query_row(params![content.id, kind, variant], |row| row.get(0))
                .optional()
        })??;
        unpack(&packed, &address(&content.digest, kind, variant), seal)
    }

    /// The plain values of one kind of everything in the last snapshot of `root`.
    pub fn values(&self, root: &[u8], kind: Kind) -> Values {
        let load = |db: &mut Connection| {
            let id = self.known_kind(db, kind)?;
            let mut all = db.prepare_cached(
                "SELECT value.content, variant, packed FROM value
                 WHERE kind = ?2 AND value.content IN (
                     SELECT file.content FROM file JOIN tree ON tree.id = file.tree
                     WHERE tree.root = ?1)",
            )?;
            let rows = all.query_map(params![root, id], |row| {
                Ok(((row.get(0)?, row.get(1)?), row.get(2)?))
            })?;
            rows.collect()
        };
        Values {
            kind,
            packed: self.with(load).unwrap_or_default(),
        }
    }

    /// The number of a kind in this store; one that nothing has where there is none yet.
    fn known_kind(&self, db: &Connection, kind: Kind) -> Result<i64, Error> {
        if let Some(id) = lock(&self.kinds).get(&kind) {
            return Ok(*id);
        }
        Ok(find_kind(db, kind)?.unwrap_or(-1))
    }

    /// The number of a kind in this store, which gets one.
    pub(crate) fn kind(&self, db: &Connection, kind: Kind) -> Result<i64, Error> {
        if let Some(id) = lock(&self.kinds).get(&kind) {
            return Ok(*id);
        }
        let id = match find_kind(db, kind)? {
            Some(id) => id,
            None => {
                db.execute(
                    "INSERT OR IGNORE INTO kind (name, version) VALUES (?1, ?2)",
                    params![kind.name, kind.version],
                )?;
                find_kind(db, kind)?.unwrap_or_default()
            }
        };
        lock(&self.kinds).insert(kind, id);
        Ok(id)
    }

    /// Works with a connection that nobody else uses meanwhile. `None` where that
    /// fails, or did before.
    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Error>,
    ) -> Option<T> {
        if lock(&self.trouble).is_some() {
            return None;
        }
        let mut db = self.connection()?;
        match work(&mut db) {
            Ok(result) => {
                lock(&self.idle).push(db);
                Some(result)
            }
            Err(error) => {
                drop(db);
                self.give_up(&error);
                None
            }
        }
    }

    fn connection(&self) -> Option<Connection> {
        // One in memory has no second connection: whoever comes later waits.
        let Some(path) = &self.path else {
            loop {
                if let Some(db) = lock(&self.idle).pop() {
                    return Some(db);
                }
                if lock(&self.trouble).is_some() {
                    return None;
                }
                std::thread::yield_now();
            }
        };
        if let Some(db) = lock(&self.idle).pop() {
            return Some(db);
        }
        match loom_db::open(Place::File(path), &SCHEMA) {
            Ok(db) => Some(db),
            Err(OpenError::Sqlite(error)) => {
                self.give_up(&error);
                None
            }
            Err(error) => {
                lock(&self.trouble).get_or_insert(error.to_string());
                None
            }
        }
    }

    /// From now on nothing is asked and nothing is kept. A damaged file goes, so that
    /// the next run begins with a new one.
    fn give_up(&self, error: &Error) {
        lock(&self.trouble).get_or_insert(loom_db::in_words(error));
        if loom_db::is_damage(error) {
            self.discard();
        }
    }

    pub(crate) fn discard(&self) {
        lock(&self.idle).clear();
        if let Some(path) = &self.path {
            remove(path);
        }
    }
}

/// Plain values of one kind.
#[derive(Debug)]
pub struct Values {
    kind: Kind,
    packed: HashMap<(i64, i64), Vec<u8>>,
}

impl Values {
    /// A value.
    pub fn get(&self, content: &Content, variant: i64) -> Option<Vec<u8>> {
        let packed = self.packed.get(&(content.id, variant))?;
        unpack(packed, &address(&content.digest, self.kind, variant), None)
    }
}

fn find_kind(db: &Connection, kind: Kind) -> Result<Option<i64>, Error> {
    db.query_row(
        "SELECT id FROM kind WHERE name = ?1 AND version = ?2",
        params![kind.name, kind.version],
        |row| row.get(0),
    )
    .optional()
}

/// What tells a value from all others.
pub(crate) fn address(digest: &Digest, kind: Kind, variant: i64) -> Vec<u8> {
    let mut address = digest.as_bytes().to_vec();
    address.extend_from_slice(kind.name.as_bytes());
    address.extend_from_slice(&kind.version.to_le_bytes());
    address.extend_from_slice(&variant.to_le_bytes());
    address
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    // What a repository holds is nobody else's business.
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Where there is no store of this version, that of the version before becomes it.
fn take_over(folder: &Path, path: &Path) {
    if path.exists() {
        return;
    }
    let before = (1..SCHEMA.version).rev();
    let before = before.map(|version| Store::file_of(folder, version));
    if let Some(before) = before.into_iter().find(|before| before.exists()) {
        // Whoever cannot have it begins anew.
        for (from, to) in files_of(&before).iter().zip(files_of(path)).rev() {
            let _ = fs::rename(from, to);
        }
    }
}

fn remove_files(path: &Path) -> std::io::Result<u64> {
    let mut freed = 0;
    for file in files_of(path) {
        match fs::metadata(&file) {
            Ok(meta) => {
                fs::remove_file(&file)?;
                freed += meta.len();
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(freed)
}

/// The database and what SQLite keeps beside it.
fn files_of(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

fn remove(path: &Path) {
    for file in files_of(path) {
        // One that stays is in the way of the next open, which says so.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests;
