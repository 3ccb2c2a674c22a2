//! The format of the SentencePiece vocabularies that come with the program, deflated: whether a
//! space is put before a text; the characters; the halves of the merged tokens in the order of
//! merging, byte by byte as in `packed`; the ids of all tokens, each as its difference to the one
//! before. `examples/pack_pieces.rs` writes it.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::bpe::{Merges, Table};
use crate::layout::{self, NO_ID, SPLIT_BYTES};
use crate::memo::Memo;
use crate::spm::{Fixed, Front, Joints, Spm, Ties};
use crate::tables::Tables;

/// Number of ranks for single bytes.
pub(super) const BYTES: usize = 256;

/// Contents of a file.
pub(super) struct Pieces {
    pub(super) front: Front,
    pub(super) characters: Vec<char>,
    /// Halves of each rank; a marker for bytes and characters.
    pub(super) splits: Vec<[u8; SPLIT_BYTES]>,
    pub(super) ids: Vec<u32>,
}

/// Builds the vocabulary in `packed`; returns an empty one for another format.
pub(crate) fn spm(packed: &[u8], memo: &'static Memo) -> Spm {
    let pieces = unpack(packed);
    debug_assert!(pieces.is_some(), "the data file is broken");
    let pieces = pieces.unwrap_or(Pieces {
        front: Front::Bare,
        characters: Vec::new(),
        splits: vec![[0xFF; SPLIT_BYTES]; BYTES],
        ids: (0..BYTES as u32).collect(),
    });
    built(pieces, Fixed::default(), Ties::default(), memo)
}

/// Builds the vocabulary. Its tables stay in memory until the program ends.
pub(super) fn built(pieces: Pieces, fixed: Fixed, ties: Ties, memo: &'static Memo) -> Spm {
    let ranks = (BYTES as u32..).zip(&pieces.characters);
    let characters: HashMap<char, u32> =
        ranks.map(|(rank, &character)| (character, rank)).collect();
    Spm {
        front: pieces.front,
        joints: Joints::new(pieces.spellings()),
        fixed,
        ties,
        characters,
        merges: merges(pieces.splits),
        ids: pieces.ids,
        memo,
        spellings: OnceLock::new(),
    }
}

fn unpack(packed: &[u8]) -> Option<Pieces> {
    let plain = miniz_oxide::inflate::decompress_to_vec(packed).ok()?;
    let (front, rest) = plain.split_first()?;
    let (length, rest) = number(rest)?;
    let (characters, rest) = rest.split_at_checked(length)?;
    let characters: Vec<char> = str::from_utf8(characters).ok()?.chars().collect();
    let (count, rest) = number(rest)?;
    let (halves, rest) = rest.split_at_checked(count.checked_mul(SPLIT_BYTES)?)?;
    let single = BYTES + characters.len();
    let mut splits = vec![[0xFF; SPLIT_BYTES]; single];
    splits.extend((0..count).map(|at| std::array::from_fn(|plane| halves[plane * count + at])));
    Some(Pieces {
        front: if *front == 1 {
            Front::Spaced
        } else {
            Front::Bare
        },
        characters,
        ids: ids(rest, single + count)?,
        splits,
    })
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

fn ids(planes: &[u8], count: usize) -> Option<Vec<u32>> {
    if planes.len() != 4 * count {
        return None;
    }
    let mut last = 0u32;
    let next = |at: usize| {
        let difference = std::array::from_fn(|plane| planes[plane * count + at]);
        last = last.wrapping_add(u32::from_le_bytes(difference));
        last
    };
    Some((0..count).map(next).collect())
}

fn merges(splits: Vec<[u8; SPLIT_BYTES]>) -> Merges {
    let tables = Tables::new(&splits);
    Merges {
        tokens: splits.len() as u32,
        longest: 1,
        ordered: false,
        splits: splits.leak(),
        lengths: tables.lengths.leak(),
        bytes: super::array(tables.bytes),
        byte_pairs: super::array(tables.byte_pairs),
        filter: Table::new(tables.filter.leak()),
        pairs: Table::new(tables.pairs.leak()),
    }
}

impl Pieces {
    /// Returns the text of each merged token. Halves may have higher ranks than their token.
    pub(super) fn spellings(&self) -> Vec<String> {
        let single = BYTES + self.characters.len();
        (single..self.splits.len())
            .map(|rank| self.spell(rank))
            .collect()
    }

    fn spell(&self, rank: usize) -> String {
        let (mut rest, mut text) = (vec![rank], String::new());
        while let Some(rank) = rest.pop() {
            let split = self
                .splits
                .get(rank)
                .map(|&entry| layout::read_split(entry));
            match split {
                Some((left, right)) if left != NO_ID => {
                    rest.extend([right as usize, left as usize]);
                }
                _ => text.extend(
                    rank.checked_sub(BYTES)
                        .and_then(|at| self.characters.get(at)),
                ),
            }
        }
        text
    }
}
