//! Checks the files of the index and removes damaged ones.

use std::fs;
use std::io;
use std::path::Path;

use super::Location;
use super::files::{folder_name, names_in, open_map, read_tree};

/// Result of checking the index files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexVerified {
    /// Number of checked files.
    pub files: usize,
    /// Number of damaged files, which were removed.
    pub wrong: usize,
}

/// Checks the indexes of all roots in a cache directory. `is_sound_context` checks the stored
/// context data.
///
/// # Errors
/// If a damaged file cannot be removed.
pub(crate) fn verify_index_files(
    cache: &Path,
    is_sound_context: impl Fn(&[u8]) -> bool,
) -> io::Result<IndexVerified> {
    let folder = cache.join(folder_name());
    let mut verified = IndexVerified::default();
    for ending in ["segment", "tree", "context"] {
        for name in names_in(&folder, ending) {
            let path = folder.join(format!("{name}.{ending}"));
            if !fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir()) {
                continue;
            }
            let location = Location {
                folder: folder.clone(),
                tree: name.clone(),
            };
            let is_right = match ending {
                "tree" => read_tree(&location).is_some(),
                // The name of a segment is the hash of its bytes.
                "segment" => open_map(&path)
                    .is_some_and(|bytes| blake3::hash(&bytes).to_hex()[..32] == *name),
                _ => open_map(&path).is_some_and(|bytes| is_sound_context(&bytes)),
            };
            verified.files += 1;
            if !is_right {
                verified.wrong += 1;
                match fs::remove_file(&path) {
                    // Another process removed it first.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
    }
    Ok(verified)
}
