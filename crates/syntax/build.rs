//! Compiles the C code that bounds a parse. Without the feature `grammars` the crate is
//! Rust alone.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment"
)]

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=c");
    let Some(api) = env::var_os("DEP_TREE_SITTER_INCLUDE") else {
        return;
    };
    let api = Path::new(&api);
    cc::Build::new()
        .std("c11")
        .include(api)
        // The definition of a language is beside the API.
        .include(api.with_file_name("src"))
        .warnings(true)
        // Warnings of tree-sitter's own header.
        .flag_if_supported("-Wno-unused-parameter")
        .file("c/bounded.c")
        .file("c/sql_scanner.c")
        .compile("loom-bounded");
}
