//! The files that are measured: those of the trees whose language has a grammar and
//! that both sides read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use loom_base::RepoPath;
use loom_syntax::{Language, Limits, has_grammar, parse_alone};

/// One file.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) language: Language,
}

/// The files by language, at most `most` bytes of each.
pub(crate) fn load(trees: &[PathBuf], most: usize) -> BTreeMap<&'static str, Vec<Source>> {
    let mut found: BTreeMap<&'static str, Vec<Source>> = BTreeMap::new();
    for tree in trees {
        for path in files(tree) {
            if let Some(source) = source(tree, path) {
                found.entry(source.language.id()).or_default().push(source);
            }
        }
    }
    for sources in found.values_mut() {
        thin(sources, most);
    }
    found
}

/// Keeps files spread over the whole list until there are enough bytes.
fn thin(sources: &mut Vec<Source>, most: usize) {
    let total: usize = sources.iter().map(|source| source.text.len()).sum();
    let step = total.div_ceil(most.max(1)).max(1);
    let mut at = 0;
    sources.retain(|_| {
        at += 1;
        at % step == 0
    });
}

fn files(tree: &Path) -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(tree)
        .output();
    let listed = listed
        .ok()
        .filter(|out| out.status.success() && !out.stdout.is_empty());
    let names = listed.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    match names {
        Some(names) => names
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(|name| tree.join(name))
            .collect(),
        None => walked(tree),
    }
}

fn walked(tree: &Path) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![tree.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// A file that is parsed: what we refuse is no work of ours, and no measure.
fn source(tree: &Path, path: PathBuf) -> Option<Source> {
    let name = path.strip_prefix(tree).ok()?.to_str()?;
    let name = RepoPath::new(name).ok()?;
    let text = String::from_utf8(std::fs::read(&path).ok()?).ok()?;
    let language = Language::detect(&name, &text).filter(|language| has_grammar(*language))?;
    parse_alone(language, &text, &Limits::default()).then_some(Source {
        path,
        text,
        language,
    })
}
