//! Opening, reading and giving up on the store.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use loom_db::{Connection, Error, Location, OpenError, OptionalExtension, params};

use crate::packed::{Seal, unpack};
use crate::schema::SCHEMA;
use crate::{Compression, Digest, HashChoice};

/// Configuration of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Compression of new values.
    pub compression: Compression,
    /// Hash function of the digests.
    pub hash: HashChoice,
    /// Maximum size of the store, in bytes.
    pub limit: u64,
    /// Today, as a day since 1970. Prunes remove the values with the earliest day first.
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

/// Producer of a value. Another version is another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueKind {
    /// Name of the value.
    pub name: &'static str,
    /// Version of the code that derives the value.
    pub version: u32,
}

/// Contents that have a row in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub(crate) id: i64,
    pub(crate) digest: Digest,
}

/// Reason why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The directory cannot be created.
    #[error("cannot create the directory {path}: {message}")]
    Folder {
        /// The directory.
        path: PathBuf,
        /// The error of the operating system.
        message: String,
    },
    /// The database cannot be opened or written.
    #[error("cannot use {path}: {source}")]
    Database {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: OpenError,
    },
}

/// Derived values by content, and snapshots of roots. Several threads and processes may share a
/// store. A store error never fails a run: a value that cannot be read is a cache miss, a value
/// that cannot be written is lost, and [`Store::trouble`] gives the reason.
#[derive(Debug)]
pub struct Store {
    pub(crate) path: Option<PathBuf>,
    pub(crate) options: Options,
    idle: Mutex<Vec<Connection>>,
    kinds: Mutex<HashMap<ValueKind, i64>>,
    trouble: Mutex<Option<String>>,
}

impl Store {
    /// Opens the store in a directory, or creates it. Replaces a store that is damaged or has
    /// another version.
    ///
    /// # Errors
    /// If the store can be neither opened nor created.
    pub fn open(folder: &Path, options: Options) -> Result<Self, StoreError> {
        make_folder(folder).map_err(|error| StoreError::Folder {
            path: folder.to_owned(),
            message: error.to_string(),
        })?;
        let path = Self::file_in(folder);
        take_over(folder, &path);
        let opened = match loom_db::open(Location::File(&path), &SCHEMA) {
            Err(OpenError::Damaged | OpenError::Other { .. }) => {
                remove(&path);
                loom_db::open(Location::File(&path), &SCHEMA)
            }
            opened => opened,
        };
        match opened {
            Ok(db) => Ok(Self::new(Some(path), options, db)),
            Err(source) => Err(StoreError::Database { path, source }),
        }
    }

    /// Creates a store that lasts as long as the process.
    pub fn in_memory(options: Options) -> Self {
        match loom_db::open(Location::Memory, &SCHEMA) {
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

    /// Returns the path of the store in a directory.
    pub fn file_in(folder: &Path) -> PathBuf {
        Self::file_of(folder, SCHEMA.version)
    }

    fn file_of(folder: &Path, version: i32) -> PathBuf {
        folder.join(format!("store-{version}.db"))
    }

    /// Removes the store in a directory and the stores of earlier versions there. Returns the freed
    /// bytes.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove(folder: &Path) -> std::io::Result<u64> {
        Ok(Self::remove_earlier(folder)? + remove_files(&Self::file_in(folder))?)
    }

    /// Removes the stores of earlier versions in a directory. Returns the freed bytes.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove_earlier(folder: &Path) -> std::io::Result<u64> {
        let earlier = (1..SCHEMA.version).map(|version| Self::file_of(folder, version));
        earlier.map(|file| remove_files(&file)).sum()
    }

    /// Returns the configuration of the store.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the error that disabled the store; `None` while it works.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// Looks up contents by their digest.
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

    /// Looks up a plain value.
    pub fn get(&self, content: &Content, kind: ValueKind, variant: i64) -> Option<Vec<u8>> {
        self.value(content, kind, variant, None)
    }

    /// Returns true if the store has a plain or encrypted value.
    pub fn has(&self, content: &Content, kind: ValueKind, variant: i64) -> bool {
        let found = self.with(|db| {
            let kind = self.known_kind(db, kind)?;
            let mut has = db.prepare_cached(
                "SELECT 1 FROM every WHERE content = ?1 AND kind = ?2 AND variant = ?3",
            )?;
            has.exists(params![content.id, kind, variant])
        });
        found.unwrap_or_default()
    }

    /// Looks up an encrypted value and decrypts it with the key of its contents.
    pub fn get_sealed(
        &self,
        content: &Content,
        kind: ValueKind,
        variant: i64,
        seal: &Seal,
    ) -> Option<Vec<u8>> {
        self.value(content, kind, variant, Some(seal))
    }

    fn value(
        &self,
        content: &Content,
        kind: ValueKind,
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

    /// Loads the plain values of one kind for all files of the last snapshot of `root`.
    pub fn values(&self, root: &[u8], kind: ValueKind) -> Values {
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

    /// Looks up the number of a kind. Returns an unused number if the store has none yet.
    fn known_kind(&self, db: &Connection, kind: ValueKind) -> Result<i64, Error> {
        if let Some(id) = lock(&self.kinds).get(&kind) {
            return Ok(*id);
        }
        Ok(find_kind(db, kind)?.unwrap_or(-1))
    }

    /// Looks up the number of a kind, or assigns one.
    pub(crate) fn kind(&self, db: &Connection, kind: ValueKind) -> Result<i64, Error> {
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

    /// Calls `work` with a connection that no other thread uses. Returns `None` if it fails, or if
    /// an earlier call failed.
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
        // A store in memory has one connection, so other threads wait for it.
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
        match loom_db::open(Location::File(path), &SCHEMA) {
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

    /// Disables the store. Removes a damaged file, so that the next run starts with a new one.
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

/// Plain values of one kind, loaded at once.
#[derive(Debug)]
pub struct Values {
    kind: ValueKind,
    packed: HashMap<(i64, i64), Vec<u8>>,
}

impl Values {
    /// Looks up a value.
    pub fn get(&self, content: &Content, variant: i64) -> Option<Vec<u8>> {
        let packed = self.packed.get(&(content.id, variant))?;
        unpack(packed, &address(&content.digest, self.kind, variant), None)
    }
}

fn find_kind(db: &Connection, kind: ValueKind) -> Result<Option<i64>, Error> {
    db.query_row(
        "SELECT id FROM kind WHERE name = ?1 AND version = ?2",
        params![kind.name, kind.version],
        |row| row.get(0),
    )
    .optional()
}

/// Returns the bytes that identify a value among all values.
pub(crate) fn address(digest: &Digest, kind: ValueKind, variant: i64) -> Vec<u8> {
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
    // Other users must not read data about the user's repositories.
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Renames the store of the latest earlier version, if this version has none. Opening upgrades it.
fn take_over(folder: &Path, path: &Path) {
    if path.exists() {
        return;
    }
    let before = (1..SCHEMA.version).rev();
    let before = before.map(|version| Store::file_of(folder, version));
    if let Some(before) = before.into_iter().find(|before| before.exists()) {
        // If a rename fails, the new version starts with an empty store.
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

/// Returns the database and the files that SQLite keeps next to it.
fn files_of(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

fn remove(path: &Path) {
    for file in files_of(path) {
        // A file that stays makes the next open fail, which reports the cause.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests;
