//! Pure packages share one `clippy.toml`, which bans files, clock, environment, printing, network
//! and threads. Clippy reads only the nearest such file, so it repeats the settings of the root's
//! file. Build scripts, examples and tests may expect the lint with a reason; `src` may not.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::checkout::TextFile;
use super::layers::row_of;
use super::packages::Package;
use super::problem::Problem;

/// The file that the others copy.
const REFERENCE: &str = "xtask/pure.clippy.toml";
const REMEDY: &str = "run `cargo xtask tidy --fix`";

pub(crate) fn check(root: &Path, packages: &[Package]) -> Vec<Problem> {
    let reference = read(root, REFERENCE);
    let mut problems = missing_settings(&read(root, "clippy.toml"), &reference);
    for package in packages {
        let copy = read(root, &copy_of(package));
        problems.extend(check_copy(package, &copy, &reference));
    }
    problems
}

/// Returns positions in `src` of a pure package that lift the ban.
pub(crate) fn check_source(file: &TextFile, packages: &[Package]) -> Vec<Problem> {
    let is_source = |package: &Package| {
        let inner = file.path.strip_prefix(package.folder());
        inner.is_some_and(|inner| inner.starts_with("/src/"))
    };
    if !packages
        .iter()
        .any(|package| is_pure(&package.name) && is_source(package))
    {
        return Vec::new();
    }
    let numbered = file.text.lines().enumerate();
    let lifting = numbered.filter(|(_, line)| line.contains("clippy::disallowed_"));
    let what = "lifts a ban of pure packages";
    let remedy = "take what it needs as an argument, or move it to a native package";
    lifting
        .map(|(index, _)| Problem::new(&file.path, index + 1, what, remedy))
        .collect()
}

/// Writes missing and outdated copies.
pub(crate) fn write(root: &Path, packages: &[Package]) -> Result<()> {
    let reference = read(root, REFERENCE);
    for package in packages.iter().filter(|package| is_pure(&package.name)) {
        let copy = copy_of(package);
        if read(root, &copy) != reference {
            fs::write(root.join(&copy), &reference)
                .with_context(|| format!("cannot write {copy}"))?;
            println!("wrote {copy}");
        }
    }
    Ok(())
}

pub(crate) fn is_pure(package: &str) -> bool {
    row_of(package).is_some_and(|row| row.layer.is_pure())
}

fn copy_of(package: &Package) -> String {
    format!("{}/clippy.toml", package.folder())
}

/// Reads a file; an unreadable file counts as empty, and so as outdated.
fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap_or_default()
}

fn check_copy(package: &Package, copy: &str, reference: &str) -> Option<Problem> {
    let what = match (is_pure(&package.name), copy.is_empty()) {
        (false, _) => return None,
        (true, true) => format!("missing in the pure package `{}`", package.name),
        (true, false) if copy != reference => format!("differs from {REFERENCE}"),
        (true, false) => return None,
    };
    Some(Problem::new(copy_of(package), 1, what, REMEDY))
}

/// Returns lines of the root's file that the reference lacks.
fn missing_settings(root: &str, reference: &str) -> Vec<Problem> {
    let missing = root
        .lines()
        .filter(|line| !reference.lines().any(|other| other == *line));
    missing
        .map(|line| {
            let what = format!("`{line}` of the root's clippy.toml is not repeated");
            Problem::new(REFERENCE, 1, what, "add the line")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    fn package(name: &str) -> Package {
        Package {
            name: name.to_owned(),
            manifest: "crates/a/Cargo.toml".to_owned(),
            ..Package::default()
        }
    }

    #[track_caller]
    fn check_one(name: &str, copy: &str, expected: &[&str]) {
        assert_eq!(
            shown(check_copy(&package(name), copy, "ban = []\n")),
            expected
        );
    }

    #[test]
    fn pure_packages_carry_the_reference() {
        check_one("loom-base", "ban = []\n", &[]);
        check_one(
            "loom-base",
            "ban = [1]\n",
            &[
                "crates/a/clippy.toml:1: differs from xtask/pure.clippy.toml, run `cargo xtask tidy --fix`",
            ],
        );
        check_one(
            "loom-base",
            "",
            &[
                "crates/a/clippy.toml:1: missing in the pure package `loom-base`, run `cargo xtask tidy --fix`",
            ],
        );
    }

    #[test]
    fn other_packages_need_none() {
        check_one("loom-source", "", &[]);
    }

    #[test]
    fn settings_of_the_root_are_repeated() {
        assert_eq!(missing_settings("a = 1\n", "a = 1\nb = 2\n"), []);
        assert_eq!(missing_settings("a = 1\n", "b = 2\n").len(), 1);
    }

    #[test]
    fn only_source_may_not_lift_the_ban() {
        let text = "//! x\n#![expect(clippy::disallowed_methods, reason = \"r\")]\n";
        let lifts = |name, path| shown(check_source(&TextFile::new(path, text), &[package(name)]));
        assert_eq!(
            lifts("loom-base", "crates/a/src/lib.rs"),
            ["crates/a/src/lib.rs:2: lifts a ban of pure packages, \
              take what it needs as an argument, or move it to a native package"]
        );
        assert_eq!(lifts("loom-base", "crates/a/build.rs"), [""; 0]);
        assert_eq!(lifts("loom-base", "crates/ab/src/lib.rs"), [""; 0]);
        assert_eq!(lifts("loom-source", "crates/a/src/lib.rs"), [""; 0]);
    }

    #[test]
    fn fix_writes_what_check_asks_for() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("crates/a")).unwrap();
        fs::create_dir(root.join("xtask")).unwrap();
        fs::write(root.join(REFERENCE), "ban = []\n").unwrap();
        let packages = [package("loom-base")];
        assert_eq!(check(root, &packages).len(), 1);
        write(root, &packages).unwrap();
        assert_eq!(check(root, &packages), []);
    }
}
