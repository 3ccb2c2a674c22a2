//! Lists the files that the results about a source depend on: its own files, and those around it
//! whose secrets are redacted. `secrets` learns from them.

use std::path::PathBuf;

use loom_source::{FoundFile, Reach, Scan, ScanOptions, Source};

use crate::cache::now;
use crate::options::SecretsScope;
use crate::{PackOptions, Packer};

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

/// Whether files are listed with their stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamps {
    Taken,
    Missing,
}

impl SourceFiles {
    /// Lists the files of the source with their stamps, and the files whose secrets are redacted. A
    /// result stays valid while none of them changes.
    pub fn list(packer: &Packer) -> Self {
        let began = now();
        let stamped = |options: ScanOptions| ScanOptions {
            stamps: true,
            ..options
        };
        let scan = packer.listed(&stamped(packer.options.scan.clone()));
        let (mut wide, mut outer) = (None, Vec::new());
        if packer.options.secrets.mode.hides() {
            wide = wide_scan(packer, &scan, Stamps::Taken);
            let work_trees: Vec<PathBuf> = packer.source.outer_work_trees().into_iter().collect();
            if packer.options.secrets.scope == SecretsScope::WorkTree
                && !work_trees.is_empty()
                && let Ok(on_disk) = Source::open(&work_trees)
            {
                let scan = on_disk.scan(&stamped(wide_options(&packer.options)));
                outer.extend(scan.files);
                outer.extend(scan.credentials);
            }
        }
        Self {
            scan,
            wide,
            outer,
            began,
        }
    }

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

/// Lists all files of the work trees; `None` if `scan` already covers them.
pub(crate) fn wide_scan(packer: &Packer, scan: &Scan, stamps: Stamps) -> Option<Scan> {
    let covers = match packer.options.secrets.scope {
        SecretsScope::WorkTree => packer.source.covers_work_trees(),
        SecretsScope::Roots => true,
    };
    let is_whole = covers
        && scan.has_credentials
        && packer.options.scan.filters.is_empty()
        && packer.options.history.changed.is_none();
    (!is_whole).then(|| {
        packer.source.scan(&ScanOptions {
            stamps: stamps == Stamps::Taken,
            ..wide_options(&packer.options)
        })
    })
}

/// Returns the options for listing all files of the work trees.
pub(crate) fn wide_options(options: &PackOptions) -> ScanOptions {
    ScanOptions {
        filters: Vec::new(),
        reach: match options.secrets.scope {
            SecretsScope::WorkTree => Reach::WorkTree,
            SecretsScope::Roots => Reach::Named,
        },
        credentials: true,
        ..options.scan.clone()
    }
}
