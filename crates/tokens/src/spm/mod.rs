//! Vocabularies of the SentencePiece kind. They merge characters, not bytes. A character that is
//! not in the vocabulary becomes the tokens of its bytes, and a space is written as U+2581. No
//! pattern splits the text: all of it is one piece. It can still be split between two characters
//! that are adjacent in no token, because no merge crosses such a position.

mod fixed;
mod joints;
mod merge;
mod ties;

use std::collections::HashMap;
use std::sync::OnceLock;

pub(crate) use fixed::{Fixed, Matching, Stretch};
pub(crate) use joints::Joints;
pub(crate) use ties::Ties;

use crate::bpe::Merges;
use crate::memo::Memo;
use crate::piece;

/// Character that replaces a space.
pub(crate) const BLANK: char = '\u{2581}';

/// Rule for a space before a text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Front {
    #[default]
    Bare,
    Spaced,
    /// A space before a text that does not begin with one.
    OneSpace,
}

/// Position of the counted text in a longer one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The whole text, or its beginning.
    First,
    /// A later part.
    Later,
}

/// Vocabulary with everything that counting needs. Ranks number its tokens: the 256 bytes, the
/// characters, then the others in the order of merging.
pub(crate) struct Spm {
    pub(crate) front: Front,
    /// Rank of each character of the vocabulary.
    pub(crate) characters: HashMap<char, u32>,
    pub(crate) merges: Merges,
    pub(crate) ties: Ties,
    pub(crate) joints: Joints,
    pub(crate) fixed: Fixed,
    /// Id of each rank.
    pub(crate) ids: Vec<u32>,
    pub(crate) memo: &'static Memo,
    /// Built at first use.
    pub(crate) spellings: OnceLock<Spellings>,
}

/// Tables for converting ids back to text.
pub(crate) struct Spellings {
    /// Rank of each id.
    ranks: HashMap<u32, u32>,
    /// Character of each rank that is one.
    characters: HashMap<u32, char>,
    /// Text of each fixed token.
    fixed: HashMap<u32, String>,
}

impl Spellings {
    fn new(spm: &Spm) -> Self {
        let characters = spm.characters.iter();
        Self {
            ranks: spm.ids.iter().copied().zip(0..).collect(),
            characters: characters.map(|(&c, &rank)| (rank, c)).collect(),
            fixed: spm.fixed.spellings(),
        }
    }
}

impl Spm {
    /// Counts the tokens of `text`. Returns `None` above `limit`.
    pub(crate) fn count(&self, text: &str, part: Part, limit: usize) -> Option<usize> {
        let mut tokens = 0;
        self.memo.note_use(text.len());
        let (first, text) = self.begin(text, part);
        for stretch in self.stretches(&first, text) {
            match stretch {
                Stretch::Token(_) => tokens += 1,
                Stretch::Text(text) => {
                    for piece in self.joints.pieces(text) {
                        tokens += self.count_piece(piece);
                        if tokens > limit {
                            return None;
                        }
                    }
                }
            }
        }
        (tokens <= limit).then_some(tokens)
    }

    /// Returns the ids of `text`.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        let (first, text) = self.begin(text, Part::First);
        for stretch in self.stretches(&first, text) {
            match stretch {
                Stretch::Token(id) => ids.push(id),
                Stretch::Text(text) => {
                    let ranks = self
                        .joints
                        .pieces(text)
                        .flat_map(|piece| self.merged(piece));
                    let id = |rank: u32| self.ids.get(rank as usize).copied();
                    ids.extend(ranks.filter_map(id));
                }
            }
        }
        ids
    }

    fn stretches<'a>(&'a self, first: &'a str, rest: &'a str) -> impl Iterator<Item = Stretch<'a>> {
        let stretches = |text| self.fixed.stretches(text);
        stretches(first).chain(stretches(rest))
    }

    /// Decodes `tokens` into bytes; returns the first token that does not exist as an error. The
    /// space before a text is removed again.
    pub(crate) fn decode(&self, tokens: &[u32]) -> Result<Vec<u8>, u32> {
        let spellings = self.spellings.get_or_init(|| Spellings::new(self));
        let mut bytes = Vec::new();
        for token in tokens {
            if let Some(text) = spellings.fixed.get(token) {
                bytes.extend_from_slice(text.as_bytes());
                continue;
            }
            let rank = spellings.ranks.get(token).ok_or(*token)?;
            self.spell(*rank, spellings, &mut bytes);
        }
        if self.front != Front::Bare && bytes.first() == Some(&b' ') {
            bytes.remove(0);
        }
        Ok(bytes)
    }

    fn spell(&self, rank: u32, spellings: &Spellings, bytes: &mut Vec<u8>) {
        let mut rest = vec![rank];
        while let Some(rank) = rest.pop() {
            if let Ok(byte) = u8::try_from(rank) {
                bytes.push(byte);
            } else if let Some((left, right)) = self.merges.halves(rank) {
                rest.extend([right, left]);
            } else if let Some(&character) = spellings.characters.get(&rank) {
                let character = if character == BLANK { ' ' } else { character };
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }

    /// Returns the first piece with the space that is put before it, and the rest. If there are
    /// fixed tokens, which may begin with that space, the first piece is the whole text.
    fn begin<'a>(&self, text: &'a str, part: Part) -> (String, &'a str) {
        let is_bare = match self.front {
            Front::Bare => true,
            Front::Spaced => false,
            Front::OneSpace => text.starts_with([' ', BLANK]),
        };
        if is_bare || part == Part::Later || text.is_empty() {
            return (String::new(), text);
        }
        if !self.fixed.is_empty() {
            return (format!(" {text}"), "");
        }
        let length = self.joints.pieces(text).next().map_or(0, str::len);
        let (first, rest) = text.split_at(length);
        (format!(" {first}"), rest)
    }

    fn count_piece(&self, text: &str) -> usize {
        if let Some(count) = piece::find(self.memo, text.as_bytes()) {
            return count;
        }
        let count = self.merged(text).len();
        piece::keep(self.memo, text.as_bytes(), count);
        count
    }

    /// Returns the ranks of the tokens of a piece.
    fn merged(&self, piece: &str) -> Vec<u32> {
        let mut ranks = Vec::with_capacity(piece.len());
        for character in piece.chars() {
            let character = if character == ' ' { BLANK } else { character };
            match self.characters.get(&character) {
                Some(&rank) => ranks.push(rank),
                None => {
                    let mut bytes = [0; 4];
                    let bytes = character.encode_utf8(&mut bytes).bytes();
                    ranks.extend(bytes.map(u32::from));
                }
            }
        }
        merge::merge(&self.merges, &self.ties, ranks)
    }
}
