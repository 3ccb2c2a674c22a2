//! A vocabulary of the SentencePiece kind as a file defines it, and its conversion into tables for
//! counting.

use std::collections::HashMap;

use super::MOST_TOKENS;
use super::error::LoadError;
use super::pieces::{BYTES, Pieces};
use crate::layout::SPLIT_BYTES;
use crate::memo::Memo;
use crate::spm::{BLANK, Fixed, Front, Matching, Spm, Ties};
use crate::unicode::{LETTER, NUMBER, SPACE, class_of};

/// Maximum number of fixed tokens; Gemma 3 has 6,410.
const MOST_FIXED: usize = 1 << 16;

/// Tokens with their ids in the file.
#[derive(Default)]
pub(crate) struct PieceVocabulary {
    pub(crate) front: Front,
    pub(crate) matching: Matching,
    /// Token of each byte.
    pub(crate) bytes: Vec<Option<u32>>,
    pub(crate) characters: Vec<(char, u32)>,
    /// Merged tokens, in the order of merging.
    pub(crate) merged: Vec<Merged>,
    pub(crate) fixed: Vec<(String, u32)>,
}

/// Token and its halves.
pub(crate) struct Merged {
    /// Unique key while the file is read; two tokens may have the same id.
    pub(crate) key: u32,
    pub(crate) left: Part,
    pub(crate) right: Part,
    /// Lower ranks merge first; among equal ones, the leftmost.
    pub(crate) rank: u32,
    pub(crate) id: u32,
}

/// Half of a token.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Character(char),
    /// Merged token, by its key.
    Token(u32),
}

impl PieceVocabulary {
    /// Returns the number of ordinary tokens.
    pub(crate) fn tokens(&self) -> usize {
        self.bytes.len() + self.characters.len() + self.merged.len() + self.fixed.len()
    }

    /// Builds the vocabulary.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Self::check).
    pub(crate) fn spm(self, memo: &'static Memo) -> Result<Spm, LoadError> {
        let pieces = self.check()?;
        let fixed = Fixed::new(&self.fixed, self.matching);
        let first = (BYTES + self.characters.len()) as u32;
        let ties = Ties::new(self.merged.iter().map(|merged| merged.rank), first);
        Ok(super::pieces::built(pieces, fixed, ties, memo))
    }

    /// Converts the tokens to their halves.
    ///
    /// # Errors
    /// Returns an error if a byte has no token, if there are too many tokens, or if counts of parts
    /// could differ from the count of the whole.
    pub(super) fn check(&self) -> Result<Pieces, LoadError> {
        let found = BYTES + self.characters.len() + self.merged.len();
        if found > MOST_TOKENS {
            let limit = MOST_TOKENS;
            return Err(LoadError::Many { found, limit });
        }
        if self.fixed.len() > MOST_FIXED {
            let (found, limit) = (self.fixed.len(), MOST_FIXED);
            return Err(LoadError::Many { found, limit });
        }
        let pieces = self.pieces()?;
        let fixed = self.fixed.iter().map(|(text, _)| text.clone());
        let mut texts = pieces.spellings().into_iter().chain(fixed);
        match texts.find(|text| is_joining(text)) {
            Some(token) => Err(LoadError::Joining { token }),
            None => Ok(pieces),
        }
    }

    fn pieces(&self) -> Result<Pieces, LoadError> {
        let mut ids = Vec::with_capacity(self.tokens());
        for (byte, id) in (0..=u8::MAX).zip(&self.bytes) {
            // An ASCII character may replace the token of its byte.
            let character = || self.characters.iter().find(|(c, _)| *c == char::from(byte));
            let id = id.or_else(|| character().filter(|_| byte.is_ascii()).map(|(_, id)| *id));
            ids.push(id.ok_or(LoadError::Byte { byte })?);
        }
        let characters = || self.characters.iter().map(|(_, id)| *id);
        let ranks = (BYTES as u32..).zip(self.characters.iter().map(|(character, _)| *character));
        let of_character: HashMap<char, u32> = ranks.map(|(rank, c)| (c, rank)).collect();
        let first = (BYTES + self.characters.len()) as u32;
        let ranks = (first..)
            .zip(&self.merged)
            .map(|(rank, merged)| (merged.key, rank));
        let of_token: HashMap<u32, u32> = ranks.collect();
        let rank = |part: Part| match part {
            Part::Character(character) => of_character.get(&character).copied(),
            Part::Token(key) => of_token.get(&key).copied(),
        };
        ids.extend(characters());
        let mut splits = vec![[0xFF; SPLIT_BYTES]; first as usize];
        for merged in &self.merged {
            // A token with a missing half is never formed, and its rank stays unused.
            let halves = rank(merged.left).zip(rank(merged.right));
            splits.push(halves.map_or([0xFF; SPLIT_BYTES], |(left, right)| {
                super::pair(left, right)
            }));
            ids.push(merged.id);
        }
        Ok(Pieces {
            front: self.front,
            characters: self
                .characters
                .iter()
                .map(|(character, _)| *character)
                .collect(),
            splits,
            ids,
        })
    }
}

/// Returns whether a token continues from a word into white space: see `tally`.
fn is_joining(token: &str) -> bool {
    let class = |character: char| match character {
        BLANK => SPACE,
        character => class_of(character as u32),
    };
    let pairs = token.chars().zip(token.chars().skip(1));
    pairs
        .map(|(a, b)| (class(a), class(b)))
        .any(|(a, b)| a & (LETTER | NUMBER) != 0 && b & SPACE != 0)
}
