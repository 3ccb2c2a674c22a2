//! From the bytes of the tokens to their halves: the last two parts that merging a
//! token's own bytes leaves. In any text a token comes about in that one way,
//! because merges inside a stretch do not depend on what is around it.

use std::collections::HashMap;

/// Where the left half of a token ends, or nothing if merging does not make it.
/// `ends` are the places where its smallest parts begin and end; the lowest of
/// `ranks` merges first.
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
