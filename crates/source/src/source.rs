//! The trees that a user named, opened for scanning and reading.

use std::path::Path;

use loom_base::RepoPath;

use crate::beneath::Beneath;
use crate::native;
use crate::outcome::Reason;
use crate::read::{self, Reading, plain_message};
use crate::root::{self, OpenError, Root};
use crate::scan::{FoundFile, Scan, ScanOptions};
use crate::walk::Walk;

/// One or several trees of files.
#[derive(Debug)]
pub struct Source {
    trees: Vec<(Root, Beneath)>,
}

impl Source {
    /// Opens what the user named: folders, files, or both.
    ///
    /// # Errors
    /// When a path does not exist or cannot be opened.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Self, OpenError> {
        let open = |root: Root| match Beneath::open(&root.dir) {
            Ok(beneath) => Ok((root, beneath)),
            Err(error) => Err(OpenError::Unreadable {
                path: root.dir.clone(),
                message: plain_message(&error),
            }),
        };
        let trees = root::group(paths)?
            .into_iter()
            .map(open)
            .collect::<Result<_, _>>()?;
        Ok(Self { trees })
    }

    /// The folders at the top of the trees, as absolute paths.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.trees.iter().map(|(_, beneath)| beneath.path())
    }

    /// A name for the whole: those of the top folders.
    pub fn name(&self) -> String {
        let shown = |name: &std::ffi::OsStr| RepoPath::new(native::name_bytes(name)).ok();
        let name = |path: &Path| match path.file_name().and_then(shown) {
            Some(name) => name.display().into_owned(),
            None => "root".to_owned(),
        };
        self.roots().map(name).collect::<Vec<_>>().join(" + ")
    }

    /// Lists the files, in the order of their paths.
    pub fn scan(&self, options: &ScanOptions) -> Scan {
        let mut scan = Scan::default();
        for (number, (root, beneath)) in self.trees.iter().enumerate() {
            let Scan {
                mut files,
                mut left_out,
                mut warnings,
                mut repositories,
            } = Walk::new(root, beneath, number, options).run();
            scan.files.append(&mut files);
            scan.left_out.append(&mut left_out);
            scan.warnings.append(&mut warnings);
            scan.repositories.append(&mut repositories);
        }
        if self.trees.len() > 1 {
            scan.files.sort_by(|a, b| a.path.cmp(&b.path));
            scan.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        }
        scan
    }

    /// Reads one file, of at most `limit` bytes.
    ///
    /// # Errors
    /// The reason for which the file is left out.
    pub fn read(&self, file: &FoundFile, limit: u64) -> Result<Reading, Reason> {
        let (_, beneath) = &self.trees[file.root];
        read::read(beneath, &file.relative, limit)
    }

    /// The text of a small plain file at the top, such as a settings file: `None`
    /// when it is not there, is a link, is larger than `limit`, or there are several
    /// trees.
    pub fn read_at_top(&self, name: &str, limit: u64) -> Option<Vec<u8>> {
        let [(_, beneath)] = self.trees.as_slice() else {
            return None;
        };
        read::read_small(beneath, &RepoPath::new(name).ok()?, limit)
    }

    pub(crate) fn trees(&self) -> &[(Root, Beneath)] {
        &self.trees
    }
}
