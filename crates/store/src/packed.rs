//! The stored form of a value: compressed, encrypted if necessary, with a checksum.

/// Compression of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Zstandard: better ratio.
    #[default]
    Zstd,
    /// LZ4: faster.
    Lz4,
    /// No compression.
    None,
}

impl Compression {
    /// All compressions.
    pub const ALL: [Self; 3] = [Self::Zstd, Self::Lz4, Self::None];

    /// Returns the name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::None => "none",
        }
    }

    /// Returns the compression with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// The content key: encrypts values derived from some contents. It is computed from the contents,
/// and cannot be computed from their hash.
#[derive(Clone)]
pub struct Seal([u8; 32]);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// Derives the key from `contents`.
    pub fn of(contents: &[u8]) -> Self {
        Self(blake3::derive_key("infiniloom store 2026 seal", contents))
    }

    /// Returns a tag that proves which key encrypted the value at `address`.
    pub fn tag(&self, address: &[u8]) -> [u8; CHECK] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"tag").update(address);
        let mut tag = [0; CHECK];
        hasher.finalize_xof().fill(&mut tag);
        tag
    }

    /// Encrypts or decrypts `bytes` for the address, as XOR with a key stream: applying it twice
    /// restores the bytes.
    pub fn apply(&self, address: &[u8], bytes: &mut [u8]) {
        let mut stream = blake3::Hasher::new_keyed(&self.0)
            .update(address)
            .finalize_xof();
        let mut mask = [0; 1024];
        for part in bytes.chunks_mut(mask.len()) {
            let mask = &mut mask[..part.len()];
            stream.fill(mask);
            for (byte, mask) in part.iter_mut().zip(mask) {
                *byte ^= *mask;
            }
        }
    }
}

/// Compressing fewer bytes saves nothing.
const WORTH_IT: usize = 96;
/// Limit on the decompressed size, because a damaged value can claim any length.
const LONGEST: usize = 1 << 30;
/// Length of a checksum and of a tag, in bytes.
const CHECK: usize = 8;

/// Bits of the first byte: the compression, and whether the value is encrypted.
const ZSTD: u8 = 1;
const LZ4: u8 = 2;
const SEALED: u8 = 128;

/// Packs `value` for its `address`, which identifies it among all values.
pub(crate) fn pack(
    value: &[u8],
    address: &[u8],
    compression: Compression,
    seal: Option<&Seal>,
) -> Vec<u8> {
    let (mut flags, mut body) = shrink(value, compression);
    if let Some(seal) = seal {
        flags |= SEALED;
        seal.apply(address, &mut body);
        body.splice(..0, seal.tag(address));
    }
    let mut packed = Vec::with_capacity(1 + CHECK + body.len());
    packed.push(flags);
    packed.extend_from_slice(&check(address, flags, &body));
    packed.append(&mut body);
    packed
}

/// Restores a value. Returns `None` if it is damaged, belongs to another address, or was encrypted
/// with another key.
pub(crate) fn unpack(packed: &[u8], address: &[u8], seal: Option<&Seal>) -> Option<Vec<u8>> {
    let (flags, body) = checked(packed, address)?;
    let body = match (flags & SEALED != 0, seal) {
        (true, Some(seal)) => {
            let (tag, body) = body.split_at_checked(CHECK)?;
            let mut body = (tag == seal.tag(address)).then(|| body.to_vec())?;
            seal.apply(address, &mut body);
            body
        }
        (false, None) => body.to_vec(),
        _ => return None,
    };
    match flags & !SEALED {
        0 => Some(body),
        ZSTD => {
            let size = zstd::zstd_safe::get_frame_content_size(&body).ok()??;
            let size = usize::try_from(size).ok().filter(|size| *size <= LONGEST)?;
            let value = zstd::bulk::decompress(&body, size).ok()?;
            (value.len() == size).then_some(value)
        }
        LZ4 => {
            let size: [u8; 4] = body.get(..4)?.try_into().ok()?;
            if u32::from_le_bytes(size) as usize > LONGEST {
                return None;
            }
            lz4_flex::block::decompress_size_prepended(&body).ok()
        }
        _ => None,
    }
}

