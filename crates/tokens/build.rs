//! Lays out the merge tables of OpenAI's vocabularies at build time, so that their
//! first count needs no warm-up. The input is `data/*.splits`; the layout is that of
//! `src/tables.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/layout.rs"]
mod layout;
#[path = "src/tables.rs"]
mod tables;

use tables::Tables;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/layout.rs");
    println!("cargo::rerun-if-changed=src/tables.rs");
    println!("cargo::rerun-if-changed=data");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    for name in ["o200k", "cl100k", "p50k"] {
        let splits = fs::read(Path::new("data").join(name).with_extension("splits"))?;
        write_tables(&out, name, &splits)?;
    }
    Ok(())
}

fn write_tables(out: &Path, name: &str, splits: &[u8]) -> io::Result<()> {
    let tables = Tables::new(splits.as_chunks().0);
    let file = |kind: &str| out.join(format!("{name}.{kind}"));
    if tables.lengths.contains(&tables::LONG) {
        return Err(io::Error::other("a token is too long for its table"));
    }
    fs::write(file("bytes"), tables.bytes.as_flattened())?;
    fs::write(file("lengths"), &tables.lengths)?;
    // Computed here: the compiler took 8 s to search 200,000 lengths in a constant.
    let longest = tables.lengths.iter().max().copied().unwrap_or_default();
    fs::write(file("longest"), longest.to_string())?;
    fs::write(file("byte_pairs"), tables.byte_pairs.as_flattened())?;
    fs::write(file("filter"), tables.filter.as_flattened())?;
    fs::write(file("pairs"), tables.pairs.as_flattened())
}
