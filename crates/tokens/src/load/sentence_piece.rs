//! SentencePiece models of the BPE type with a token for every byte: Llama 2, Gemma up to 3, the
//! older models of Mistral.

use std::collections::HashMap;

use super::error::LoadError;
use super::halves::middle;
use super::piece_vocabulary::{Merged, Part, PieceVocabulary};
use super::protobuf::{Field, Value, fields};
use crate::spm::{Front, Matching};

/// Kinds of pieces in a file, with the numbers of SentencePiece's `sentencepiece_model.proto`.
const NORMAL: u64 = 1;
const UNKNOWN: u64 = 2;
const CONTROL: u64 = 3;
const USER_DEFINED: u64 = 4;
const BYTE: u64 = 6;

/// The type of model that is supported.
const BPE: u64 = 2;

/// Returns whether a file looks like such a model: it starts with a piece, which starts with its
/// text.
pub(crate) fn is_model(file: &[u8]) -> bool {
    let first = fields(file).next().flatten();
    let piece = first.and_then(|field| match field.number {
        1 => field.value.bytes(),
        _ => None,
    });
    let text = piece.and_then(|piece| fields(piece).next().flatten());
    text.is_some_and(|field| field.number == 1 && field.value.bytes().is_some())
}

/// Settings of the file that affect how text is counted.
struct Model<'a> {
    pieces: Vec<Piece<'a>>,
    /// Type of model; the default of the format is unigram.
    kind: u64,
    has_bytes: bool,
    suffix: bool,
    front: Front,
    removes_blanks: bool,
    escapes_blanks: bool,
    has_characters_map: bool,
}

struct Piece<'a> {
    text: &'a str,
    score: f32,
    kind: u64,
}

/// Parses the vocabulary in `file`.
///
/// # Errors
/// Returns an error if the file is damaged, or of an unsupported type.
pub(crate) fn parse(file: &[u8]) -> Result<PieceVocabulary, LoadError> {
    let model = read(file).ok_or(LoadError::Damaged)?;
    model.check()?;
    let mut merged = Vec::new();
    let mut made = PieceVocabulary {
        front: model.front,
        matching: Matching::Prepared,
        bytes: vec![None; 256],
        ..PieceVocabulary::default()
    };
    for (id, piece) in (0u32..).zip(&model.pieces) {
        match piece.kind {
            NORMAL => match single(piece.text) {
                Some(character) => made.characters.push((character, id)),
                None if piece.text.is_empty() => return Err(LoadError::Damaged),
                None => merged.push((piece, id)),
            },
            USER_DEFINED => made.fixed.push((piece.text.to_owned(), id)),
            BYTE => {
                let byte = super::byte_token(piece.text).ok_or(LoadError::Damaged)?;
                made.bytes[usize::from(byte)] = Some(id);
            }
            UNKNOWN | CONTROL => {}
            other => {
                let found = format!("{:?} of kind {other}", piece.text);
                let expected = "pieces that are normal, defined by the user, or bytes";
                return Err(LoadError::unsupported("the piece", found, expected));
            }
        }
    }
    // The highest score merges first.
    merged.sort_by(|(a, first), (b, second)| b.score.total_cmp(&a.score).then(first.cmp(second)));
    let lengths = merged.iter().map(|(piece, _)| piece.text.len());
    super::check_lengths(lengths.chain(made.fixed.iter().map(|(text, _)| text.len())))?;
    made.merged = halves(&merged);
    Ok(made)
}

