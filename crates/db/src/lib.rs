//! Opens SQLite databases. It is the only crate that does, so all databases wait for other
//! processes, survive a crash and check their version in the same way. It does not define their
//! contents.
//!
//! ```
//! use loom_db::{Location, Schema, open};
//!
//! const SCHEMA: Schema = Schema {
//!       application: 1,
//!       version: 1,
//!       tables: "CREATE TABLE word (text TEXT NOT NULL)",
//!       upgrades: &[],
//! };
//! let db = open(Location::Memory, &SCHEMA)?;
//! db.execute("INSERT INTO word VALUES ('loom')", [])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;
use std::time::Duration;

pub use rusqlite::{Connection, Error, OptionalExtension, Row, Transaction, params};
use rusqlite::{ErrorCode, OpenFlags, TransactionBehavior};

/// Maximum wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Tables and version of a database.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Identifies databases of this kind; not 0.
    pub application: i32,
    /// Version of the tables; not 0.
    pub version: i32,
    /// Statements that create the tables.
    pub tables: &'static str,
    /// Statements that upgrade version 1 to 2, 2 to 3, and so on, up to this version. An earlier
    /// version is refused.
    pub upgrades: &'static [&'static str],
}

impl Schema {
    /// Returns the statements that upgrade `version` to this one; `None` without an upgrade path.
    fn upgrades_from(&self, version: i32) -> Option<&'static [&'static str]> {
        let behind = usize::try_from(self.version.checked_sub(version)?).ok()?;
        let first = self.upgrades.len().checked_sub(behind)?;
        (version > 0 && behind > 0).then(|| &self.upgrades[first..])
    }
}

/// Location of a database.
#[derive(Clone, Copy, Debug)]
pub enum Location<'a> {
    /// In a file.
    File(&'a Path),
    /// In memory, for one connection.
    Memory,
}

/// Reason why a database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file is not a database, or is damaged.
    #[error("the database is damaged")]
    Damaged,
    /// The database belongs to another program or has another version.
    #[error("expected version {expected} of the database, found {found}")]
    Other {
        /// Expected version.
        expected: i32,
        /// Version of the file.
        found: i32,
    },
    /// The operating system or SQLite failed.
    #[error("{}", in_words(.0))]
    Sqlite(#[from] Error),
}

/// Opens a database for reading and writing, and creates its tables if it is new.
///
/// # Errors
/// If it cannot be opened or written, is damaged, or belongs to another program or version.
pub fn open(place: Location<'_>, schema: &Schema) -> Result<Connection, OpenError> {
    let mut db = match place {
        Location::File(path) => {
            keep_private(path);
            Connection::open_with_flags(path, flags())?
        }
        Location::Memory => Connection::open_in_memory_with_flags(flags())?,
    };
    prepare(&mut db, schema).map_err(|error| match error {
        OpenError::Sqlite(error) if is_damage(&error) => OpenError::Damaged,
        other => other,
    })?;
    Ok(db)
}

/// Creates the file so that only its owner reads it, and takes the right from others if it exists.
/// SQLite gives its other files the same rights. Opening reports the errors.
#[cfg(unix)]
fn keep_private(path: &Path) {
    use std::fs::{OpenOptions, Permissions};
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

    const OWNER: u32 = 0o600;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(OWNER)
        .open(path);
    let Ok(file) = file else {
        return;
    };
    let mode = file
        .metadata()
        .map_or(OWNER, |meta| meta.permissions().mode());
    if mode & 0o077 != 0 {
        let _ = file.set_permissions(Permissions::from_mode(OWNER));
    }
}

#[cfg(not(unix))]
fn keep_private(_: &Path) {}

fn flags() -> OpenFlags {
    // One thread at a time uses a connection, so SQLite's own locks are unnecessary.
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn prepare(db: &mut Connection, schema: &Schema) -> Result<(), OpenError> {
    db.busy_timeout(PATIENCE)?;
    // Page size and vacuum mode take effect only before the first table exists.
    db.pragma_update(None, "page_size", 16384)?;
    db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // With a write-ahead log, readers do not wait for a writer, and a crash loses at most the last
    // writes.
    let _: String = db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cell_size_check", true)?;
    // A schema from elsewhere may call only built-in functions.
    db.pragma_update(None, "trusted_schema", false)?;
    db.pragma_update(None, "cache_size", -32768)?;
    // Checks without a transaction, so that opening an existing database does not wait for a
    // writer.
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

/// Begins a write transaction. Other writers wait until it ends.
///
/// # Errors
/// If another process writes for too long, or the file cannot be written.
pub fn begin(db: &mut Connection) -> Result<Transaction<'_>, Error> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Returns true if the error means that the file is damaged, not that the system is busy or full.
pub fn is_damage(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Formats an error for people.
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
    fn written_data_survives_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.db");
        let db = open(Location::File(&path), &SCHEMA).unwrap();
        db.execute("INSERT INTO word VALUES ('loom')", []).unwrap();
        drop(db);
        let db = open(Location::File(&path), &SCHEMA).unwrap();
        let word: String = db
            .query_row("SELECT text FROM word", [], |row| row.get(0))
            .unwrap();
        assert_eq!(word, "loom");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_a_database() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.db");
        let shared = folder.path().join("shared.db");
        std::fs::write(&shared, "").unwrap();
        std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o644)).unwrap();
        for path in [path, shared] {
            let db = open(Location::File(&path), &SCHEMA).unwrap();
            db.execute("INSERT INTO word VALUES ('loom')", []).unwrap();
            for entry in folder.path().read_dir().unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                let is_of = name.starts_with(path.file_name().unwrap().to_str().unwrap());
                let mode = entry.metadata().unwrap().permissions().mode();
                assert!(!is_of || mode & 0o777 == 0o600, "{name} {mode:o}");
            }
        }
    }

    #[test]
    fn other_versions_and_invalid_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.db");
        drop(open(Location::File(&path), &SCHEMA).unwrap());
        let newer = Schema {
            version: 3,
            ..SCHEMA
        };
        let error = open(Location::File(&path), &newer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected version 3 of the database, found 2"
        );
        // A schema with an upgrade for the version opens the database.
        let upgraded = Schema {
            version: 3,
            upgrades: &["ALTER TABLE word ADD COLUMN size INTEGER NOT NULL DEFAULT 4"],
            ..SCHEMA
        };
        let db = open(Location::File(&path), &upgraded).unwrap();
        db.execute("INSERT INTO word VALUES ('loom', 5)", [])
            .unwrap();
        drop(db);
        assert!(open(Location::File(&path), &SCHEMA).is_err());
        let rubbish = folder.path().join("rubbish.db");
        std::fs::write(
            &rubbish,
            "not a database, but long enough for one".repeat(50),
        )
        .unwrap();
        let error = open(Location::File(&rubbish), &SCHEMA).unwrap_err();
        assert!(matches!(error, OpenError::Damaged), "{error}");
        let nowhere = folder.path().join("no/such/folder.db");
        let error = open(Location::File(&nowhere), &SCHEMA).unwrap_err();
        assert_eq!(error.to_string(), "it cannot be opened");
    }
}
