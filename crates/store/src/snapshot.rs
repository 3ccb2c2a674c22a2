//! Snapshots: the contents that the files of a root had, by their stamps.

use loom_base::{ContentHash, RepoPath, Stamp};
use loom_db::{Connection, Error, OptionalExtension, Row, params};

use crate::{Content, Digest, Store};

/// Content number of a binary file, which has no derived values.
pub(crate) const BINARY: i64 = 0;

/// Size of a stamp, five numbers of 8 bytes, and of the checksum after it: eight bytes show damage,
/// and need not resist an attack.
const STAMP: usize = 40;
const CHECK: usize = 8;

/// A file in a snapshot.
#[derive(Clone, Debug)]
pub struct SnapshotEntry {
    /// Path below the root.
    pub path: RepoPath,
    /// Stamp of the file when it was recorded.
    pub stamp: Stamp,
    /// Contents of the file with that stamp.
    pub version: Version,
    /// The index that read the file; negative if the contents have changed since, 0 if no index
    /// did.
    pub mark: i64,
}

/// Contents of a file.
#[derive(Clone, Debug)]
pub enum Version {
    /// A binary file.
    Binary,
    /// A text file with these contents.
    Content(Content, ContentHash),
}

impl Store {
    /// Returns the last snapshot of `root`, sorted by the bytes of the paths.
    pub fn snapshot(&self, root: &[u8]) -> Vec<SnapshotEntry> {
        let load = |db: &mut Connection| {
            let mut all = db.prepare_cached(
                "SELECT path, stamp, content, digest, hash, mark FROM file
                 LEFT JOIN content ON content.id = file.content
                 WHERE tree = (SELECT id FROM tree WHERE root = ?1) ORDER BY path",
            )?;
            let rows = all.query_map([root], |row| {
                let mark = row.get(5)?;
                Ok(parse_row(row).map(|known| SnapshotEntry { mark, ..known }))
            })?;
            let rows: Result<Vec<_>, Error> = rows.collect();
            Ok(rows?.into_iter().flatten().collect())
        };
        self.with(load).unwrap_or_default()
    }

    /// Marks the snapshot of `root` and all its values as used today.
    pub fn touch(&self, root: &[u8]) {
        let day = self.options.day;
        self.with(|db| {
            let found: Option<(i64, i64)> = db
                .query_row("SELECT id, used FROM tree WHERE root = ?1", [root], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?;
            // The order of use has a resolution of one day.
            let Some((tree, used)) = found.filter(|(_, used)| *used < day) else {
                return Ok(());
            };
            debug_assert!(used < day);
            let change = loom_db::begin(db)?;
            change.execute(
                "UPDATE content SET used = ?2 WHERE used < ?2
                 AND id IN (SELECT content FROM file WHERE tree = ?1)",
                params![tree, day],
            )?;
            change.execute(
                "UPDATE tree SET used = ?2 WHERE id = ?1",
                params![tree, day],
            )?;
            change.commit()
        });
    }

    /// Returns the note of `root`.
    pub fn note(&self, root: &[u8]) -> Option<Vec<u8>> {
        self.with(|db| {
            db.query_row("SELECT note FROM tree WHERE root = ?1", [root], |row| {
                row.get(0)
            })
            .optional()
        })?
        .flatten()
    }

    /// Stores a short note for a root that has a snapshot.
    pub fn set_note(&self, root: &[u8], note: &[u8]) {
        self.with(|db| {
            db.execute(
                "UPDATE tree SET note = ?2 WHERE root = ?1",
                params![root, note],
            )
        });
    }
}

/// Parses a row. Returns `None` if its checksum does not match.
pub(crate) fn parse_row(row: &Row<'_>) -> Option<SnapshotEntry> {
    let path: Vec<u8> = row.get(0).ok()?;
    let stamp: Vec<u8> = row.get(1).ok()?;
    let id: i64 = row.get(2).ok()?;
    let digest: Option<Vec<u8>> = row.get(3).ok()?;
    let hash: Option<Vec<u8>> = row.get(4).ok()?;
    let path = RepoPath::new(path).ok()?;
    let read = stamp_of(&stamp)?;
    let content = match (id, digest, hash) {
        (BINARY, _, _) => None,
        (id, Some(digest), Some(hash)) => Some((id, digest, hash)),
        _ => return None,
    };
    let held = content.as_ref();
    let held = held.map(|(_, digest, hash)| (digest.as_slice(), hash.as_slice()));
    if stamp != stamp_bytes(&path, &read, held) {
        return None;
    }
    let version = match content {
        None => Version::Binary,
        Some((id, digest, hash)) => {
            let digest = Digest::from_bytes(digest);
            let hash = ContentHash::from_bytes(hash.try_into().ok()?);
            Version::Content(Content { id, digest }, hash)
        }
    };
    Some(SnapshotEntry {
        path,
        stamp: read,
        version,
        mark: 0,
    })
}

/// Serialises a stamp with a checksum over the whole row. The checksum detects damage, and a row
/// number that was reused for other contents.
pub(crate) fn stamp_bytes(path: &RepoPath, stamp: &Stamp, held: Option<(&[u8], &[u8])>) -> Vec<u8> {
    let (digest, hash) = held.unwrap_or_default();
    let mut bytes = Vec::with_capacity(STAMP + CHECK);
    bytes.extend_from_slice(&stamp.size.to_le_bytes());
    bytes.extend_from_slice(&stamp.modified.to_le_bytes());
    bytes.extend_from_slice(&stamp.changed.to_le_bytes());
    bytes.extend_from_slice(&stamp.file.to_le_bytes());
    bytes.extend_from_slice(&stamp.device.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes);
    hasher.update(&(digest.len() as u64).to_le_bytes());
    hasher.update(digest);
    hasher.update(&(hash.len() as u64).to_le_bytes());
    hasher.update(hash).update(path.as_bytes());
    let sum = hasher.finalize();
    bytes.extend_from_slice(&sum.as_bytes()[..CHECK]);
    bytes
}

fn stamp_of(bytes: &[u8]) -> Option<Stamp> {
    let number = |at: usize| -> Option<[u8; 8]> { bytes.get(at * 8..at * 8 + 8)?.try_into().ok() };
    Some(Stamp {
        size: u64::from_le_bytes(number(0)?),
        modified: i64::from_le_bytes(number(1)?),
        changed: i64::from_le_bytes(number(2)?),
        file: u64::from_le_bytes(number(3)?),
        device: u64::from_le_bytes(number(4)?),
    })
}

#[cfg(test)]
mod tests;
