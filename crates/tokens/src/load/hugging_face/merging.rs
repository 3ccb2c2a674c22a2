//! The tokens that merging produces, their halves, and their order. A token is formed in one way:
//! by merging its own characters.

use std::borrow::Cow;
use std::collections::HashMap;

use super::document::Bpe;
use crate::load::byte_token;
use crate::load::error::LoadError;

/// Tokens of a file with unique keys, because ids may be duplicates.
pub(super) struct Merging<'a> {
    texts: Vec<(&'a str, u32)>,
    characters: HashMap<char, u32>,
    /// Rank of each pair that merges, and the new token.
    pairs: HashMap<(u32, u32), (u32, u32)>,
}

/// Token that merging produces.
pub(super) struct Token {
    /// Tokens of lower rank are formed first.
    pub(super) rank: u32,
    pub(super) key: u32,
    pub(super) left: u32,
    pub(super) right: u32,
}

impl<'a> Merging<'a> {
    /// Collects the merges of a model.
    ///
    /// # Errors
    /// Returns an error if a merge names tokens that do not exist, or bytes.
    pub(super) fn new(bpe: &'a Bpe<'_>) -> Result<Self, LoadError> {
        let texts = bpe.vocab.iter().map(|(text, id)| (text.as_ref(), *id));
        let mut texts: Vec<(&str, u32)> = texts.collect();
        // The order of the map is not deterministic.
        texts.sort_unstable_by_key(|&(text, id)| (id, text));
        let keys: HashMap<&str, u32> = texts.iter().map(|(text, _)| *text).zip(0..).collect();
        let singles = texts.iter().zip(0u32..);
        let singles = singles.filter_map(|((text, _), key)| Some((lone(text)?, key)));
        let mut merging = Self {
            characters: singles.collect(),
            pairs: HashMap::new(),
            texts: Vec::new(),
        };
        for (rank, merge) in (0u32..).zip(&bpe.merges.0) {
            let at = rank as usize + 1;
            let found = merge.halves().and_then(|(left, right)| {
                let whole = Cow::<str>::Owned(format!("{left}{right}"));
                Some((*keys.get(left)?, *keys.get(right)?, *keys.get(&*whole)?))
            });
            let (left, right, whole) = found.ok_or(LoadError::Merge { merge: at })?;
            let is_byte = |key: u32| byte_token(texts[key as usize].0).is_some();
            if bpe.byte_fallback && (is_byte(left) || is_byte(right)) {
                let found = format!("{at} of a byte");
                return Err(LoadError::unsupported(
                    "the merge",
                    found,
                    "merges of characters",
                ));
            }
            // If a pair occurs twice, the last one counts.
            merging.pairs.insert((left, right), (rank, whole));
        }
        merging.texts = texts;
        Ok(merging)
    }

    /// Returns every token with its key.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'a str, u32)> {
        self.texts.iter().map(|(text, _)| *text).zip(0..)
    }

    /// Returns the id of a token in the file.
    pub(super) fn id(&self, key: u32) -> u32 {
        self.texts.get(key as usize).map_or(u32::MAX, |(_, id)| *id)
    }

    /// Returns the token of a character.
    pub(super) fn character(&self, character: char) -> Option<u32> {
        self.characters.get(&character).copied()
    }

    /// Returns the character of a single-character token.
    pub(super) fn single(&self, key: u32) -> Option<char> {
        self.texts
            .get(key as usize)
            .and_then(|(text, _)| lone(text))
    }

    /// Returns the tokens that merging produces and `take` accepts.
    pub(super) fn merged(&self, take: impl Fn(&str) -> bool) -> Vec<Token> {
        let tokens = self
            .texts()
            .filter(|(text, _)| lone(text).is_none() && take(text));
        tokens
            .filter_map(|(text, key)| self.halve(text, key))
            .collect()
    }

    fn halve(&self, text: &str, key: u32) -> Option<Token> {
        let parts = text.chars().map(|character| self.character(character));
        let mut parts: Vec<u32> = parts.collect::<Option<_>>()?;
        let pair = |parts: &[u32], at: usize| {
            let pair = (*parts.get(at)?, *parts.get(at + 1)?);
            self.pairs.get(&pair).copied()
        };
        let mut pairs: Vec<_> = (1..parts.len()).map(|at| pair(&parts, at - 1)).collect();
        loop {
            let known = pairs.iter().zip(0usize..);
            let ranked = known.filter_map(|(pair, at)| pair.map(|(rank, whole)| (rank, at, whole)));
            let (rank, at, whole) = ranked.min()?;
            if let [left, right] = parts[..] {
                let token = Token {
                    rank,
                    key,
                    left,
                    right,
                };
                return (whole == key).then_some(token);
            }
            parts[at] = whole;
            parts.remove(at + 1);
            pairs.remove(at);
            if at < pairs.len() {
                pairs[at] = pair(&parts, at);
            }
            if at > 0 {
                pairs[at - 1] = pair(&parts, at - 1);
            }
        }
    }
}

fn lone(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}
