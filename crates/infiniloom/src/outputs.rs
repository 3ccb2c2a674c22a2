//! The output files that the settings name for the command. Queries skip them: the pack of an
//! earlier run does not belong to the repository.

use std::path::{Path, PathBuf};

use loom_host::Source;
use loom_settings::{Anchor, OutputPath, Places, Settings};

/// Returns the files that the settings name for output.
pub(crate) fn outputs(settings: &Settings, source: &Source) -> Vec<PathBuf> {
    let root = source.folder();
    let place = |path: &OutputPath| has_home(path, root).then(|| located(path, root));
    let pack = settings.pack.output.as_ref();
    let pack = pack.filter(|path| !is_stdout(path)).and_then(place);
    let report = settings.pack.report.as_ref().and_then(place);
    let parts = pack.as_ref().filter(|_| settings.pack.split.is_some());
    let parts = parts.map(|pack| existing_parts(pack)).unwrap_or_default();
    pack.into_iter().chain(report).chain(parts).collect()
}

/// Returns whether the path has a directory to start from.
pub(crate) fn has_home(path: &OutputPath, root: Option<&Path>) -> bool {
    root.is_some() || path.anchor() != Anchor::Repository
}

pub(crate) fn is_stdout(path: &OutputPath) -> bool {
    path.as_written() == Path::new("-")
}

pub(crate) fn located(path: &OutputPath, root: Option<&Path>) -> PathBuf {
    path.located(Places {
        working_directory: Path::new(""),
        repository: root.unwrap_or(Path::new("")),
    })
}

/// Returns the numbered parts of a pack at `output` that exist, in their order.
pub fn existing_parts(output: &Path) -> Vec<PathBuf> {
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
            let path = part_path(output, number);
            (path.file_name() == Some(&*name)).then_some((number, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Returns the path of part `number` of a pack: `repo.2.xml` for `repo.xml`.
pub fn part_path(output: &Path, number: usize) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}
