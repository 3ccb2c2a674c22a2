//! `cargo xtask docs`: the pages of `docs/reference`, which the command generates. Hand-written
//! pages are in other directories.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::invocation::Invocation;

/// Directory of the generated pages, from the root.
pub(crate) const FOLDER: &str = "docs/reference";

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => generate(root, FOLDER),
        ["--check"] => report(&stale(root)?),
        _ => bail!("usage: cargo xtask docs [--check]"),
    }
}

/// Returns true if the command that writes the pages is in the workspace.
pub(crate) fn exist(root: &Path) -> bool {
    root.join("crates/cli/Cargo.toml").is_file()
}

/// Returns the pages that the command would now write differently.
pub(crate) fn stale(root: &Path) -> Result<Vec<StalePage>> {
    let fresh = tempfile::tempdir().context("cannot make a temporary folder")?;
    let target = fresh
        .path()
        .to_str()
        .context("the temporary folder's name is not UTF-8")?;
    generate(root, target)?;
    compare(fresh.path(), &root.join(FOLDER))
}

/// An outdated page of `docs/reference`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StalePage {
    /// From the root of the checkout.
    pub(crate) path: String,
    pub(crate) what: &'static str,
    pub(crate) remedy: &'static str,
}

fn generate(root: &Path, folder: &str) -> Result<()> {
    if !exist(root) {
        bail!("there is no crates/cli to write the pages");
    }
    let program = build(root)?;
    fs::create_dir_all(root.join(folder)).with_context(|| format!("cannot make {folder}"))?;
    Invocation::new(&program, &["generate-docs", folder]).run(root)
}

/// Builds the command and returns its path. Names the whole workspace and the examples, because
/// cargo then resolves the features of dependencies as it does for tests; `cargo run --package` may
/// build the heavy ones again.
fn build(root: &Path) -> Result<String> {
    let what = [
        "build",
        "--quiet",
        "--workspace",
        "--bin",
        "infiniloom",
        "--examples",
    ];
    let told = ["--message-format=json-render-diagnostics".to_owned()];
    let messages = Invocation::cargo(&what).arguments(&told).output(root)?;
    executable(&messages).context("cargo does not say where it put infiniloom")
}

/// Returns the path of the command from cargo's build messages, one JSON value per line.
fn executable(messages: &[u8]) -> Option<String> {
    let lines = messages.split(|&byte| byte == b'\n');
    let mut messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let ours = messages.find(|message| {
        let target = &message["target"];
        target["name"] == "infiniloom" && target["kind"][0] == "bin"
    });
    Some(ours?["executable"].as_str()?.to_owned())
}

fn report(stale: &[StalePage]) -> Result<()> {
    for page in stale {
        println!("{}: {}, {}", page.path, page.what, page.remedy);
    }
    if !stale.is_empty() {
        bail!("{} stale pages", stale.len());
    }
    Ok(())
}

fn compare(fresh: &Path, kept: &Path) -> Result<Vec<StalePage>> {
    let mut stale = Vec::new();
    for page in pages(fresh)? {
        stale.extend(difference(fresh, kept, &page)?);
    }
    for page in pages(kept)? {
        if !fresh.join(&page).exists() {
            stale.push(stale_page(
                &page,
                "is not generated",
                "delete it or move it elsewhere",
            ));
        }
    }
    stale.sort();
    Ok(stale)
}

fn difference(fresh: &Path, kept: &Path, page: &Path) -> Result<Option<StalePage>> {
    let expected = fs::read(fresh.join(page))?;
    let what = match fs::read(kept.join(page)) {
        Ok(found) if found == expected => return Ok(None),
        Ok(_) => "is stale",
        Err(_) => "is missing",
    };
    Ok(Some(stale_page(page, what, "run `cargo xtask docs`")))
}

fn stale_page(page: &Path, what: &'static str, remedy: &'static str) -> StalePage {
    let path = format!("{FOLDER}/{}", page.display());
    StalePage { path, what, remedy }
}

/// Lists the files below a directory, relative to it; none if it does not exist.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&inner)) else {
            continue;
        };
        for entry in entries {
            let entry = entry?;
            let name = inner.join(entry.file_name());
            let list = if entry.file_type()?.is_dir() {
                &mut folders
            } else {
                &mut found
            };
            list.push(name);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(pages: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in pages {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn command_is_distinguished_from_the_library_of_the_same_name() {
        let library = r#"{"target":{"name":"infiniloom","kind":["lib"]},"executable":null}"#;
        let command = r#"{"target":{"name":"infiniloom","kind":["bin"]},"executable":"/t/i"}"#;
        let messages = format!("{library}\n{command}\n");
        assert_eq!(executable(messages.as_bytes()).as_deref(), Some("/t/i"));
        assert_eq!(executable(library.as_bytes()), None);
    }

    #[test]
    fn equal_folders_are_fresh() {
        let pages = [("cli.md", "a"), ("schema/settings.json", "{}")];
        let stale = compare(folder(&pages).path(), folder(&pages).path()).unwrap();
        assert_eq!(stale, []);
    }

    #[test]
    fn changed_missing_and_left_over_pages_are_named() {
        let fresh = folder(&[("cli.md", "new"), ("settings.md", "s")]);
        let kept = folder(&[("cli.md", "old"), ("sub/gone.md", "g")]);
        let stale = compare(fresh.path(), kept.path()).unwrap();
        let shown: Vec<_> = stale
            .iter()
            .map(|page| format!("{} {}", page.path, page.what))
            .collect();
        assert_eq!(
            shown,
            [
                "docs/reference/cli.md is stale",
                "docs/reference/settings.md is missing",
                "docs/reference/sub/gone.md is not generated",
            ]
        );
    }
}
