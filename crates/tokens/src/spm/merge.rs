//! Merges the tokens of one piece, lowest rank first, leftmost among equals. Short pieces are
//! scanned once per merge; longer ones use a queue, so that no piece takes quadratic time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Ties;
use crate::bpe::{Merges, NEVER};

/// Maximum number of tokens of a piece that is scanned.
const SHORT: usize = 48;
/// Marker for no position.
const NONE: usize = usize::MAX;

/// Merges `tokens`.
pub(crate) fn merge(merges: &Merges, ties: &Ties, tokens: Vec<u32>) -> Vec<u32> {
    if tokens.len() <= SHORT {
        merge_by_scanning(merges, ties, tokens)
    } else {
        Queued::new(merges, ties, tokens).run()
    }
}

fn merge_by_scanning(merges: &Merges, ties: &Ties, mut tokens: Vec<u32>) -> Vec<u32> {
    let rank = |pair: &[u32]| merges.pair(pair[0], pair[1]);
    let mut ranks: Vec<u32> = tokens.windows(2).map(rank).collect();
    let right = |&(&rank, at): &(&u32, usize)| (ties.first(rank), at);
    while let Some((&lowest, at)) = ranks.iter().zip(0..).min_by_key(right) {
        if lowest == NEVER {
            break;
        }
        tokens[at] = lowest;
        tokens.remove(at + 1);
        ranks.remove(at);
        if let Some(rank) = ranks.get_mut(at) {
            *rank = merges.pair(lowest, tokens[at + 1]);
        }
        if at > 0 {
            ranks[at - 1] = merges.pair(tokens[at - 1], lowest);
        }
    }
    tokens
}

/// Piece with a queue of possible merges.
struct Queued<'a> {
    merges: &'a Merges,
    ties: &'a Ties,
    tokens: Vec<u32>,
    before: Vec<usize>,
    behind: Vec<usize>,
    is_merged: Vec<bool>,
    queue: BinaryHeap<Reverse<(u32, usize)>>,
}

impl<'a> Queued<'a> {
    fn new(merges: &'a Merges, ties: &'a Ties, tokens: Vec<u32>) -> Self {
        let count = tokens.len();
        let mut queued = Self {
            merges,
            ties,
            tokens,
            before: (0..count).map(|at| at.wrapping_sub(1)).collect(),
            behind: (1..=count)
                .map(|at| if at < count { at } else { NONE })
                .collect(),
            is_merged: vec![false; count],
            queue: BinaryHeap::with_capacity(count),
        };
        (0..count).for_each(|at| queued.enqueue(at));
        queued
    }

    fn rank(&self, at: usize) -> u32 {
        match self.tokens.get(self.behind[at]) {
            Some(&behind) => self.merges.pair(self.tokens[at], behind),
            None => NEVER,
        }
    }

    fn enqueue(&mut self, at: usize) {
        let rank = self.rank(at);
        if rank != NEVER {
            self.queue.push(Reverse((self.ties.first(rank), at)));
        }
    }

    fn run(mut self) -> Vec<u32> {
        while let Some(Reverse((right, at))) = self.queue.pop() {
            // The part may have merged since it was queued.
            if self.is_merged[at] {
                continue;
            }
            let rank = self.rank(at);
            if rank == NEVER || self.ties.first(rank) != right {
                continue;
            }
            let taken = self.behind[at];
            self.is_merged[taken] = true;
            self.tokens[at] = rank;
            self.behind[at] = self.behind[taken];
            if let Some(before) = self.before.get_mut(self.behind[at]) {
                *before = at;
            }
            self.enqueue(at);
            if self.before[at] != NONE {
                self.enqueue(self.before[at]);
            }
        }
        let left = self
            .tokens
            .iter()
            .zip(&self.is_merged)
            .filter(|(_, is_merged)| !**is_merged);
        left.map(|(&token, _)| token).collect()
    }
}
