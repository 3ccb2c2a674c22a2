//! Computes the revision of derived values: a hash of the sources and of `Cargo.lock`. Any change
//! gives another revision, so that a build does not use cache entries that another one derived.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::{env, fs, io};

/// The crates whose code decides about cached values.
const CRATES: [&str; 16] = [
    "base", "tokens", "models", "syntax", "program", "chunk", "graph", "secrets", "search",
    "embed", "engine", "lookup", "source", "store", "llm", "host",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    env::var("CARGO_PKG_VERSION")
        .unwrap_or_default()
        .hash(&mut hasher);
    let here = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let crates = Path::new(&here).join("..");
    let lock = crates.join("../Cargo.lock");
    // A published package has no neighbours: its version is enough.
    if lock.is_file() {
        println!("cargo::rerun-if-changed={}", lock.display());
        fs::read(&lock).unwrap_or_default().hash(&mut hasher);
        for name in CRATES {
            for folder in ["src", "data", "c"] {
                let folder = crates.join(name).join(folder);
                if folder.is_dir() {
                    println!("cargo::rerun-if-changed={}", folder.display());
                    // The compiler reports unreadable sources.
                    let _ = add(&folder, &mut hasher);
                }
            }
        }
    }
    let revision = hasher.finish() as u32;
    println!("cargo::rustc-env=LOOM_REVISION={revision}");
}

fn add(folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        path.file_name().hash(hasher);
        match path.is_dir() {
            true => add(&path, hasher)?,
            false => fs::read(&path)?.hash(hasher),
        }
    }
    Ok(())
}
