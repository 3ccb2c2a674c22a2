//! Compiles the C code that bounds a parse. Without the feature `grammars` the crate is pure Rust.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and the library's sources"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=c");
    let Some(api) = env::var_os("DEP_TREE_SITTER_INCLUDE") else {
        return Ok(());
    };
    let api = Path::new(&api);
    let sources = api.with_file_name("src");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out.join("loom_names.h"), renames(&[&sources, api])?)?;
    let mut core = cc::Build::new();
    core.std("c11")
        .include(&out)
        .include(api)
        .include(&sources)
        .define("_POSIX_C_SOURCE", "200112L")
        .define("_DEFAULT_SOURCE", None)
        .define("_BSD_SOURCE", None)
        .define("_DARWIN_C_SOURCE", None)
        .flag_if_supported("-fvisibility=hidden")
        .warnings(false)
        .file("c/core.c");
    cc::Build::new()
        .std("c11")
        .include(&out)
        .include(api)
        // `TSLanguage` is declared next to the API header.
        .include(&sources)
        .warnings(true)
        // tree-sitter's own header causes these warnings.
        .flag_if_supported("-Wno-unused-parameter")
        .file("c/bounded.c")
        .file("c/sql_scanner.c")
        .objects(core.compile_intermediates())
        .compile("loom-bounded");
    Ok(())
}

/// Returns a header that renames the functions of tree-sitter, so that our copy of them can be in
/// the same program as the library.
fn renames(directories: &[&Path]) -> Result<String, Box<dyn Error>> {
    let mut names = BTreeSet::from(["_ts_dup", "range_intersects", "range_within"].map(Into::into));
    // One function of the library is replaced, under another name.
    let mut macros = BTreeSet::from(["ts_subtree_compare".into()]);
    for directory in directories {
        collect_names(directory, &mut names, &mut macros)?;
    }
    let mut header = String::from("#pragma once\n");
    for name in names.difference(&macros) {
        writeln!(header, "#define {name} loom_{name}")?;
    }
    Ok(header)
}

fn collect_names(
    directory: &Path,
    names: &mut BTreeSet<String>,
    macros: &mut BTreeSet<String>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() && path.ends_with("tree_sitter") {
            collect_names(&path, names, macros)?;
        }
        if path.extension().is_none_or(|end| end != "c" && end != "h") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let defined = text
            .lines()
            .filter_map(|line| words(line.trim_start().strip_prefix("#define ")?).next());
        macros.extend(defined.map(Into::into));
        let own = words(&text).filter(|word| word.starts_with("ts_"));
        names.extend(own.map(Into::into));
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
