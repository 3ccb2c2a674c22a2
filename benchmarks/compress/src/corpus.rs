//! The files that are measured: what git tracks and is text.

use std::path::Path;
use std::process::Command;

use loom_base::RepoPath;
use loom_syntax::Language;

/// One file.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) language: Option<Language>,
}

/// The text files of a tree, of at most a megabyte each.
pub(crate) fn load(tree: &Path) -> Vec<Source> {
    let names = tracked(tree).unwrap_or_else(|| walked(tree));
    names.iter().filter_map(|name| source(tree, name)).collect()
}

fn tracked(tree: &Path) -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(tree)
        .output();
    let listed = listed.ok().filter(|out| out.status.success())?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names = names.split('\0').filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    (!names.is_empty()).then_some(names)
}

fn walked(tree: &Path) -> Vec<String> {
    let (mut open, mut found) = (vec![tree.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name != ".git" => open.push(path),
                Ok(kind) if kind.is_file() => {
                    let name = path.strip_prefix(tree).ok().and_then(Path::to_str);
                    found.extend(name.map(str::to_owned));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn source(tree: &Path, name: &str) -> Option<Source> {
    let path = tree.join(name);
    let meta = std::fs::symlink_metadata(&path).ok()?;
    if !meta.is_file() || meta.len() > 1_000_000 {
        return None;
    }
    let text = String::from_utf8(std::fs::read(&path).ok()?).ok()?;
    if text.contains('\0') {
        return None;
    }
    let language = Language::detect(&RepoPath::new(name).ok()?, &text);
    Some(Source {
        path: name.to_owned(),
        text,
        language,
    })
}
