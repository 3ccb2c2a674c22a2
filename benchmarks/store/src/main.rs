//! `store-benchmark [FILES]`: the load of an index of so many files (25,000) on our store
//! and on redb: all of it from nothing, the look of a run without a change, single
//! values, and one edit. Prints milliseconds and bytes.

#[cfg(feature = "peers")]
mod peer;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use loom_base::{ContentHash, RepoPath, Stamp};
use loom_store::{Compression, Digest, HashChoice, Options, Seal, Store, ValueKind};

const FACTS: ValueKind = ValueKind {
    name: "facts",
    version: 1,
};
const STRUCTURE: ValueKind = ValueKind {
    name: "structure",
    version: 1,
};
/// Files of one transaction, as an index writes them.
const STEP: usize = 2500;
const ROOT: &[u8] = b"/a/tree";

struct File {
    path: RepoPath,
    stamp: Stamp,
    contents: Vec<u8>,
    digest: [u8; 32],
    facts: Vec<u8>,
    structure: Vec<u8>,
}

fn files(count: usize) -> Result<Vec<File>> {
    (0..count).map(file).collect()
}

fn file(at: usize) -> Result<File> {
    let contents = format!("contents {at}").into_bytes();
    let hash = blake3::hash(&contents);
    let mut structure = vec![0; 200 + at * 7919 % 2600];
    hash_stream(&contents).fill(&mut structure);
    let number = at as u64;
    Ok(File {
        path: RepoPath::new(format!("pkg{}/part{}/file{at}.go", at % 40, at % 900))?,
        stamp: Stamp {
            size: number,
            modified: at as i64,
            changed: at as i64,
            file: number,
            device: 1,
        },
        digest: *hash.as_bytes(),
        facts: structure[..40].to_vec(),
        contents,
        structure,
    })
}

fn hash_stream(contents: &[u8]) -> blake3::OutputReader {
    blake3::Hasher::new().update(contents).finalize_xof()
}

fn timed<T>(name: &str, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = work()?;
    println!(
        "{name:12} {what:24} {:9.1} ms",
        start.elapsed().as_secs_f64() * 1000.0
    );
    Ok(result)
}

fn ours(folder: &Path, files: &[File]) -> Result<()> {
    let options = Options {
        compression: Compression::None,
        ..Options::default()
    };
    let put = |store: &Store, part: &[File]| {
        let mut batch = store.batch();
        for file in part {
            let digest = Digest::of(HashChoice::Blake3, &file.contents);
            let seal = Seal::of(&file.contents);
            batch.put(&digest, FACTS, 0, &file.facts);
            batch.put_sealed(&digest, STRUCTURE, 0, &file.structure, &seal);
            let hash = ContentHash::from_bytes(file.digest);
            batch.file(ROOT, &file.path, file.stamp, Some((digest, hash)));
        }
        store.write(&batch);
    };
    timed("ours", "from nothing", || {
        let store = Store::open(folder, options)?;
        files.chunks(STEP).for_each(|part| put(&store, part));
        Ok(())
    })?;
    timed("ours", "without a change", || {
        let store = Store::open(folder, options)?;
        assert_eq!(store.snapshot(ROOT).len(), files.len());
        store.values(ROOT, FACTS);
        Ok(())
    })?;
    timed("ours", "1,000 single values", || {
        let store = Store::open(folder, options)?;
        for file in files.iter().step_by(files.len() / 1000) {
            let content = store.find(&Digest::of(HashChoice::Blake3, &file.contents));
            let seal = Seal::of(&file.contents);
            let value = content.and_then(|content| store.get_sealed(&content, STRUCTURE, 0, &seal));
            assert_eq!(value.as_deref(), Some(file.structure.as_slice()));
        }
        Ok(())
    })?;
    timed("ours", "one edit", || {
        put(&Store::open(folder, options)?, &[file(files.len())?]);
        Ok(())
    })?;
    size("ours", folder)
}

fn size(name: &str, folder: &Path) -> Result<()> {
    let sizes = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len()));
    let bytes: u64 = sizes.sum::<std::io::Result<u64>>()?;
    println!("{name:12} {:24} {:9.1} MB", "size", bytes as f64 / 1e6);
    Ok(())
}

fn main() -> Result<()> {
    let count = std::env::args()
        .nth(1)
        .map_or(Ok(25_000), |count| count.parse())?;
    let files = files(count)?;
    for _ in 0..3 {
        ours(tempfile::tempdir()?.path(), &files)?;
        #[cfg(feature = "peers")]
        peer::redb(tempfile::tempdir()?.path(), &files)?;
    }
    Ok(())
}
