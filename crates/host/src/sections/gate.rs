//! Which contents a diff may show: those that the pack itself could show. What the
//! rules leave out is named with its reason, so that nothing leaves by this door.

use std::collections::HashSet;

use loom_base::RepoPath;
use loom_engine::{Contents, cells, inspect};
use loom_source::{
    Comparison, Encoding, History, LeftOut, Reason, Source, Verdict, Version, decode,
};

use crate::secrets::Secrets;
use crate::survey::Survey;
use crate::{PackOptions, Packer};

/// What may be shown of one repository.
pub(super) struct DiffGuard<'a> {
    source: &'a Source,
    options: &'a PackOptions,
    secrets: &'a Secrets,
    history: &'a History,
    /// By their paths as they are.
    packed: HashSet<&'a RepoPath>,
    left_out: &'a [LeftOut],
}

/// The text of one side of a change.
pub(super) struct DiffSide {
    /// `None` for contents that are not text.
    pub(super) text: Option<String>,
    /// What a reader has to know about it.
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

    /// Whether the user asked for `path` at all.
    pub(super) fn is_asked_for(&self, path: &RepoPath) -> bool {
        self.history.is_asked_for(path)
    }

    /// Why the contents of `path` are not shown; `None` when they may be.
    pub(super) fn hidden_reason(&self, path: &RepoPath) -> Option<String> {
        let shown = self.history.shown(path);
        if self.packed.contains(&shown) {
            return None;
        }
        match self.reason(&shown) {
            // What such a thing is does not say whether the rules would take it.
            Some(Reason::Deleted | Reason::Binary | Reason::Symlink { .. }) | None => {
                self.by_rules(path)
            }
            Some(reason) => Some(reason.to_string()),
        }
    }

    /// The reason for which the path, or a folder above it, was left out.
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

    /// The contents of one side of a change as they may be shown.
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

    /// Both sides of a change lose their secrets, the same one under the same number.
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
        // The outputs of a notebook are not packed, so they are not shown here.
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
