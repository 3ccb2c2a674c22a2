//! Keeps the store within its limit by removing the least recently used values.

use loom_db::{Connection, Error, params};

use crate::Store;

/// Result of a removal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Contents whose values were removed.
    pub contents: usize,
    /// Bytes by which the file shrank.
    pub bytes: u64,
}

/// Contents removed in one transaction.
const STEP: i64 = 512;

impl Store {
    pub(crate) fn stay_within_limit(&self) {
        let limit = self.options.limit;
        let is_over = self.with(|db| Ok(used(db)? > limit));
        if is_over == Some(true) {
            // Prunes to 90 % of the limit, so that not every batch prunes again.
            self.prune(limit / 10 * 9);
        }
    }

    /// Removes values of earlier kind versions and the least recently used ones, until at most
    /// `limit` bytes remain.
    pub fn prune(&self, limit: u64) -> Pruned {
        let prune = |db: &mut Connection| {
            let before = used(db)?;
            let mut pruned = Pruned::default();
            drop_old_kinds(db)?;
            while used(db)? > limit {
                let gone = drop_oldest(db)?;
                if gone == 0 {
                    break;
                }
                pruned.contents += gone;
            }
            shrink(db)?;
            pruned.bytes = before.saturating_sub(used(db)?);
            Ok(pruned)
        };
        self.with(prune).unwrap_or_default()
    }
}

/// Returns the bytes in used pages.
pub(crate) fn used(db: &Connection) -> Result<u64, Error> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = number("page_count")? - number("freelist_count")?;
    Ok(u64::try_from(pages * number("page_size")?).unwrap_or_default())
}

/// Removes values of kinds that have a newer version. Only an older program would query them, and
/// it derives them again.
fn drop_old_kinds(db: &mut Connection) -> Result<(), Error> {
    let change = loom_db::begin(db)?;
    for table in ["value", "sealed"] {
        let delete = format!(
            "DELETE FROM {table} WHERE kind IN (
                 SELECT old.id FROM kind AS old JOIN kind AS new
                 ON old.name = new.name AND old.id < new.id)"
        );
        change.execute(&delete, [])?;
    }
    change.commit()
}

fn drop_oldest(db: &mut Connection) -> Result<usize, Error> {
    let change = loom_db::begin(db)?;
    change.execute_batch("CREATE TEMP TABLE IF NOT EXISTS old (id INTEGER PRIMARY KEY)")?;
    change.execute("DELETE FROM temp.old", [])?;
    let gone = change.execute(
        "INSERT INTO temp.old SELECT id FROM content
         ORDER BY used, id IN (SELECT content FROM file), id LIMIT ?1",
        params![STEP],
    )?;
    change.execute_batch(
        "DELETE FROM value WHERE content IN (SELECT id FROM temp.old);
         DELETE FROM sealed WHERE content IN (SELECT id FROM temp.old);
         DELETE FROM file WHERE content IN (SELECT id FROM temp.old);
         DELETE FROM content WHERE id IN (SELECT id FROM temp.old);
         DELETE FROM tree WHERE id NOT IN (SELECT DISTINCT tree FROM file);",
    )?;
    change.commit()?;
    Ok(gone)
}

/// Returns free pages to the file system.
fn shrink(db: &Connection) -> Result<(), Error> {
    let mut vacuum = db.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = vacuum.query([])?;
    while rows.next()?.is_some() {}
    drop(rows);
    // Fails while another process reads; the next prune then truncates the log.
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests;
