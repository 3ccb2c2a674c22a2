//! Strips `data/formats.txt` of the parts that only people and tests read, so that the program
//! contains and parses only the rest.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=data/formats.txt");
    println!("cargo::rerun-if-changed=build.rs");
    let all = fs::read_to_string("data/formats.txt")?;
    let is_read = |line: &&str| match line.strip_prefix("  ") {
        Some(field) => !["+", "-", "source"]
            .iter()
            .any(|name| field.starts_with(name)),
        None => !line.starts_with('#') && !line.is_empty(),
    };
    let mut rules = String::new();
    for line in all.lines().filter(is_read) {
        rules.push_str(line.trim_end());
        rules.push('\n');
    }
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&out).join("formats.txt"), rules)
}