/// Returns true if the checksum matches the bytes and the address.
pub(crate) fn is_whole(packed: &[u8], address: &[u8]) -> bool {
    checked(packed, address).is_some()
}

fn checked<'a>(packed: &'a [u8], address: &[u8]) -> Option<(u8, &'a [u8])> {
    let (&flags, rest) = packed.split_first()?;
    let (sum, body) = rest.split_at_checked(CHECK)?;
    (sum == check(address, flags, body)).then_some((flags, body))
}

fn check(address: &[u8], flags: u8, body: &[u8]) -> [u8; CHECK] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(address.len() as u64).to_le_bytes());
    hasher.update(address).update(&[flags]).update(body);
    let mut sum = [0; CHECK];
    hasher.finalize_xof().fill(&mut sum);
    sum
}

fn shrink(value: &[u8], compression: Compression) -> (u8, Vec<u8>) {
    let small = match compression {
        _ if value.len() < WORTH_IT => None,
        Compression::None => None,
        Compression::Zstd => zstd::bulk::compress(value, 3).ok().map(|body| (ZSTD, body)),
        Compression::Lz4 => Some((LZ4, lz4_flex::block::compress_prepend_size(value))),
    };
    small
        .filter(|(_, body)| body.len() < value.len())
        .unwrap_or_else(|| (0, value.to_vec()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compression() -> impl Strategy<Value = Compression> {
        prop::sample::select(Compression::ALL.as_slice())
    }

    proptest! {
        #[test]
        fn unpacking_restores_the_value(
            value in prop::collection::vec(0u8..4, 0..600),
            address in prop::collection::vec(any::<u8>(), 0..40),
            compression in compression(),
            contents: Option<Vec<u8>>,
        ) {
            let seal = contents.as_deref().map(Seal::of);
            let packed = pack(&value, &address, compression, seal.as_ref());
            prop_assert!(is_whole(&packed, &address));
            prop_assert_eq!(unpack(&packed, &address, seal.as_ref()), Some(value));
        }

        #[test]
        fn other_contents_cannot_decrypt(
            value in prop::collection::vec(0u8..4, 0..300),
            compression in compression(),
            contents: Vec<u8>,
            other: Vec<u8>,
        ) {
            let packed = pack(&value, b"here", compression, Some(&Seal::of(&contents)));
            let opened = unpack(&packed, b"here", Some(&Seal::of(&other)));
            prop_assert_eq!(opened.is_some(), contents == other);
        }

        #[test]
        fn every_change_is_detected(
            value in prop::collection::vec(0u8..4, 0..300),
            compression in compression(),
            at: prop::sample::Index,
            bit in 0u8..8,
        ) {
            let mut packed = pack(&value, b"here", compression, None);
            let at = at.index(packed.len());
            packed[at] ^= 1 << bit;
            prop_assert_eq!(unpack(&packed, b"here", None), None);
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes: Vec<u8>, contents: Vec<u8>) {
            prop_assert_eq!(unpack(&bytes, b"here", None), None);
            prop_assert_eq!(unpack(&bytes, b"here", Some(&Seal::of(&contents))), None);
        }
    }

    #[test]
    fn encrypted_value_is_readable_only_with_its_contents() {
        let value = b"api_key = hunter2hunter2";
        for compression in Compression::ALL {
            let packed = pack(value, b"here", compression, Some(&Seal::of(b"contents")));
            assert!(!packed.windows(7).any(|part| part == b"hunter2"));
            assert_ne!(
                unpack(&packed, b"here", Some(&Seal::of(b"others"))).as_deref(),
                Some(value.as_slice())
            );
            assert_eq!(unpack(&packed, b"here", None), None);
            assert_eq!(
                unpack(&packed, b"there", Some(&Seal::of(b"contents"))),
                None
            );
        }
    }
}
