//! Opens SQLite databases, the only place that does, so that all of them wait for
//! other processes, survive a crash and know their version in the same way. It does
//! not know what is kept in them.
//!
//! ```
//! use loom_db::{Place, Schema, open};
//!
//! const SCHEMA: Schema = Schema {
//!     application: 1,
//!     version: 1,
//!     tables: "CREATE TABLE word (text TEXT NOT NULL)",
//!     upgrades: &[],
//! };
//! let db = open(Place::Memory, &SCHEMA)?;
//! db.execute("INSERT INTO word VALUES ('loom')", [])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;
use std::time::Duration;

pub use rusqlite::{Connection, Error, OptionalExtension, Row, Transaction, params};
use rusqlite::{ErrorCode, OpenFlags, TransactionBehavior};

/// How long a process waits for another one that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a database holds.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// A number that tells databases of this kind from others; not 0.
    pub application: i32,
    /// The version of the tables; not 0.
    pub version: i32,
    /// The statements that make the tables.
    pub tables: &'static str,
    /// The statements that make the tables of version 2 of those of version 1, and so
    /// on. One of a version before these is refused.
    pub upgrades: &'static [&'static str],
}

impl Schema {
    /// What leads from an earlier version to this one; `None` where nothing does.
    fn upgrades_from(&self, version: i32) -> Option<&'static [&'static str]> {
        let behind = usize::try_from(self.version.checked_sub(version)?).ok()?;
        let first = self.upgrades.len().checked_sub(behind)?;
        (version > 0 && behind > 0).then(|| &self.upgrades[first..])
    }
}

/// Where a database is.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// In a file.
    File(&'a Path),
    /// In memory, for one connection.
    Memory,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// It is no database, or a broken one.
    #[error("the database is damaged")]
    Damaged,
    /// Somebody else's, or of another version.
    #[error("expected version {expected} of the database, found {found}")]
    Other {
        /// The version that was asked for.
        expected: i32,
        /// The version that is there.
        found: i32,
    },
    /// The system or SQLite said no.
    #[error("{}", in_words(.0))]
    Sqlite(#[from] Error),
}

/// Opens a database for reading and writing, and makes its tables if it is new.
///
/// # Errors
/// When it cannot be opened or written, is damaged, or holds something else.
pub fn open(place: Place<'_>, schema: &Schema) -> Result<Connection, OpenError> {
    let mut db = match place {
        Place::File(path) => Connection::open_with_flags(path, flags())?,
        Place::Memory => Connection::open_in_memory_with_flags(flags())?,
    };
    prepare(&mut db, schema).map_err(|error| match error {
        OpenError::Sqlite(error) if is_damage(&error) => OpenError::Damaged,
        other => other,
    })?;
    Ok(db)
}

fn flags() -> OpenFlags {
    // Each connection is used by one thread at a time.
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn prepare(db: &mut Connection, schema: &Schema) -> Result<(), OpenError> {
    db.busy_timeout(PATIENCE)?;
    // These three mean something only before the first table is made.
    db.pragma_update(None, "page_size", 16384)?;
    db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // A reader never waits for a writer, and a crash loses at most the last writes.
    let _: String = db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cell_size_check", true)?;
    // Statements in a schema that somebody else wrote do nothing but what is built in.
    db.pragma_update(None, "trusted_schema", false)?;
    db.pragma_update(None, "cache_size", -32768)?;
    // Nobody has to wait for a writer to see that all is there.
    if versions(db)? == (schema.application, schema.version) {
        return Ok(());
    }
    let change = begin(db)?;
    match versions(&change)? {
        (0, 0) => {
            change.execute_batch(schema.tables)?;
            change.pragma_update(None, "application_id", schema.application)?;
            change.pragma_update(None, "user_version", schema.version)?;
        }
        (application, version)
            if application == schema.application && version == schema.version => {}
        (application, version)
            if application == schema.application && schema.upgrades_from(version).is_some() =>
        {
            for upgrade in schema.upgrades_from(version).unwrap_or_default() {
                change.execute_batch(upgrade)?;
            }
            change.pragma_update(None, "user_version", schema.version)?;
        }
        (_, found) => {
            let expected = schema.version;
            return Err(OpenError::Other { expected, found });
        }
    }
    change.commit()?;
    Ok(())
}

fn versions(db: &Connection) -> Result<(i32, i32), Error> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    Ok((number("application_id")?, number("user_version")?))
}

/// Begins to write: nobody else does until it is done.
///
/// # Errors
/// When another process writes for too long, or the file cannot be written.
pub fn begin(db: &mut Connection) -> Result<Transaction<'_>, Error> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Whether an error says that the file is broken, and not that the system is busy,
/// full or in the way.
pub fn is_damage(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// An error as people read it.
pub fn in_words(error: &Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "no space is left".to_owned(),
        Some(ErrorCode::ReadOnly) => "it cannot be written".to_owned(),
        Some(ErrorCode::CannotOpen) => "it cannot be opened".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process keeps it busy".to_owned()
        }
        Some(ErrorCode::SystemIoFailure) => "reading or writing it failed".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema = Schema {
        application: 7,
        version: 2,
        tables: "CREATE TABLE word (text TEXT NOT NULL)",
        upgrades: &[],
    };

    #[test]
    fn what_was_written_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.db");
        let db = open(Place::File(&path), &SCHEMA).unwrap();
        db.execute("INSERT INTO word VALUES ('loom')", []).unwrap();
        drop(db);
        let db = open(Place::File(&path), &SCHEMA).unwrap();
        let word: String = db
            .query_row("SELECT text FROM word", [], |row| row.get(0))
            .unwrap();
        assert_eq!(word, "loom");
    }

    #[test]
    fn another_version_and_rubbish_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.db");
        drop(open(Place::File(&path), &SCHEMA).unwrap());
        let newer = Schema {
            version: 3,
            ..SCHEMA
        };
        let error = open(Place::File(&path), &newer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected version 3 of the database, found 2"
        );
        // One that knows the way takes it over.
        let upgraded = Schema {
            version: 3,
            upgrades: &["ALTER TABLE word ADD COLUMN size INTEGER NOT NULL DEFAULT 4"],
            ..SCHEMA
        };
        let db = open(Place::File(&path), &upgraded).unwrap();
        db.execute("INSERT INTO word VALUES ('loom', 5)", [])
            .unwrap();
        drop(db);
        assert!(open(Place::File(&path), &SCHEMA).is_err());
        let rubbish = folder.path().join("rubbish.db");
        std::fs::write(
            &rubbish,
            "not a database, but long enough for one".repeat(50),
        )
        .unwrap();
        let error = open(Place::File(&rubbish), &SCHEMA).unwrap_err();
        assert!(matches!(error, OpenError::Damaged), "{error}");
        let nowhere = folder.path().join("no/such/folder.db");
        let error = open(Place::File(&nowhere), &SCHEMA).unwrap_err();
        assert_eq!(error.to_string(), "it cannot be opened");
    }
}
