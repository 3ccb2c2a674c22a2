//! `tokenizer.json` of Hugging Face, for BPE over bytes that a known pattern splits, or over
//! characters like a SentencePiece model. Other features of a file are rejected by name. Special
//! tokens of the file are ordinary text here.

mod bytes;
mod document;
mod merging;
mod steps;

use document::{Added, Bpe, Head};
use merging::Merging;
use steps::Steps;

use super::error::LoadError;
use super::piece_vocabulary::{Merged, Part, PieceVocabulary};
use super::{Read, Traits, byte_token, check_lengths};
use crate::spm::{Front, Matching};

/// Parses the vocabulary in `file`.
///
/// # Errors
/// Returns an error if the file is not such JSON, or uses an unsupported feature.
pub(crate) fn parse(file: &[u8]) -> Result<Read, LoadError> {
    let head = Head::parse(file)?;
    head.check_type()?;
    let steps = Steps::recognize(&head)?;
    let bpe = Bpe::parse(file)?;
    bpe.check()?;
    check_lengths(bpe.vocab.keys().map(|token| token.len()))?;
    match steps {
        Steps::Bytes { split, form } => {
            let (tokens, ids) = bytes::tokens(&head, &bpe)?;
            let traits = Traits { split, form, ids };
            Ok(Read::Whole(tokens, traits))
        }
        Steps::Characters { front } => of_characters(&head, &bpe, front).map(Read::Pieces),
    }
}

/// Converts tokens of characters.
fn of_characters(
    head: &Head<'_>,
    bpe: &Bpe<'_>,
    front: Front,
) -> Result<PieceVocabulary, LoadError> {
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
    let mut made = PieceVocabulary {
        front,
        matching: Matching::AsIs,
        bytes: vec![None; 256],
        fixed: fixed(head, front)?,
        ..PieceVocabulary::default()
    };
    let merging = Merging::new(bpe)?;
    for (text, key) in merging.texts() {
        let mut characters = text.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            made.characters.push((character, merging.id(key)));
        } else if let Some(byte) = byte_token(text) {
            made.bytes[usize::from(byte)] = Some(merging.id(key));
        }
    }
    let mut tokens = merging.merged(|_| true);
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

/// Returns the added tokens that are matched as fixed texts.
fn fixed(head: &Head<'_>, front: Front) -> Result<Vec<(String, u32)>, LoadError> {
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
