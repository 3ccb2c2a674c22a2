//! Files that an earlier pass of the same run read, so that the survey reads none of them
//! again.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_secrets::Copies;
use loom_source::Reason;

use crate::cache::Looked;
use crate::load::Loaded;
use crate::reading::FileText;

/// A file that was read.
pub(crate) enum ReadFile {
    /// It is included.
    Shown(Box<Loaded>),
    /// It is left out for its contents, and only teaches secrets.
    LeftOut {
        /// Why.
        reason: Reason,
        /// The secrets in its text.
        secrets: Copies,
    },
}

/// By the paths of the files.
pub(crate) type ReadFiles = HashMap<RepoPath, ReadFile>;

impl ReadFile {
    /// A file that is left out for its contents.
    pub(crate) fn left_out(text: &FileText<'_>, reason: Reason) -> Self {
        let mut secrets = Copies::default();
        secrets.add(text.text(), text.findings(Looked::File));
        Self::LeftOut { reason, secrets }
    }
}
