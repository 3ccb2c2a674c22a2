//! Looks at what is kept beside the store, and takes out what is not what was written.

use std::fs;
use std::io;
use std::path::Path;

use super::Location;
use super::files::{folder_name, names_in, open_map, read_tree};
use crate::context::is_sound_context;

/// What was found in the files of the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexVerified {
    /// How many files were looked at.
    pub files: usize,
    /// How many were not right and were removed.
    pub wrong: usize,
}

/// Looks at the indexes of all trees in a cache folder, and at what contexts are made from.
///
/// # Errors
/// When what is not right cannot be removed.
pub fn verify_search_index(cache: &Path) -> io::Result<IndexVerified> {
    let folder = cache.join(folder_name());
    let mut verified = IndexVerified::default();
    for ending in ["segment", "tree", "context"] {
        for name in names_in(&folder, ending) {
            let path = folder.join(format!("{name}.{ending}"));
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
                fs::remove_file(&path)?;
            }
        }
    }
    Ok(verified)
}
