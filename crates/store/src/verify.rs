//! Statistics, and verification of every value.

use std::collections::BTreeMap;

use loom_db::{Connection, Error, params};

use crate::packed::is_whole;
use crate::prune::used;
use crate::snapshot::parse_row;
use crate::store::{Content, ValueKind, address};
use crate::{Digest, Store};

/// Statistics of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Distinct contents.
    pub contents: usize,
    /// Roots with a snapshot.
    pub trees: usize,
    /// Files in these snapshots.
    pub files: usize,
    /// Number and bytes of the values of each kind.
    pub values: BTreeMap<String, (usize, u64)>,
    /// Bytes of the database in use.
    pub bytes: u64,
}

/// Result of a full verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Checked values.
    pub values: usize,
    /// Damaged values, which were removed.
    pub wrong: usize,
    /// True if the database itself was damaged and was removed.
    pub was_broken: bool,
}

impl Store {
    /// Returns the bytes of the database in use.
    pub fn bytes(&self) -> Option<u64> {
        self.with(|db| used(db))
    }

    /// Counts contents, snapshots and values.
    pub fn stats(&self) -> Option<Stats> {
        self.with(|db| {
            let count = |table: &str| {
                db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0).map(size)
                })
            };
            let mut kinds = db.prepare(
                "SELECT name, version, count(*), sum(length(packed)) FROM every
                 JOIN kind ON kind.id = every.kind GROUP BY kind.id",
            )?;
            let kinds = kinds.query_map([], |row| {
                let (name, version): (String, u32) = (row.get(0)?, row.get(1)?);
                let bytes: i64 = row.get(3)?;
                let bytes = u64::try_from(bytes).unwrap_or_default();
                Ok((format!("{name} {version}"), (size(row.get(2)?), bytes)))
            })?;
            Ok(Stats {
                contents: count("content")?,
                trees: count("tree")?,
                files: count("file")?,
                values: kinds.collect::<Result<_, _>>()?,
                bytes: used(db)?,
            })
        })
    }

    /// Checks every value and file, and removes the damaged ones.
    pub fn verify(&self) -> Option<Verified> {
        let is_sound = self.with(|db| {
            let verdict: String =
                db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            Ok(verdict == "ok")
        });
        match is_sound {
            Some(true) => return self.with(check_values),
            Some(false) => self.discard(),
            // If the file still exists, the store cannot be read now; otherwise it was damaged and
            // removed.
            None if self.path.as_ref().is_some_and(|path| path.exists()) => return None,
            None => {}
        }
        Some(Verified {
            was_broken: true,
            ..Verified::default()
        })
    }
}

/// Checks without blocking other processes; writes only to remove damaged rows.
fn check_values(db: &mut Connection) -> Result<Verified, Error> {
    let (values, wrong) = wrong_values(db)?;
    let files = wrong_files(db)?;
    let verified = Verified {
        values,
        wrong: wrong.len() + files.len(),
        was_broken: false,
    };
    if verified.wrong > 0 {
        let change = loom_db::begin(db)?;
        for (content, kind, variant) in wrong {
            for table in ["value", "sealed"] {
                change.execute(
                    &format!(
                        "DELETE FROM {table} WHERE content = ?1 AND kind = ?2 AND variant = ?3"
                    ),
                    params![content, kind, variant],
                )?;
            }
        }
        for (tree, path) in files {
            change.execute(
                "DELETE FROM file WHERE tree = ?1 AND path = ?2",
                params![tree, path],
            )?;
        }
        change.commit()?;
    }
    Ok(verified)
}

type ValueKey = (i64, i64, i64);

/// Counts all values and lists the damaged ones.
fn wrong_values(db: &Connection) -> Result<(usize, Vec<ValueKey>), Error> {
    let mut all = db.prepare(
        "SELECT content, kind, variant, packed, digest, name, version FROM every
         LEFT JOIN content ON content.id = every.content
         LEFT JOIN kind ON kind.id = every.kind",
    )?;
    let (mut count, mut wrong) = (0, Vec::new());
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        count += 1;
        let (id, kind, variant) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let packed: Vec<u8> = row.get(3)?;
        let digest: Option<Vec<u8>> = row.get(4)?;
        let named: (Option<String>, Option<u32>) = (row.get(5)?, row.get(6)?);
        let is_right = match (digest, named) {
            (Some(digest), (Some(name), Some(version))) => {
                let digest = Digest::from_bytes(digest);
                let content = Content { id, digest };
                is_value(&content, &name, version, variant, &packed)
            }
            _ => false,
        };
        if !is_right {
            wrong.push((id, kind, variant));
        }
    }
    Ok((count, wrong))
}

/// Lists the files in snapshots whose row is damaged.
fn wrong_files(db: &Connection) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    let mut all = db.prepare(
        "SELECT path, stamp, content, digest, hash, tree FROM file
         LEFT JOIN content ON content.id = file.content",
    )?;
    let mut wrong = Vec::new();
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        if parse_row(row).is_none() {
            wrong.push((row.get(5)?, row.get(0)?));
        }
    }
    Ok(wrong)
}

fn is_value(content: &Content, name: &str, version: u32, variant: i64, packed: &[u8]) -> bool {
    let mut address_of = address(&content.digest, ValueKind { name: "", version }, variant);
    let at = content.digest.as_bytes().len();
    address_of.splice(at..at, name.bytes());
    is_whole(packed, &address_of)
}

fn size(count: i64) -> usize {
    usize::try_from(count).unwrap_or_default()
}

#[cfg(test)]
mod tests;
