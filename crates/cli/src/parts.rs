//! A pack in numbered files: `repo.1.xml`, `repo.2.xml` and so on.

use std::path::{Path, PathBuf};

use infiniloom::host::{Cancel, Counted, Limit, NoProgress, OutputFile, Packer, Survey, Written};

use super::error::CliError;
use super::interrupt::{add_unfinished, set_finished};
use super::progress::ProgressLine;
use super::ui::Ui;

/// What was written, in all files together.
pub(super) struct Parts {
    pub(super) files: Vec<PathBuf>,
    pub(super) each: Vec<Written>,
    /// Parts of an earlier run that had more of them.
    pub(super) stale: Vec<PathBuf>,
}

/// Writes `survey` in parts of at most `limit` beside `output`.
pub(super) fn write(
    packer: &Packer,
    survey: &Survey,
    limit: Limit,
    output: &Path,
    ui: Ui,
    cancel: &Cancel,
) -> Result<Parts, CliError> {
    let surveys = packer.split(survey, limit, cancel)?;
    let mut parts = Parts {
        files: Vec::new(),
        each: Vec::new(),
        stale: Vec::new(),
    };
    for (at, part) in surveys.iter().enumerate() {
        let path = numbered(output, at + 1);
        let progress = ProgressLine::new(ui);
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        let mut file = OutputFile::create(&path).map_err(failed)?;
        let temporary = file.temporary_path().map(Path::to_owned);
        temporary.iter().for_each(|path| add_unfinished(path));
        parts
            .each
            .push(packer.write(part, &mut file, &progress, cancel)?);
        file.finish().map_err(failed)?;
        temporary.iter().for_each(|path| set_finished(path));
        parts.files.push(path);
    }
    parts.stale = existing(output)
        .into_iter()
        .filter(|path| !parts.files.contains(path))
        .collect();
    Ok(parts)
}

/// What parts of at most `limit` would be, written nowhere.
pub(super) fn measure(
    packer: &Packer,
    survey: &Survey,
    limit: Limit,
    cancel: &Cancel,
) -> Result<Parts, CliError> {
    let mut each = Vec::new();
    for part in packer.split(survey, limit, cancel)? {
        each.push(packer.write(&part, &mut std::io::sink(), &NoProgress, cancel)?);
    }
    let (files, stale) = (Vec::new(), Vec::new());
    Ok(Parts { files, each, stale })
}

impl Parts {
    /// The tokens of the largest part.
    pub(super) fn largest(&self) -> Counted {
        let tokens = self.each.iter().map(|part| part.tokens);
        tokens
            .max_by_key(Counted::upper)
            .unwrap_or(Counted::Exact(0))
    }

    /// All parts as one.
    pub(super) fn together(&self) -> Written {
        let changed = self
            .each
            .iter()
            .flat_map(|part| part.changed.iter().cloned());
        Written {
            bytes: self.each.iter().map(|part| part.bytes).sum(),
            tokens: self.each.iter().map(|part| part.tokens).sum(),
            changed: changed.collect(),
        }
    }

    pub(super) fn target(&self) -> String {
        match &*self.files {
            [] => String::new(),
            [only] => only.display().to_string(),
            [first, .., last] => {
                let count = self.files.len();
                format!("{} to {} ({count} parts)", first.display(), last.display())
            }
        }
    }
}

/// The file of a part: its number stands before the last extension.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}

/// The parts that lie beside `output`, of whatever run.
pub(super) fn existing(output: &Path) -> Vec<PathBuf> {
    let folder = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let middle = Path::new(&name).with_extension("");
            let middle = match output.extension() {
                Some(_) => middle,
                None => PathBuf::from(&name),
            };
            let number = middle.extension()?.to_str()?.parse().ok()?;
            let path = numbered(output, number);
            (path.file_name() == Some(&*name)).then_some((number, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_the_extension() {
        for (output, part) in [
            ("a/repo.xml", "a/repo.3.xml"),
            ("repo", "repo.3"),
            ("a.b.md", "a.b.3.md"),
        ] {
            assert_eq!(numbered(Path::new(output), 3), Path::new(part));
        }
    }
}
