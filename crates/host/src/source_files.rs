//! The files that the results about a source depend on. `secrets` lists them and
//! learns from them.

use loom_source::{FoundFile, Scan};

/// The files that the results about a source depend on, as they were listed at one time.
#[derive(Clone, Debug)]
pub struct SourceFiles {
    pub(crate) scan: Scan,
    /// All files of the work trees, if `scan` covers only a part of them.
    pub(crate) wide: Option<Scan>,
    /// The files of work trees around the source, and their credential files.
    pub(crate) outer: Vec<FoundFile>,
    /// The time before the listing, in nanoseconds since 1970.
    pub(crate) began: i64,
}

impl SourceFiles {
    /// Returns the files of the source.
    pub fn files(&self) -> &[FoundFile] {
        &self.scan.files
    }

    /// Returns further files whose secrets are redacted. Some are among the files of the source.
    pub fn teaching(&self) -> impl Iterator<Item = &FoundFile> {
        let wide = self.wide.as_ref().unwrap_or(&self.scan);
        let others = self.wide.iter().flat_map(|wide| &wide.files);
        others.chain(&wide.credentials).chain(&self.outer)
    }
}
