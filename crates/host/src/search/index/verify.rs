//! Looks at what is kept beside the store, and takes out what is not what was written.

use std::fs;
use std::io;
use std::path::Path;

use super::Location;
use super::files::{folder_name, names_in, open_map, read_tree};

/// What was found in the files of the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexVerified {
    /// How many files were looked at.
    pub files: usize,
    /// How many were not right and were removed.
    pub wrong: usize,
}

/// Looks at the indexes of all trees in a cache folder, and at what contexts are made from,
/// which the caller can tell to be sound.
///
/// # Errors
/// When what is not right cannot be removed.
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
                // A segment is called by the hash of its bytes.
                "segment" => open_map(&path)
                    .is_some_and(|bytes| blake3::hash(&bytes).to_hex()[..32] == *name),
                _ => open_map(&path).is_some_and(|bytes| is_sound_context(&bytes)),
            };
            verified.files += 1;
            if !is_right {
                verified.wrong += 1;
                match fs::remove_file(&path) {
                    // Somebody else was faster.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
    }
    Ok(verified)
}
