//! Decides which contents a diff may show: only those that the pack could show. Skipped files
//! appear with the reason, so that a diff does not reveal them.

use std::collections::HashSet;

use loom_base::RepoPath;
use loom_engine::{Contents, cells, inspect};
use loom_source::{
    Comparison, Encoding, History, LeftOut, Reason, Source, Verdict, Version, decode,
};

use crate::secrets::Secrets;
use crate::survey::Survey;
use crate::{PackOptions, Packer};

/// The contents of one repository that a diff may show.
pub(super) struct DiffGuard<'a> {
    source: &'a Source,
    options: &'a PackOptions,
    secrets: &'a Secrets,
    history: &'a History,
    /// Packed files, by actual path.
    packed: HashSet<&'a RepoPath>,
    left_out: &'a [LeftOut],
}

/// The text of one side of a change.
pub(super) struct DiffSide {
    /// The text; `None` for contents that are not text.
    pub(super) text: Option<String>,
    /// Note for the reader.
    pub(super) note: Option<String>,
}

impl<'a> DiffGuard<'a> {
    pub(super) fn new(packer: &'a Packer, history: &'a History, survey: &'a Survey) -> Self {
        Self {
            source: &packer.source,
            options: &packer.options,
            secrets: &survey.run.secrets,
            history,
            packed: survey
                .files
                .iter()
                .map(|file| file.found.actual_path())
                .collect(),
            left_out: &survey.left_out,
        }
    }

    /// Returns true if the user's paths include `path`.
    pub(super) fn is_asked_for(&self, path: &RepoPath) -> bool {
        self.history.is_asked_for(path)
    }

    /// Returns the reason for hiding the contents of `path`; `None` if they may be shown.
    pub(super) fn hidden_reason(&self, path: &RepoPath) -> Option<String> {
        let shown = self.history.shown(path);
        if self.packed.contains(&shown) {
            return None;
        }
        match self.reason(&shown) {
            // With these reasons, the rules have not decided about the path yet.
            Some(
                Reason::Deleted | Reason::Renamed { .. } | Reason::Binary | Reason::Symlink { .. },
            )
            | None => self.by_rules(path),
            Some(reason) => Some(reason.to_string()),
        }
    }

    /// Returns the reason for skipping the path or a directory above it.
    fn reason(&self, path: &RepoPath) -> Option<&Reason> {
        let mut at = Some(path.clone());
        while let Some(path) = at {
            let found = self.left_out.binary_search_by(|left| left.path.cmp(&path));
            if let Ok(found) = found {
                return Some(&self.left_out[found].reason);
            }
            at = path.parent();
        }
        None
    }

    fn by_rules(&self, path: &RepoPath) -> Option<String> {
        let place = self.history.on_disk(path);
        match self.source.why(&place, &self.options.scan) {
            Ok((_, Verdict::LeftOut { rule, .. })) => Some(rule.to_string()),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    /// Returns the contents of one side of a change as they may be shown.
    pub(super) fn shown(
        &self,
        comparison: &mut Comparison<'_>,
        path: &RepoPath,
        version: &Version,
    ) -> Result<DiffSide, String> {
        let limit = self.options.max_file_size;
        let bytes = comparison.contents(path, version, limit);
        let bytes = bytes.map_err(|reason| reason.to_string())?;
        let (text, encoding) = match String::from_utf8(bytes) {
            Ok(text) if decode(text.clone().into_bytes()).is_ok() => (text, None),
            Ok(_) => {
                return Ok(DiffSide {
                    text: None,
                    note: None,
                });
            }
            Err(error) => match decode(error.into_bytes()) {
                Ok(decoded) => (decoded.text, Some(decoded.encoding)),
                Err(_) => {
                    return Ok(DiffSide {
                        text: None,
                        note: None,
                    });
                }
            },
        };
        self.checked(path, text, encoding)
    }

    /// Redacts one side of a change. The same secret has the same number on both sides.
    fn clean(&self, path: &RepoPath, text: String) -> String {
        let shown = self.history.shown(path);
        self.secrets.clean(&self.options.secrets, &shown, text)
    }

    fn checked(
        &self,
        path: &RepoPath,
        text: String,
        encoding: Option<Encoding>,
    ) -> Result<DiffSide, String> {
        match inspect(&text) {
            Contents::LfsPointer => return Err(Reason::LfsPointer.to_string()),
            Contents::EarlierPack if !self.packed.contains(&self.history.shown(path)) => {
                return Err(Reason::EarlierPack.to_string());
            }
            _ => {}
        }
        let decoded = encoding.map(|encoding| format!("decoded from {encoding}"));
        // A pack omits the outputs of a notebook, so a diff does, too.
        if path.extension() == Some(b"ipynb")
            && let Some(cells) = cells(&text)
        {
            let note = Some("notebook cells without outputs".to_owned());
            return Ok(DiffSide {
                text: Some(self.clean(path, cells)),
                note,
            });
        }
        Ok(DiffSide {
            text: Some(self.clean(path, text)),
            note: decoded,
        })
    }
}
