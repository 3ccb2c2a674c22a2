//! Tokens of bytes, which a file writes as one character per byte. Ranks follow the order of
//! merging; a separate list has the ids of the file.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::document::{Bpe, Head};
use super::merging::{Merging, Token};
use crate::layout::{NO_ID, SPLIT_BYTES};
use crate::load::error::LoadError;
use crate::load::{MOST_TOKENS, Tokens, pair};
use crate::model::Ids;
use crate::wholes::Wholes;

/// State of the conversion, token by token.
struct Building<'a> {
    merging: Merging<'a>,
    alphabet: BTreeMap<char, u8>,
    splits: Vec<[u8; SPLIT_BYTES]>,
    /// Id of each rank.
    ids: Vec<u32>,
    /// Rank of each key.
    ranks: HashMap<u32, u32>,
}

/// Converts the tokens of a file and their ids.
///
/// # Errors
/// Returns an error if a byte is not a token, or if the file uses an unsupported feature.
pub(super) fn tokens(head: &Head<'_>, bpe: &Bpe<'_>) -> Result<(Tokens, Ids), LoadError> {
    let is_white = |text: &str| text.trim().is_empty();
    if let Some(added) = head.added().find(|added| is_white(&added.content)) {
        let (what, expected) = ("the added token", "none of white space");
        return Err(LoadError::unsupported(what, &added.content, expected));
    }
    let mut building = Building {
        merging: Merging::new(bpe)?,
        alphabet: alphabet(),
        splits: Vec::new(),
        ids: Vec::new(),
        ranks: HashMap::new(),
    };
    building.add_bytes()?;
    building.add_merged();
    let (found, limit) = (building.splits.len(), MOST_TOKENS);
    if found > limit {
        return Err(LoadError::Many { found, limit });
    }
    let wholes = match bpe.ignore_merges {
        true => building.wholes(head),
        false => Wholes::NONE,
    };
    let splits = building.splits;
    Ok((Tokens { splits, wholes }, Ids::listed(building.ids)))
}

impl Building<'_> {
    fn add_bytes(&mut self) -> Result<(), LoadError> {
        for (&character, &byte) in &self.alphabet {
            let token = self.merging.character(character);
            let token = token.ok_or(LoadError::Byte { byte })?;
            self.ranks.insert(token, self.ids.len() as u32);
            self.ids.push(self.merging.id(token));
            self.splits.push(pair(u32::from(byte), NO_ID));
        }
        Ok(())
    }

    fn add_merged(&mut self) {
        let mut made = self.merging.merged(|text| self.is_spelled(text));
        made.sort_unstable_by_key(|token| token.rank);
        let keys = made.iter().map(|token| token.key);
        self.ranks.extend(keys.zip(self.ids.len() as u32..));
        for Token {
            left, right, key, ..
        } in &made
        {
            // Both halves of a merged token are merged before it.
            let halves = self.ranks.get(left).zip(self.ranks.get(right));
            let (left, right) = halves.unwrap_or((&NO_ID, &NO_ID));
            self.splits.push(pair(*left, *right));
            self.ids.push(self.merging.id(*key));
        }
    }

    /// Returns the tokens that only whole pieces can become, if the file looks for them first.
    fn wholes(&mut self, head: &Head<'_>) -> Wholes {
        let added = head.added_tokens.0.iter();
        let added: HashSet<&str> = added.map(|added| added.content.as_str()).collect();
        let mut wholes = Vec::new();
        for (text, key) in self.merging.texts() {
            if !self.ranks.contains_key(&key) && self.is_spelled(text) && !added.contains(text) {
                let bytes = text.chars().filter_map(|c| self.alphabet.get(&c).copied());
                wholes.push((bytes.collect(), self.ids.len() as u32));
                self.ids.push(self.merging.id(key));
            }
        }
        Wholes::new(wholes)
    }

    fn is_spelled(&self, text: &str) -> bool {
        text.chars().all(|c| self.alphabet.contains_key(&c))
    }
}

/// Returns the byte of each character in the file: a printable byte is its own character, and the
/// others are characters from U+0100.
fn alphabet() -> BTreeMap<char, u8> {
    let mut next = 0x100u32;
    let mut character = |byte: u8| match byte {
        b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => Some(char::from(byte)),
        _ => {
            next += 1;
            char::from_u32(next - 1)
        }
    };
    (0..=u8::MAX)
        .filter_map(|byte| Some((character(byte)?, byte)))
        .collect()
}
