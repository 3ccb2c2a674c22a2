//! Lists the files of a packer's source.

use loom_source::{FolderWatch, Scan, ScanOptions};

use super::Packer;

impl Packer {
    /// Lists the files, and the credential files that only contribute secrets.
    pub(crate) fn listed(&self, options: &ScanOptions) -> Scan {
        self.source.scan(&ScanOptions {
            credentials: self.options.secrets.mode.hides(),
            ..options.clone()
        })
    }

    /// Watches the directories that contain files; `None` if the system cannot watch them.
    pub fn watch(&self) -> Option<FolderWatch> {
        let scan: Scan = self.listed(&self.options.scan);
        self.source.watch(&scan)
    }
}
