//! The format of the vocabularies that come with the program, deflated: the number of tokens; the
//! six bytes of each token's halves, all first bytes, all second bytes and so on, which deflates
//! better than token by token; then the tokens that only whole pieces can become: id, length,
//! bytes. `examples/pack_vocabulary.rs` writes it.

use super::Tokens;
use crate::layout::SPLIT_BYTES;
use crate::wholes::Wholes;

/// Unpacks the tokens in `packed`; returns `None` for another format.
pub(crate) fn unpack(packed: &[u8]) -> Option<Tokens> {
    let plain = miniz_oxide::inflate::decompress_to_vec(packed).ok()?;
    let (count, rest) = plain.split_first_chunk::<4>()?;
    let count = u32::from_le_bytes(*count) as usize;
    let (planes, rest) = rest.split_at_checked(count.checked_mul(SPLIT_BYTES)?)?;
    let entry = |id: usize| std::array::from_fn(|plane| planes[plane * count + id]);
    Some(Tokens {
        splits: (0..count).map(entry).collect(),
        wholes: wholes(rest)?,
    })
}

fn wholes(mut rest: &[u8]) -> Option<Wholes> {
    let mut wholes = Vec::new();
    while let Some((head, behind)) = rest.split_first_chunk::<6>() {
        let [a, b, c, d, e, f] = *head;
        let length = usize::from(u16::from_le_bytes([e, f]));
        let (bytes, behind) = behind.split_at_checked(length)?;
        wholes.push((bytes.to_vec(), u32::from_le_bytes([a, b, c, d])));
        rest = behind;
    }
    rest.is_empty().then(|| Wholes::new(wholes))
}
