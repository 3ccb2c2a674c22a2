//! The tables and their upgrades.

use loom_db::Schema;

pub(crate) const SCHEMA: Schema = Schema {
    // "loom" in ASCII.
    application: 0x6c6f_6f6d,
    version: 2,
    tables: TABLES,
    upgrades: &[TO_2],
};

/// `used` is a day since 1970; `content` 0 is a binary file. Plain values of a kind are stored
/// together because they are short and a run reads those of all files at once. Encrypted values are
/// long and have their own table; otherwise every lookup of a short value would read some of them
/// on its way down the B-tree. `mark` identifies the index that read the file; it is negative if
/// the file had other contents then.
const TABLES: &str = "
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    hash BLOB,
    used INTEGER NOT NULL
);
CREATE TABLE kind (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    UNIQUE (name, version)
);
CREATE TABLE value (
    content INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (kind, content, variant)
) WITHOUT ROWID;
CREATE TABLE sealed (
    content INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (kind, content, variant)
);
CREATE VIEW every AS
    SELECT content, kind, variant, packed FROM value
    UNION ALL SELECT content, kind, variant, packed FROM sealed;
CREATE TABLE tree (
    id INTEGER PRIMARY KEY,
    root BLOB NOT NULL UNIQUE,
    used INTEGER NOT NULL,
    note BLOB
);
CREATE TABLE file (
    tree INTEGER NOT NULL,
    path BLOB NOT NULL,
    content INTEGER NOT NULL,
    stamp BLOB NOT NULL,
    mark INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tree, path)
) WITHOUT ROWID;
";

/// The first byte of a sealed value has its highest bit set.
const TO_2: &str = "
CREATE TABLE sealed (
    content INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (kind, content, variant)
);
INSERT INTO sealed SELECT content, kind, variant, packed FROM value
    WHERE substr(packed, 1, 1) >= x'80';
DELETE FROM value WHERE substr(packed, 1, 1) >= x'80';
CREATE VIEW every AS
    SELECT content, kind, variant, packed FROM value
    UNION ALL SELECT content, kind, variant, packed FROM sealed;
ALTER TABLE file ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
";
