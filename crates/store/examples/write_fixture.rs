//! Writes the store that `tests/it` opens: `write_fixture DIRECTORY`. Run it once for each version
//! of the tables: later versions must open the files that earlier ones wrote.

use std::path::PathBuf;

use loom_base::{ContentHash, RepoPath, Stamp};
use loom_store::{Compression, Digest, HashChoice, Options, Seal, Store, ValueKind};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder?")?);
    let kind = ValueKind {
        name: "fixture",
        version: 1,
    };
    for (at, compression) in [Compression::Zstd, Compression::Lz4, Compression::None]
        .into_iter()
        .enumerate()
    {
        let options = Options {
            compression,
            ..Options::default()
        };
        let store = Store::open(&folder, options)?;
        let mut batch = store.batch();
        let contents = format!("contents {at}\n");
        let contents = contents.as_bytes();
        let digest = Digest::of(HashChoice::Blake3, contents);
        let value = format!("value {at} ").repeat(50);
        batch.put(&digest, kind, 7, value.as_bytes());
        batch.put_sealed(&digest, kind, 8, value.as_bytes(), &Seal::of(contents));
        let stamp = Stamp {
            size: contents.len() as u64,
            modified: 1_000 + at as i64,
            changed: 2_000 + at as i64,
            file: 3_000 + at as u64,
            device: 4,
        };
        let path = RepoPath::new(format!("src/{at}.txt").into_bytes())?;
        let hash = ContentHash::from_bytes(*blake3::hash(contents).as_bytes());
        batch.file(b"/a/tree", &path, stamp, Some((digest, hash)));
        if at == 0 {
            let binary = RepoPath::new(b"logo.png")?;
            batch.file(b"/a/tree", &binary, stamp, None);
        }
        store.write(&batch);
        store.set_note(b"/a/tree", b"a note");
        if let Some(trouble) = store.trouble() {
            return Err(trouble.into());
        }
    }
    Ok(())
}
