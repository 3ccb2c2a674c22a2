//! Values and files that one transaction writes.

use std::collections::HashMap;

use loom_base::{ContentHash, RepoPath, Stamp};
use loom_db::{Connection, Error, OptionalExtension, Transaction, params};

use crate::packed::{Seal, pack};
use crate::snapshot::{BINARY, stamp_bytes};
use crate::store::address;
use crate::{Digest, Options, Store, ValueKind};

/// Values and files to write in one transaction.
#[derive(Debug)]
pub struct Batch {
    options: Options,
    values: Vec<Value>,
    files: Vec<File>,
    gone: Vec<(Vec<u8>, RepoPath)>,
    bytes: usize,
}

#[derive(Debug)]
struct Value {
    digest: Digest,
    kind: ValueKind,
    variant: i64,
    packed: Vec<u8>,
    is_sealed: bool,
}

#[derive(Debug)]
struct File {
    root: Vec<u8>,
    path: RepoPath,
    stamp: Stamp,
    /// `None` for a binary file.
    content: Option<(Digest, ContentHash)>,
    mark: i64,
}

impl Batch {
    fn new(options: Options) -> Self {
        Self {
            options,
            values: Vec::new(),
            files: Vec::new(),
            gone: Vec::new(),
            bytes: 0,
        }
    }

    /// Returns true if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.files.is_empty() && self.gone.is_empty()
    }

    /// Returns the approximate size of the pending values and files, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Moves the values and files of `other` into this batch.
    pub fn append(&mut self, mut other: Self) {
        self.values.append(&mut other.values);
        self.files.append(&mut other.files);
        self.gone.append(&mut other.gone);
        self.bytes += other.bytes;
    }

    /// Adds a plain value. Use it only for values that quote nothing of the contents.
    pub fn put(&mut self, digest: &Digest, kind: ValueKind, variant: i64, value: &[u8]) {
        self.add(digest, kind, variant, value, None);
    }

    /// Adds an encrypted value. Only a reader that has the contents can decrypt it.
    pub fn put_sealed(
        &mut self,
        digest: &Digest,
        kind: ValueKind,
        variant: i64,
        value: &[u8],
        seal: &Seal,
    ) {
        self.add(digest, kind, variant, value, Some(seal));
    }

    fn add(
        &mut self,
        digest: &Digest,
        kind: ValueKind,
        variant: i64,
        value: &[u8],
        seal: Option<&Seal>,
    ) {
        let address = address(digest, kind, variant);
        let packed = pack(value, &address, self.options.compression, seal);
        self.bytes += packed.len() + 64;
        self.values.push(Value {
            digest: digest.clone(),
            kind,
            variant,
            packed,
            is_sealed: seal.is_some(),
        });
    }

    /// Records that the file `path` below `root` has these contents as long as it has this stamp;
    /// `None` for a binary file.
    pub fn file(
        &mut self,
        root: &[u8],
        path: &RepoPath,
        stamp: Stamp,
        content: Option<(Digest, ContentHash)>,
    ) {
        self.marked_file(root, path, stamp, 0, content);
    }

    /// Records a file like [`Batch::file`], with the mark of the index that read it.
    pub fn marked_file(
        &mut self,
        root: &[u8],
        path: &RepoPath,
        stamp: Stamp,
        mark: i64,
        content: Option<(Digest, ContentHash)>,
    ) {
        self.bytes += 128;
        self.files.push(File {
            root: root.to_vec(),
            path: path.clone(),
            stamp,
            content,
            mark,
        });
    }

    /// Removes a file from the snapshot.
    pub fn gone(&mut self, root: &[u8], path: &RepoPath) {
        self.bytes += 64;
        self.gone.push((root.to_vec(), path.clone()));
    }
}

impl Store {
    /// Returns an empty batch.
    pub fn batch(&self) -> Batch {
        Batch::new(self.options)
    }

    /// Writes the whole batch or nothing. If the write fails, [`Store::trouble`] gives the reason.
    /// If the store exceeds its limit, the least recently used values are removed.
    pub fn write(&self, batch: &Batch) {
        if batch.is_empty() {
            return;
        }
        let written = self.with(|db| {
            let mut change = Change::begin(self, db)?;
            for value in &batch.values {
                change.value(value)?;
            }
            for file in &batch.files {
                change.file(file)?;
            }
            for (root, path) in &batch.gone {
                change.gone(root, path)?;
            }
            change.commit()
        });
        if written.is_some() {
            self.stay_within_limit();
        }
    }
}

