//! `cargo xtask outside`: checks that the crates outside the workspace compile: fuzz targets and
//! our benchmarks. They share one target directory. A benchmark links its peers only with its
//! default feature `peers`, which this command disables.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::invocation::Invocation;
use crate::stopwatch::Stopwatch;

/// Replaces the library of the fuzzer: a check links nothing, so it need not be built.
const FUZZER: &str = "none/libfuzzer.a";

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("usage: cargo xtask outside");
    }
    let shared = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let shared = format!("{shared}/outside");
    let mut watch = Stopwatch::default();
    let mut failed = Vec::new();
    for manifest in manifests(root)? {
        let check = check(&manifest, &shared);
        println!("== {check}");
        let done = watch.time(&manifest.path, || check.run(root), describe);
        failed.extend(done.err().map(|error| format!("{error:#}")));
    }
    println!("\n{}", watch.table().trim_end());
    if !failed.is_empty() {
        bail!("{}", failed.join("\n"));
    }
    Ok(())
}

fn describe(done: &Result<()>) -> String {
    match done {
        Ok(()) => "compiles".to_owned(),
        Err(_) => "FAILED".to_owned(),
    }
}

/// The manifest of a crate outside the workspace.
struct Manifest {
    /// From the root of the checkout.
    path: String,
    text: String,
    /// True if a lock file is part of the checkout.
    is_locked: bool,
}

fn manifests(root: &Path) -> Result<Vec<Manifest>> {
    let listed = Invocation::new("git", &["ls-files", "--", "*Cargo.toml", "*Cargo.lock"]);
    let listed = String::from_utf8(listed.output(root)?).context("git names no UTF-8 file")?;
    let files: Vec<&str> = listed.lines().collect();
    let paths = files.iter().filter(|path| path.ends_with("/Cargo.toml"));
    let mut found = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let lock = path.replace("Cargo.toml", "Cargo.lock");
        let is_locked = files.contains(&lock.as_str());
        let path = (*path).to_owned();
        found.push(Manifest {
            path,
            text,
            is_locked,
        });
    }
    found.retain(Manifest::is_outside);
    Ok(found)
}

impl Manifest {
    /// Returns true if the manifest declares its own workspace.
    fn is_outside(&self) -> bool {
        self.text.lines().any(|line| line == "[workspace]")
    }

    fn has_peers(&self) -> bool {
        self.text.lines().any(|line| line.starts_with("peers = ["))
    }
}

fn check(manifest: &Manifest, shared: &str) -> Invocation {
    let options = [
        (manifest.is_locked, "--locked"),
        (manifest.has_peers(), "--no-default-features"),
    ];
    let options = options.into_iter().filter(|(holds, _)| *holds);
    let options: Vec<String> = options.map(|(_, option)| option.to_owned()).collect();
    Invocation::cargo(&["check", "--quiet", "--manifest-path", &manifest.path])
        .arguments(&options)
        .environment("CARGO_TARGET_DIR", shared)
        .environment("CUSTOM_LIBFUZZER_PATH", FUZZER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> Manifest {
        let (path, text) = ("b/Cargo.toml".to_owned(), text.to_owned());
        Manifest {
            path,
            text,
            is_locked: true,
        }
    }

    #[test]
    fn crates_outside_have_a_workspace_of_their_own() {
        assert!(manifest("[package]\nname = \"b\"\n\n[workspace]\n").is_outside());
        assert!(!manifest("[package]\nversion.workspace = true\n").is_outside());
    }

    #[test]
    fn peers_are_not_built() {
        let typed = |text: &str| check(&manifest(text), "t/outside").to_string();
        let variables = "CARGO_TARGET_DIR=t/outside CUSTOM_LIBFUZZER_PATH=none/libfuzzer.a";
        let command = "cargo check --quiet --manifest-path b/Cargo.toml --locked";
        assert_eq!(typed(""), format!("{variables} {command}"));
        assert_eq!(
            typed("[features]\npeers = [\"dep:redb\"]\n"),
            format!("{variables} {command} --no-default-features")
        );
    }

    #[test]
    fn every_crate_outside_is_found() {
        let root = crate::root::find().unwrap();
        let found = manifests(&root).unwrap();
        let has = |path: &str| found.iter().any(|one| one.path == path);
        assert!(has("crates/syntax/fuzz/Cargo.toml") && has("benchmarks/store/Cargo.toml"));
        assert!(!has("crates/base/Cargo.toml"));
    }
}
