//! Encoding with a queue of merges: slower than `short` on short pieces, but its time grows as n
//! log n. It is used if a window of a long piece has to be widened, which crafted text can force.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Merges;
use super::merges::NEVER;
use super::row::Run;

/// Part of the piece, identified by the index of its first byte.
#[derive(Clone, Copy)]
struct Part {
    id: u32,
    /// Index of the part before this one; arbitrary for the first.
    before: usize,
    /// Index of the part after this one; for the last, the length.
    behind: usize,
    /// True if it was merged into the part before it.
    is_merged: bool,
}

/// Returns the tokens of `piece`.
pub(crate) fn encode(merges: &Merges, piece: &[u8]) -> Vec<Run> {
    let mut parts: Vec<Part> = (0..piece.len())
        .map(|at| Part {
            id: merges.byte(piece[at]),
            before: at.wrapping_sub(1),
            behind: at + 1,
            is_merged: false,
        })
        .collect();
    let mut queue: BinaryHeap<_> = (0..piece.len())
        .filter_map(|at| candidate(merges, &parts, at))
        .collect();
    while let Some(Reverse((rank, at))) = queue.pop() {
        if parts[at].is_merged || rank_at(merges, &parts, at) != rank {
            continue;
        }
        merge(&mut parts, at, rank);
        queue.extend(candidate(merges, &parts, at));
        if at > 0 {
            queue.extend(candidate(merges, &parts, parts[at].before));
        }
    }
    let left = parts.iter().filter(|part| !part.is_merged);
    left.map(|part| Run::new(part.id, 1)).collect()
}

fn candidate(merges: &Merges, parts: &[Part], at: usize) -> Option<Reverse<(u32, usize)>> {
    let rank = rank_at(merges, parts, at);
    (rank != NEVER).then_some(Reverse((rank, at)))
}

fn rank_at(merges: &Merges, parts: &[Part], at: usize) -> u32 {
    let behind = parts.get(parts[at].behind);
    behind.map_or(NEVER, |behind| merges.pair(parts[at].id, behind.id))
}

fn merge(parts: &mut [Part], at: usize, id: u32) {
    let taken = parts[at].behind;
    let behind = parts[taken].behind;
    parts[taken].is_merged = true;
    parts[at].id = id;
    parts[at].behind = behind;
    if let Some(part) = parts.get_mut(behind) {
        part.before = at;
    }
}