struct Change<'a> {
    store: &'a Store,
    change: Transaction<'a>,
    contents: HashMap<Digest, i64>,
    trees: HashMap<Vec<u8>, i64>,
}

impl<'a> Change<'a> {
    fn begin(store: &'a Store, db: &'a mut Connection) -> Result<Self, Error> {
        Ok(Self {
            store,
            change: loom_db::begin(db)?,
            contents: HashMap::new(),
            trees: HashMap::new(),
        })
    }

    fn commit(self) -> Result<(), Error> {
        self.change.commit()
    }

    fn content(&mut self, digest: &Digest, hash: Option<&ContentHash>) -> Result<i64, Error> {
        if let Some(id) = self.contents.get(digest)
            && hash.is_none()
        {
            return Ok(*id);
        }
        let mut insert = self.change.prepare_cached(
            "INSERT INTO content (digest, hash, used) VALUES (?1, ?2, ?3)
             ON CONFLICT (digest) DO UPDATE SET hash = coalesce(excluded.hash, hash),
                 used = max(used, excluded.used)
             RETURNING id",
        )?;
        let hash = hash.map(|hash| hash.as_bytes().as_slice());
        let day = self.store.options.day;
        let id = insert.query_row(params![digest.as_bytes(), hash, day], |row| row.get(0))?;
        self.contents.insert(digest.clone(), id);
        Ok(id)
    }

    fn value(&mut self, value: &Value) -> Result<(), Error> {
        let content = self.content(&value.digest, None)?;
        let kind = self.kind(value.kind)?;
        let mut insert = self.change.prepare_cached(match value.is_sealed {
            true => "INSERT OR REPLACE INTO sealed VALUES (?1, ?2, ?3, ?4)",
            false => "INSERT OR REPLACE INTO value VALUES (?1, ?2, ?3, ?4)",
        })?;
        insert.execute(params![content, kind, value.variant, value.packed])?;
        Ok(())
    }

    /// Looks up or assigns the number of a kind. A new number is invalid if the transaction fails.
    fn kind(&mut self, kind: ValueKind) -> Result<i64, Error> {
        self.store.kind(&self.change, kind)
    }

    fn tree(&mut self, root: &[u8]) -> Result<i64, Error> {
        if let Some(id) = self.trees.get(root) {
            return Ok(*id);
        }
        let id = self.change.query_row(
            // `touch` sets the day, together with that of the contents.
            "INSERT INTO tree (root, used) VALUES (?1, 0)
             ON CONFLICT (root) DO UPDATE SET used = used RETURNING id",
            params![root],
            |row| row.get(0),
        )?;
        self.trees.insert(root.to_vec(), id);
        Ok(id)
    }

    fn file(&mut self, file: &File) -> Result<(), Error> {
        let tree = self.tree(&file.root)?;
        let held = file.content.as_ref();
        let content = match held {
            Some((digest, hash)) => self.content(digest, Some(hash))?,
            None => BINARY,
        };
        let held = held.map(|(digest, hash)| (digest.as_bytes(), hash.as_bytes().as_slice()));
        let stamp = stamp_bytes(&file.path, &file.stamp, held);
        let mut insert = self.change.prepare_cached(
            "INSERT INTO file (tree, path, content, stamp, mark) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (tree, path) DO UPDATE SET stamp = excluded.stamp,
                     mark = CASE WHEN excluded.mark <> 0 THEN excluded.mark
                         WHEN content = excluded.content THEN mark ELSE -abs(mark) END,
                     content = excluded.content",
        )?;
        insert.execute(params![
            tree,
            file.path.as_bytes(),
            content,
            stamp,
            file.mark
        ])?;
        Ok(())
    }

    fn gone(&mut self, root: &[u8], path: &RepoPath) -> Result<(), Error> {
        let mut find = self
            .change
            .prepare_cached("SELECT id FROM tree WHERE root = ?1")?;
        let tree: Option<i64> = find.query_row([root], |row| row.get(0)).optional()?;
        let mut delete = self
            .change
            .prepare_cached("DELETE FROM file WHERE tree = ?1 AND path = ?2")?;
        delete.execute(params![tree, path.as_bytes()])?;
        Ok(())
    }
}
