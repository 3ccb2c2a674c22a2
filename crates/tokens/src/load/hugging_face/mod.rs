//! `tokenizer.json` of Hugging Face, for BPE: of bytes that a known pattern splits,
//! or of characters like a SentencePiece model. What the file says beyond that is
//! refused by name. Special tokens of the file are ordinary text here.

mod document;
mod merging;
mod steps;

use std::collections::{BTreeMap, HashMap};

use document::{Added, Bpe, Head};
use merging::{Merging, Token};
use steps::Steps;

use super::error::LoadError;
use super::made::{Made, Merged, Part};
use super::{Read, Tokens, Traits, byte_token, check_lengths, pair};
use crate::layout::{NO_ID, SPLIT_BYTES};
use crate::model::Ids;
use crate::spm::{Front, Matching};
use crate::wholes::Wholes;

/// The vocabulary in `file`.
///
/// # Errors
/// When the file is no such JSON, or says something that is not supported.
pub(crate) fn parse(file: &[u8]) -> Result<Read, LoadError> {
    let head = Head::parse(file)?;
    head.check_type()?;
    let steps = Steps::of(&head)?;
    let bpe = Bpe::parse(file)?;
    bpe.check()?;
    check_lengths(bpe.vocab.keys().map(|token| token.len()))?;
    match steps {
        Steps::Bytes { split, form } => {
            let (tokens, ids) = of_bytes(&head, &bpe)?;
            let traits = Traits { split, form, ids };
            Ok(Read::Whole(tokens, traits))
        }
        Steps::Characters { front } => of_characters(&head, &bpe, front).map(Read::Pieces),
    }
}

/// Tokens of bytes. The ranks are those of merging; the file's ids stand beside.
fn of_bytes(head: &Head, bpe: &Bpe<'_>) -> Result<(Tokens, Ids), LoadError> {
    if let Some(added) = head.added().find(|added| added.content.trim().is_empty()) {
        let expected = "none of white space";
        return Err(LoadError::unsupported(
            "the added token",
            &added.content,
            expected,
        ));
    }
    let alphabet = alphabet();
    let merging = Merging::of(bpe)?;
    let mut ids = Vec::with_capacity(bpe.vocab.len());
    let mut splits: Vec<[u8; SPLIT_BYTES]> = Vec::with_capacity(bpe.vocab.len());
    let mut ranks: HashMap<u32, u32> = HashMap::new();
    for (&character, &byte) in &alphabet {
        let token = merging
            .character(character)
            .ok_or(LoadError::Byte { byte })?;
        ranks.insert(token, ids.len() as u32);
        ids.push(merging.id(token));
        splits.push(pair(u32::from(byte), NO_ID));
    }
    let is_spelled = |text: &str| {
        text.chars()
            .all(|character| alphabet.contains_key(&character))
    };
    let mut made = merging.made(is_spelled);
    made.sort_unstable_by_key(|token| token.rank);
    for (rank, token) in (ids.len() as u32..).zip(&made) {
        ranks.insert(token.key, rank);
    }
    for Token {
        left, right, key, ..
    } in &made
    {
        // Halves of what is made are made themselves.
        let (left, right) = (ranks.get(left), ranks.get(right));
        let halves = left
            .zip(right)
            .map_or((NO_ID, NO_ID), |(left, right)| (*left, *right));
        splits.push(pair(halves.0, halves.1));
        ids.push(merging.id(*key));
    }
    let mut wholes = Vec::new();
    if bpe.ignore_merges {
        let added: Vec<&str> = head
            .added_tokens
            .0
            .iter()
            .map(|added| added.content.as_str())
            .collect();
        for (text, key) in merging.texts() {
            if !ranks.contains_key(&key) && is_spelled(text) && !added.contains(&text) {
                let bytes: Vec<u8> = text
                    .chars()
                    .filter_map(|c| alphabet.get(&c))
                    .copied()
                    .collect();
                wholes.push((bytes, ids.len() as u32));
                ids.push(merging.id(key));
            }
        }
    }
    let (found, limit) = (splits.len(), super::MOST_TOKENS);
    if found > limit {
        return Err(LoadError::Many { found, limit });
    }
    let wholes = Wholes::new(wholes);
    Ok((Tokens { splits, wholes }, Ids::listed(ids)))
}

/// Tokens of characters.
fn of_characters(head: &Head, bpe: &Bpe<'_>, front: Front) -> Result<Made, LoadError> {
    if !bpe.byte_fallback {
        let expected = "a token for each byte";
        return Err(LoadError::unsupported(
            "a vocabulary",
            "without byte_fallback",
            expected,
        ));
    }
    if bpe.ignore_merges {
        return Err(LoadError::unsupported(
            "the setting",
            "ignore_merges",
            "it for bytes only",
        ));
    }
    let mut made = Made {
        front,
        matching: Matching::AsIs,
        bytes: vec![None; 256],
        fixed: fixed(head, front)?,
        ..Made::default()
    };
    let merging = Merging::of(bpe)?;
    for (text, key) in merging.texts() {
        let mut characters = text.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            made.characters.push((character, merging.id(key)));
        } else if let Some(byte) = byte_token(text) {
            made.bytes[usize::from(byte)] = Some(merging.id(key));
        }
    }
    let mut tokens = merging.made(|_| true);
    tokens.sort_unstable_by_key(|token| token.rank);
    let part = |key: u32| match merging.single(key) {
        Some(character) => Part::Character(character),
        None => Part::Token(key),
    };
    let merged = tokens.iter().map(|token| Merged {
        key: token.key,
        left: part(token.left),
        right: part(token.right),
        rank: token.rank,
        id: merging.id(token.key),
    });
    made.merged = merged.collect();
    Ok(made)
}

/// The added tokens that stand for themselves.
fn fixed(head: &Head, front: Front) -> Result<Vec<(String, u32)>, LoadError> {
    let found: Vec<&Added> = head.added().collect();
    check_lengths(found.iter().map(|added| added.content.len()))?;
    let odd = |added: &&&Added| {
        added.normalized
            || added.lstrip
            || added.rstrip
            || added.single_word
            || front != Front::Bare
    };
    if let Some(added) = found.iter().find(odd) {
        let expected = "such as are found in the text as it is, with no space put before it";
        return Err(LoadError::unsupported(
            "the added token",
            &added.content,
            expected,
        ));
    }
    Ok(found
        .iter()
        .map(|added| (added.content.clone(), added.id))
        .collect())
}

/// The character that stands for each byte: itself where it can be seen, else one
/// from U+0100 on.
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