/// Returns the halves of the pieces that merging produces, in the order of merging.
fn halves(merged: &[(&Piece<'_>, u32)]) -> Vec<Merged> {
    let mut ranks = Vec::with_capacity(merged.len());
    for (at, (piece, _)) in merged.iter().enumerate() {
        let is_tie = at > 0 && merged[at - 1].0.score == piece.score;
        ranks.push(if is_tie { ranks[at - 1] } else { at as u32 });
    }
    let texts = || merged.iter().map(|(piece, _)| piece.text.as_bytes());
    let by_text: HashMap<Vec<u8>, u32> = texts()
        .map(<[u8]>::to_vec)
        .zip(ranks.iter().copied())
        .collect();
    let keys: HashMap<&[u8], u32> = texts().zip(0..).collect();
    let part = |text: &str| match single(text) {
        Some(character) => Some(Part::Character(character)),
        None => keys.get(text.as_bytes()).map(|&key| Part::Token(key)),
    };
    let split = |(key, (&(piece, id), &rank)): (u32, (&(&Piece<'_>, u32), &u32))| {
        let text = piece.text;
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let (left, right) = text.split_at(middle(&by_text, text.as_bytes(), ends.collect())?);
        Some(Merged {
            key,
            left: part(left)?,
            right: part(right)?,
            rank,
            id,
        })
    };
    (0u32..)
        .zip(merged.iter().zip(&ranks))
        .filter_map(split)
        .collect()
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

impl Model<'_> {
    fn check(&self) -> Result<(), LoadError> {
        let unsupported =
            |what, found: &str, expected| Err(LoadError::unsupported(what, found, expected));
        if self.kind != BPE {
            let found = match self.kind {
                1 => "Unigram",
                3 => "Word",
                4 => "Char",
                _ => "of no known type",
            };
            return unsupported("the SentencePiece model", found, "BPE");
        }
        if !self.has_bytes {
            return unsupported(
                "a vocabulary",
                "without byte fallback",
                "a token for each byte",
            );
        }
        if self.has_characters_map {
            return unsupported("the normalizer", "with a map of characters", "identity");
        }
        if self.removes_blanks || !self.escapes_blanks || self.suffix {
            let found = if self.removes_blanks {
                "remove_extra_whitespaces"
            } else if self.suffix {
                "treat_whitespace_as_suffix"
            } else {
                "escape_whitespaces = false"
            };
            return unsupported("the setting", found, "white space as it is");
        }
        Ok(())
    }
}

fn read(file: &[u8]) -> Option<Model<'_>> {
    let mut model = Model {
        pieces: Vec::new(),
        kind: 1,
        has_bytes: false,
        suffix: false,
        front: Front::Spaced,
        removes_blanks: true,
        escapes_blanks: true,
        has_characters_map: false,
    };
    for field in fields(file) {
        let Field { number, value } = field?;
        match (number, value) {
            (1, Value::Bytes(message)) => model.pieces.push(piece(message)?),
            (2, Value::Bytes(message)) => trainer(&mut model, message)?,
            (3, Value::Bytes(message)) => normalizer(&mut model, message)?,
            _ => {}
        }
    }
    Some(model)
}

fn piece(message: &[u8]) -> Option<Piece<'_>> {
    let mut piece = Piece {
        text: "",
        score: 0.0,
        kind: NORMAL,
    };
    for field in fields(message) {
        let Field { number, value } = field?;
        match number {
            1 => piece.text = str::from_utf8(value.bytes()?).ok()?,
            2 => piece.score = value.float()?,
            3 => piece.kind = value.number()?,
            _ => {}
        }
    }
    Some(piece)
}

/// Parses the trainer settings, some of which also affect the use of the model.
fn trainer(model: &mut Model<'_>, message: &[u8]) -> Option<()> {
    for field in fields(message) {
        let Field { number, value } = field?;
        match number {
            3 => model.kind = value.number()?,
            24 => model.suffix = value.number()? != 0,
            35 => model.has_bytes = value.number()? != 0,
            _ => {}
        }
    }
    Some(())
}

fn normalizer(model: &mut Model<'_>, message: &[u8]) -> Option<()> {
    for field in fields(message) {
        let Field { number, value } = field?;
        match number {
            2 => model.has_characters_map = !value.bytes()?.is_empty(),
            3 if value.number()? == 0 => model.front = Front::Bare,
            3 => model.front = Front::Spaced,
            4 => model.removes_blanks = value.number()? != 0,
            5 => model.escapes_blanks = value.number()? != 0,
            _ => {}
        }
    }
    Some(())
}
