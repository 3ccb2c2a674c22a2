//! Files that an earlier pass of the same run read, so that the survey need not read them again.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_secrets::Copies;
use loom_source::Reason;

use crate::cache::ScanTarget;
use crate::load::Loaded;
use crate::reading::FileText;

/// A file that was read.
pub(crate) enum ReadFile {
    /// The file is included.
    Shown(Box<Loaded>),
    /// The file is skipped because of its contents, and only contributes secrets.
    LeftOut {
        /// Reason for skipping it.
        reason: Reason,
        /// Secrets in its text.
        secrets: Copies,
    },
}

/// Files by path.
pub(crate) type ReadFiles = HashMap<RepoPath, ReadFile>;

impl ReadFile {
    /// Describes a file that is skipped because of its contents.
    pub(crate) fn left_out(text: &FileText<'_>, reason: Reason) -> Self {
        let mut secrets = Copies::default();
        secrets.add(text.text(), text.findings(ScanTarget::File));
        Self::LeftOut { reason, secrets }
    }
}
