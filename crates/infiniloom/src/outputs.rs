//! The files that runs of the command write, as the settings name them. No query reads them:
//! the pack of an earlier run is no part of the repository.

use std::path::{Path, PathBuf};

use loom_host::Source;
use loom_settings::{Anchor, OutputPath, Places, Settings};

/// Returns the files that the settings name for output.
pub(crate) fn outputs(settings: &Settings, source: &Source) -> Vec<PathBuf> {
    let root = source.folder();
    let has_home = |path: &&OutputPath| root.is_some() || path.anchor() != Anchor::Repository;
    let located = |path: &OutputPath| {
        path.located(Places {
            working_directory: Path::new(""),
            repository: root.unwrap_or(Path::new("")),
        })
    };
    let pack = settings.pack.output.as_ref();
    let pack = pack.filter(|path| path.as_written() != Path::new("-"));
    let pack = pack.filter(has_home).map(located);
    let report = settings.pack.report.as_ref().filter(has_home).map(located);
    let parts = pack.as_ref().filter(|_| settings.pack.split.is_some());
    let parts = parts.map(|pack| existing_parts(pack)).unwrap_or_default();
    pack.into_iter().chain(report).chain(parts).collect()
}

/// Returns the numbered parts of `output` that exist, in their order.
fn existing_parts(output: &Path) -> Vec<PathBuf> {
    let directory = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let middle = match output.extension() {
                Some(_) => Path::new(&name).with_extension(""),
                None => PathBuf::from(&name),
            };
            let number = middle.extension()?.to_str()?.parse().ok()?;
            let path = numbered_part(output, number);
            (path.file_name() == Some(&*name)).then_some((number, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Returns the path of part `number`: `repo.2.xml` for `repo.xml`.
fn numbered_part(output: &Path, number: usize) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}
