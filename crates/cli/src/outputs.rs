//! The files that a run writes, and whether it may.

use std::path::{Path, PathBuf};

use infiniloom::host::{Source, check_repository_output, is_same_output};
use loom_settings::{Anchor, OutputPath, Places, Settings};

use super::error::CliError;
use super::parts;

/// The files that a run writes.
pub(super) struct Outputs {
    /// `None` for standard output.
    pub(super) pack: Option<PathBuf>,
    /// Standard output was asked for by name, with `-o -`.
    pub(super) pack_is_stdout: bool,
    pub(super) report: Option<PathBuf>,
    /// Whether the pack is written in numbered parts.
    is_split: bool,
    /// What the repository's settings want to write although there is no folder of
    /// its own to write to: it is a remote, or bare.
    pub(super) homeless: Vec<PathBuf>,
}

impl Outputs {
    /// Where the settings put them; nothing is checked.
    pub(super) fn locate(settings: &Settings, source: &Source) -> Self {
        let root = source.folder();
        let has_home = |path: &&OutputPath| root.is_some() || path.anchor() != Anchor::Repository;
        let output = settings.pack.output.as_ref();
        let report = settings.pack.report.as_ref();
        let located = |path: &OutputPath| located(path, root.unwrap_or(Path::new("")));
        let homeless = output.into_iter().chain(report);
        Self {
            pack: output
                .filter(|path| !is_stdout(path))
                .filter(has_home)
                .map(located),
            pack_is_stdout: output.is_some_and(is_stdout),
            report: report.filter(has_home).map(located),
            is_split: settings.pack.split.is_some(),
            homeless: homeless
                .filter(|path| !has_home(path))
                .map(|path| path.as_written().to_owned())
                .collect(),
        }
    }

    /// The same, refused where one must not be written.
    pub(super) fn new(settings: &Settings, source: &Source) -> Result<Self, CliError> {
        let outputs = Self::locate(settings, source);
        let output = settings.pack.output.iter().filter(|path| !is_stdout(path));
        for path in output.chain(&settings.pack.report) {
            check(path, source.folder())?;
        }
        outputs.check_different()?;
        if outputs.is_split && outputs.pack.is_none() {
            return Err(
                CliError::user("--split writes several files and has no name for them")
                    .hint("name them with -o: repo.xml gives repo.1.xml, repo.2.xml and so on"),
            );
        }
        Ok(outputs)
    }

    fn check_different(&self) -> Result<(), CliError> {
        match (&self.pack, &self.report) {
            (Some(pack), Some(report)) if is_same_output(pack, report) => {
                let path = pack.display();
                let error = format!("the pack and the report would both be written to {path}");
                Err(CliError::user(error).hint("name another file with -o or --report"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn all(&self) -> Vec<PathBuf> {
        let mut all: Vec<_> = self.pack.iter().chain(&self.report).cloned().collect();
        if let Some(pack) = self.pack.as_ref().filter(|_| self.is_split) {
            all.extend(parts::existing(pack));
        }
        all
    }
}

fn is_stdout(path: &OutputPath) -> bool {
    path.as_written() == Path::new("-")
}

fn located(path: &OutputPath, root: &Path) -> PathBuf {
    path.located(Places {
        working_directory: Path::new(""),
        repository: root,
    })
}

fn check(path: &OutputPath, root: Option<&Path>) -> Result<(), CliError> {
    let Some(root) = root.filter(|_| path.anchor() == Anchor::Repository) else {
        return Ok(());
    };
    check_repository_output(root, &located(path, root)).map_err(|error| {
        CliError::user(error.to_string())
            .hint("name another file with -o, or leave the settings out with --no-config")
    })
}
