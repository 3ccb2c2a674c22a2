//! The output files of a pack, as the settings name them.

use std::path::{Path, PathBuf};

use loom_host::{Source, check_repository_output, is_same_output};
use loom_settings::{OutputPath, Settings};

use crate::error::ErrorKind;
use crate::outputs::{has_home, is_stdout, located};
use crate::{Error, Repository, Result};

pub use crate::outputs::{existing_parts, part_path};

/// The output files of a pack and its report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackOutputs {
    /// The file of the pack; `None` for standard output.
    pub pack: Option<PathBuf>,
    /// Whether the settings name standard output for the pack.
    pub is_stdout: bool,
    /// The file of the report.
    pub report: Option<PathBuf>,
    /// Files that the repository's own settings name although the repository has no directory,
    /// because it is a remote, or bare. They are not written.
    pub homeless: Vec<PathBuf>,
}

impl Repository {
    /// Returns the files that the settings name for a pack.
    ///
    /// # Errors
    /// If the repository's settings name a file that they may not overwrite, the pack and the
    /// report would be the same file, or a pack in parts has no file.
    pub fn pack_outputs(&self) -> Result<PackOutputs> {
        let reader = self.reader();
        PackOutputs::new(reader.resolved.settings(), reader.packer.source())
    }
}

impl PackOutputs {
    fn new(settings: &Settings, source: &Source) -> Result<Self> {
        let root = source.folder();
        let output = settings.pack.output.as_ref();
        let report = settings.pack.report.as_ref();
        let named = output.filter(|path| !is_stdout(path));
        for path in named.into_iter().chain(report) {
            check(path, root)?;
        }
        let place = |path: &OutputPath| has_home(path, root).then(|| located(path, root));
        let homeless = output.into_iter().chain(report);
        let homeless = homeless.filter(|path| !has_home(path, root));
        let outputs = Self {
            pack: named.and_then(place),
            is_stdout: output.is_some_and(is_stdout),
            report: report.and_then(place),
            homeless: homeless.map(|path| path.as_written().to_owned()).collect(),
        };
        outputs.check_different()?;
        if settings.pack.split.is_some() && outputs.pack.is_none() {
            let message = "--split writes several files and has no name for them";
            return Err(Error::invalid("unnamed_parts", message));
        }
        Ok(outputs)
    }

    fn check_different(&self) -> Result<()> {
        match (&self.pack, &self.report) {
            (Some(pack), Some(report)) if is_same_output(pack, report) => {
                let path = pack.display();
                let message = format!("the pack and the report would both be written to {path}");
                Err(Error::invalid("same_output", message))
            }
            _ => Ok(()),
        }
    }
}

fn check(path: &OutputPath, root: Option<&Path>) -> Result<()> {
    let Some(root) = root.filter(|_| path.anchor() == loom_settings::Anchor::Repository) else {
        return Ok(());
    };
    let checked = check_repository_output(root, &located(path, Some(root)));
    checked.map_err(|error| Error::with_cause(ErrorKind::Invalid, "refused_output", error))
}
