//! Compiles the C code that bounds a parse. Without the feature `grammars` the crate is pure Rust.

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
        // `TSLanguage` is declared next to the API header.
        .include(api.with_file_name("src"))
        .warnings(true)
        // tree-sitter's own header causes these warnings.
        .flag_if_supported("-Wno-unused-parameter")
        .file("c/bounded.c")
        .file("c/sql_scanner.c")
        .compile("loom-bounded");
}
