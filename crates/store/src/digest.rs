//! Digests: the keys of contents in the store.

use sha2::Digest as _;

/// The hash function of the digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashChoice {
    /// BLAKE3.
    #[default]
    Blake3,
    /// SHA-256.
    Sha256,
    /// xxHash64: fast, but not collision-resistant against an attacker.
    XxHash64,
}

impl HashChoice {
    /// All hash functions.
    pub const ALL: [Self; 3] = [Self::Blake3, Self::Sha256, Self::XxHash64];

    /// Returns the name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blake3 => "blake3",
            Self::Sha256 => "sha256",
            Self::XxHash64 => "xxhash64",
        }
    }

    /// Returns the hash function with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// The hash and, for short hashes, the length of contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digest(Vec<u8>);

impl Digest {
    /// Hashes `contents`.
    pub fn of(choice: HashChoice, contents: &[u8]) -> Self {
        match choice {
            HashChoice::Blake3 => Self::blake3(blake3::hash(contents).as_bytes()),
            HashChoice::Sha256 => {
                let mut bytes = vec![1];
                bytes.extend_from_slice(&sha2::Sha256::digest(contents));
                Self(bytes)
            }
            HashChoice::XxHash64 => {
                let mut bytes = vec![2];
                // The length makes collisions of a 64-bit hash less likely and costs nothing.
                bytes.extend_from_slice(&(contents.len() as u64).to_le_bytes());
                let hash = twox_hash::XxHash64::oneshot(0, contents);
                bytes.extend_from_slice(&hash.to_le_bytes());
                Self(bytes)
            }
        }
    }

    /// Wraps a known BLAKE3 hash.
    pub fn blake3(hash: &[u8; 32]) -> Self {
        let mut bytes = Vec::with_capacity(33);
        bytes.push(0);
        bytes.extend_from_slice(hash);
        Self(bytes)
    }

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let hex = |digest: Digest| {
            let digits = digest.0.iter().map(|byte| format!("{byte:02x}"));
            digits.collect::<String>()
        };
        assert_eq!(
            hex(Digest::of(HashChoice::Sha256, b"abc")),
            "01ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        // The reference value of xxHash64 for an empty text with seed 0.
        assert_eq!(
            hex(Digest::of(HashChoice::XxHash64, b"")),
            "02000000000000000099e9d85137db46ef"
        );
        let blake3 = Digest::of(HashChoice::Blake3, b"abc");
        assert_eq!(blake3, Digest::blake3(blake3::hash(b"abc").as_bytes()));
        for choice in HashChoice::ALL {
            assert_eq!(HashChoice::from_name(choice.name()), Some(choice));
        }
    }
}
