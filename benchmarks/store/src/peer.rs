//! The same load on redb.

use std::path::Path;

use anyhow::Result;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use crate::{File, STEP, file, size, timed};

const FILE: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("file");
const VALUE: TableDefinition<'_, (u8, &[u8]), &[u8]> = TableDefinition::new("value");

pub(crate) fn redb(folder: &Path, files: &[File]) -> Result<()> {
    let path = folder.join("store.redb");
    let put = |db: &Database, part: &[File]| -> Result<()> {
        let change = db.begin_write()?;
        {
            let (mut rows, mut values) = (change.open_table(FILE)?, change.open_table(VALUE)?);
            for file in part {
                values.insert((0, file.digest.as_slice()), file.facts.as_slice())?;
                values.insert((1, file.digest.as_slice()), file.structure.as_slice())?;
                rows.insert(file.path.as_bytes(), row(file).as_slice())?;
            }
        }
        Ok(change.commit()?)
    };
    timed("redb", "from nothing", || {
        let db = Database::create(&path)?;
        files.chunks(STEP).try_for_each(|part| put(&db, part))
    })?;
    timed("redb", "without a change", || {
        let db = Database::open(&path)?;
        let read = db.begin_read()?;
        let (rows, values) = (read.open_table(FILE)?, read.open_table(VALUE)?);
        let mut count = 0;
        for entry in rows.iter()? {
            let (_, row) = entry?;
            count += usize::from(values.get((0, &row.value()[..32]))?.is_some());
        }
        assert_eq!(count, files.len());
        Ok(())
    })?;
    timed("redb", "1,000 single values", || {
        let db = Database::open(&path)?;
        let values = db.begin_read()?.open_table(VALUE)?;
        for file in files.iter().step_by(files.len() / 1000) {
            let value = values.get((1, file.digest.as_slice()))?;
            assert_eq!(
                value.map(|value| value.value().to_vec()).as_ref(),
                Some(&file.structure)
            );
        }
        Ok(())
    })?;
    timed("redb", "one edit", || {
        put(&Database::open(&path)?, &[file(files.len())?])
    })?;
    size("redb", folder)
}

fn row(file: &File) -> Vec<u8> {
    let stamp = file.stamp;
    let mut row = file.digest.to_vec();
    for number in [
        stamp.size,
        stamp.modified as u64,
        stamp.changed as u64,
        stamp.file,
        stamp.device,
    ] {
        row.extend_from_slice(&number.to_le_bytes());
    }
    row
}
