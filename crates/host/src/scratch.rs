//! Temporary files for lists that outgrow the memory of a run. A file has no name: it is
//! gone when the run ends, however it ends.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loom_base::{ColumnLost, Scratch, SharedBytes, Spill};
use memmap2::Mmap;

use crate::{PackError, PackOptions};

/// Scratch files in one directory.
pub(crate) struct ScratchFiles {
    /// `None` for the system's directory of temporary files.
    directory: Option<PathBuf>,
    in_memory: usize,
    /// Whether a list stayed in memory.
    is_full: AtomicBool,
}

impl ScratchFiles {
    /// Returns scratch space in the directory of the cache, or in the system's directory without
    /// one.
    pub(crate) fn new(options: &PackOptions) -> Self {
        let cache = options.cache.as_ref();
        Self {
            directory: cache.and_then(|cache| cache.folder.clone()),
            in_memory: options.memory().column(),
            is_full: AtomicBool::new(false),
        }
    }

    /// Returns the preferred directory for temporary files.
    fn location(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// Returns a warning if lists stayed in memory.
    pub(crate) fn warning(&self) -> Option<String> {
        let location = self.location();
        self.is_full.load(Ordering::Relaxed).then(|| {
            format!(
                "exceeding the memory limit: cannot write temporary files in {}",
                location.display()
            )
        })
    }

    /// Returns the error for a list that was lost.
    pub(crate) fn lost(&self, source: ColumnLost) -> PackError {
        PackError::Scratch {
            directory: self.location(),
            source,
        }
    }
}

impl Scratch for ScratchFiles {
    fn in_memory(&self) -> usize {
        self.in_memory
    }

    fn open(&self) -> Option<Box<dyn Spill>> {
        let beside = self.directory.as_ref();
        let file = beside.and_then(|directory| tempfile::tempfile_in(directory).ok());
        let file = file.or_else(|| tempfile::tempfile().ok())?;
        Some(Box::new(ScratchFile { file, size: 0 }))
    }

    fn note_full(&self) {
        self.is_full.store(true, Ordering::Relaxed);
    }
}

struct ScratchFile {
    file: File,
    /// Number of bytes that were written completely.
    size: u64,
}

impl Spill for ScratchFile {
    fn append(&mut self, bytes: &[u8]) -> bool {
        let is_written = self.file.write_all(bytes).is_ok();
        self.size += if is_written { bytes.len() as u64 } else { 0 };
        is_written
    }

    fn finish(self: Box<Self>) -> Option<SharedBytes> {
        // A failed write may have left a part of its bytes.
        self.file.set_len(self.size).ok()?;
        Some(Arc::new(map(&self.file)?))
    }
}

#[expect(unsafe_code, reason = "a file is mapped")]
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: the file has no name and this process wrote it, so that nothing else can
    // change or shorten it.
    unsafe { Mmap::map(file) }.ok()
}

#[cfg(test)]
mod tests {
    use loom_base::ColumnBuilder;

    use super::*;

    fn built(directory: Option<PathBuf>) -> loom_base::Column<u32> {
        let scratch = ScratchFiles {
            directory,
            in_memory: 64,
            is_full: AtomicBool::new(false),
        };
        let mut builder = ColumnBuilder::new(&scratch);
        (0..10_000_u32).for_each(|number| builder.push(number));
        builder.finish().unwrap()
    }

    #[test]
    fn column_comes_back_from_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let column = built(Some(directory.path().to_owned()));
        // The file has no name.
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        drop(directory);
        assert!(column.iter().copied().eq(0..10_000));
    }

    #[test]
    fn missing_directory_is_replaced_by_that_of_the_system() {
        let column = built(Some(PathBuf::from("/nowhere/at/all")));
        assert!(column.iter().copied().eq(0..10_000));
    }

    #[test]
    fn list_without_a_file_is_reported() {
        let scratch = ScratchFiles {
            directory: Some(PathBuf::from("/nowhere/at/all")),
            in_memory: 64,
            is_full: AtomicBool::new(false),
        };
        assert_eq!(scratch.warning(), None);
        scratch.note_full();
        let warning = scratch.warning().unwrap();
        assert!(warning.contains("/nowhere/at/all"), "{warning}");
        let error = scratch.lost(ColumnLost).to_string();
        assert!(error.contains("/nowhere/at/all"), "{error}");
    }

    #[test]
    fn unfinished_write_is_cut_off() {
        let mut file = ScratchFile {
            file: tempfile::tempfile().unwrap(),
            size: 0,
        };
        assert!(file.append(&[1, 2, 3, 4]));
        file.file.write_all(&[5, 6]).unwrap();
        let bytes = Box::new(file).finish().unwrap();
        assert_eq!((*bytes).as_ref(), [1, 2, 3, 4]);
    }

    #[test]
    fn short_column_stays_in_memory() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = ScratchFiles {
            directory: Some(directory.path().to_owned()),
            in_memory: 1 << 20,
            is_full: AtomicBool::new(false),
        };
        let mut builder = ColumnBuilder::new(&scratch);
        (0..100_u32).for_each(|number| builder.push(number));
        drop(directory);
        assert!(builder.finish().unwrap().iter().copied().eq(0..100));
        assert_eq!(scratch.warning(), None);
    }

    /// Each column has a file of its own.
    #[test]
    fn several_columns_do_not_mix() {
        let scratch = ScratchFiles {
            directory: None,
            in_memory: 16,
            is_full: AtomicBool::new(false),
        };
        let mut builders = [ColumnBuilder::new(&scratch), ColumnBuilder::new(&scratch)];
        for number in 0..5_000_u32 {
            builders[number as usize % 2].push(number);
        }
        for (start, builder) in (0..).zip(builders) {
            let column = builder.finish().unwrap();
            assert!(column.iter().copied().eq((start..5_000).step_by(2)));
        }
    }

    /// The directory of the cache is on a disk that the user chose for large files.
    #[test]
    fn scratch_files_are_next_to_the_cache() {
        let sandbox = loom_testkit::Sandbox::new();
        let location = |cache| {
            let options = crate::PackOptions {
                cache,
                ..crate::PackOptions::default()
            };
            ScratchFiles::new(&options).location()
        };
        let folder = sandbox.path("../cache");
        let cache = crate::CacheOptions::new(Some(folder.clone()));
        assert_eq!(location(Some(cache)), folder);
        assert_eq!(
            location(Some(crate::CacheOptions::new(None))),
            std::env::temp_dir()
        );
        assert_eq!(location(None), std::env::temp_dir());
    }
}
