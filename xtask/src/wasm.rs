//! `cargo xtask wasm`: checks that the packages without I/O compile for the web, without grammars,
//! which are C. The compiler needs a standard library for the target: the toolchain's, or source
//! code with the matching compiler.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::invocation::Invocation;
use crate::tidy::pure_packages;
use crate::tools;

const TARGET: &str = "wasm32-unknown-unknown";

/// The compiler that Debian and Ubuntu maintain for their browsers, and the location of its
/// standard library's source.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "rust-web-src", "libstd-rust-web-dev"];

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("usage: cargo xtask wasm");
    }
    let packages = pure_packages(root)?;
    let check = check(&packages, provide(root)?);
    println!("== {check}");
    check.run(root)?;
    println!("{} packages compile for {TARGET}", packages.len());
    Ok(())
}

/// Origin of the standard library for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Std {
    /// The toolchain contains it compiled.
    Compiled,
    /// Debian's compiler has its source, and compiles it first.
    Source,
}

/// Finds a standard library, and installs one with sufficient rights.
fn provide(root: &Path) -> Result<Std> {
    if let Some(found) = find(root)? {
        return Ok(found);
    }
    if tools::may_install(root) {
        tools::install(root, DEBIAN_PACKAGES)?;
    }
    let found = find(root)?;
    found.with_context(advice)
}

fn find(root: &Path) -> Result<Option<Std>> {
    let asked = Invocation::new("rustc", &["--print", "target-libdir", "--target", TARGET]);
    let folder = String::from_utf8(asked.output(root)?).context("rustc names no UTF-8 folder")?;
    if PathBuf::from(folder.trim()).is_dir() {
        return Ok(Some(Std::Compiled));
    }
    let has_source = Path::new(DEBIAN_RUSTC).is_file() && Path::new(DEBIAN_SOURCE).is_file();
    Ok(has_source.then_some(Std::Source))
}

fn advice() -> String {
    format!(
        "this toolchain has no standard library for {TARGET}\n\
         install one with: rustup target add {TARGET}\n\
         or, on Debian or Ubuntu: sudo apt-get install {}",
        DEBIAN_PACKAGES.join(" ")
    )
}

fn check(packages: &[String], std: Std) -> Invocation {
    let mut arguments = vec!["--no-default-features".to_owned()];
    for package in packages {
        arguments.extend(["--package".to_owned(), package.clone()]);
    }
    let check = Invocation::cargo(&["check", "--locked", "--quiet", "--lib", "--target", TARGET])
        .arguments(&arguments);
    match std {
        Std::Compiled => check,
        Std::Source => check
            .arguments(&["-Zbuild-std=std,panic_abort".to_owned()])
            .environment("RUSTC", DEBIAN_RUSTC)
            // `build-std` is unstable; everything else of the check is stable.
            .environment("RUSTC_BOOTSTRAP", "1")
            .environment("CARGO_TARGET_DIR", &target_folder()),
    }
}

/// Returns a separate target directory, so that the two compilers do not rebuild each other's
/// output.
fn target_folder() -> String {
    let shared = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    format!("{shared}/wasm")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(std: Std) -> String {
        check(&["loom-base".to_owned(), "loom-wire".to_owned()], std).to_string()
    }

    #[test]
    fn a_compiled_standard_library_is_used_as_it_is() {
        assert_eq!(
            typed(Std::Compiled),
            "cargo check --locked --quiet --lib --target wasm32-unknown-unknown \
             --no-default-features --package loom-base --package loom-wire"
        );
    }

    #[test]
    fn a_source_is_compiled_by_its_own_compiler() {
        let typed = typed(Std::Source);
        assert!(typed.starts_with("RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="));
        assert!(typed.ends_with("--package loom-wire -Zbuild-std=std,panic_abort"));
    }

    #[test]
    fn every_pure_package_is_checked() {
        let packages = pure_packages(&crate::root::find().unwrap()).unwrap();
        let has = |name: &str| packages.iter().any(|package| package == name);
        assert!(has("loom-base") && has("loom-embed") && has("loom-engine"));
        assert!(!has("loom-host") && !has("xtask"));
    }
}
