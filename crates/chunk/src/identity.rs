//! The identifiers of chunks.

use std::collections::HashMap;
use std::fmt::Write;

use loom_base::RepoPath;
use sha2::{Digest, Sha256};

/// Size of an identifier: half of a SHA-256 is enough to distinguish chunks.
const BYTES: usize = 16;

/// Generator of the identifiers of one text's chunks.
pub(crate) struct Identities<'a> {
    path: &'a RepoPath,
    seen: HashMap<[u8; 32], u64>,
}

impl<'a> Identities<'a> {
    pub(crate) fn new(path: &'a RepoPath) -> Self {
        Self {
            path,
            seen: HashMap::new(),
        }
    }

    /// Returns the identifier of the next chunk: a hash of the path, the chunk's own text, and the
    /// number of earlier chunks with the same text.
    pub(crate) fn next(&mut self, own: &str) -> String {
        let of_text: [u8; 32] = Sha256::digest(own).into();
        let seen = self.seen.entry(of_text).or_default();
        let id = Sha256::new()
            .chain_update(self.path.as_bytes())
            .chain_update([0])
            .chain_update(of_text)
            .chain_update(seen.to_le_bytes())
            .finalize();
        *seen += 1;
        hex(&id[..BYTES])
    }
}

/// Returns the SHA-256 of a text, in hexadecimal digits.
pub(crate) fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text))
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_get_different_ids_by_their_order() {
        let (a, b) = (RepoPath::new("a").unwrap(), RepoPath::new("b").unwrap());
        let ids = |path| {
            let mut ids = Identities::new(path);
            [ids.next("x"), ids.next("y"), ids.next("x")]
        };
        let [one, two, three] = ids(&a);
        assert!(one != two && two != three && one != three);
        assert_eq!(ids(&a), [one.clone(), two, three]);
        assert_ne!(ids(&b)[0], one);
        assert_eq!(one.len(), 32);
    }

    #[test]
    fn sha256_matches_a_published_digest() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), abc);
    }
}
