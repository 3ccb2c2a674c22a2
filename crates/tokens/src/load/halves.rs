//! The halves of a token, from its bytes: the last two parts that merging the token's own bytes
//! leaves. A token is formed in that one way in any text, because merges inside a range do not
//! depend on the text around it.

use std::collections::HashMap;

/// Returns the end of the left half of a token, or `None` if merging cannot produce it. `ends` are
/// the positions at which its smallest parts begin and end; the lowest of `ranks` merges first.
pub(crate) fn middle(
    ranks: &HashMap<Vec<u8>, u32>,
    bytes: &[u8],
    mut ends: Vec<usize>,
) -> Option<usize> {
    while ends.len() > 3 {
        let pairs = ends.windows(3).enumerate();
        let ranked = pairs.filter_map(|(at, ends)| {
            let rank = ranks.get(&bytes[ends[0]..ends[2]])?;
            Some((*rank, at))
        });
        let (_, at) = ranked.min()?;
        ends.remove(at + 1);
    }
    ends.get(1).copied()
}
