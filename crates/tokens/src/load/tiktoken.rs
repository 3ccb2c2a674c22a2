//! Vocabulary files of the `tiktoken` kind: a token a line, its bytes in base64 and
//! its rank. Llama 3 and 4, Kimi and Qwen come in it.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Tokens;
use super::halves::middle;
use crate::layout::{ID_BITS, NO_ID, SPLIT_BYTES};
use crate::wholes::Wholes;

/// A vocabulary file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A line is not a token and a rank.
    #[error("line {line}: expected a token in base64 and its rank")]
    Line {
        /// Its number, from 1.
        line: usize,
    },
    /// There are too many tokens, or ranks are too high.
    #[error("line {line}: expected a rank below {limit}")]
    Rank {
        /// Its number, from 1.
        line: usize,
        /// Ranks are below it.
        limit: u32,
    },
    /// A rank or a token is there twice.
    #[error("line {line}: the token or its rank is there twice")]
    Twice {
        /// Its number, from 1.
        line: usize,
    },
    /// Not every byte is a token.
    #[error("the byte 0x{byte:02x} is no token")]
    Byte {
        /// The first that is missing.
        byte: u8,
    },
}

/// The highest number of tokens; one id is kept for "nothing".
const LIMIT: u32 = (1 << ID_BITS) - 1;

/// The tokens of a file.
///
/// # Errors
/// When the file is not of the kind, with the first line that is not.
pub(crate) fn parse(file: &[u8]) -> Result<Tokens, LoadError> {
    let mut ids: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut tokens: Vec<Option<Vec<u8>>> = Vec::new();
    for (line, text) in (1..).zip(file.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let (token, rank) = entry(text).ok_or(LoadError::Line { line })?;
        if rank >= LIMIT {
            let limit = LIMIT;
            return Err(LoadError::Rank { line, limit });
        }
        let at = rank as usize;
        tokens.resize_with(tokens.len().max(at + 1), || None);
        if tokens[at].replace(token.clone()).is_some() || ids.insert(token, rank).is_some() {
            return Err(LoadError::Twice { line });
        }
    }
    let missing = (0..=u8::MAX).find(|&byte| !ids.contains_key(&[byte][..]));
    match missing {
        Some(byte) => Err(LoadError::Byte { byte }),
        None => Ok(lay_out(&ids, &tokens)),
    }
}

fn entry(line: &[u8]) -> Option<(Vec<u8>, u32)> {
    let line = str::from_utf8(line).ok()?;
    let (token, rank) = line.split_once(' ')?;
    let token = STANDARD
        .decode(token)
        .ok()
        .filter(|token| !token.is_empty())?;
    Some((token, rank.parse().ok()?))
}

fn halves(ids: &HashMap<Vec<u8>, u32>, bytes: &[u8]) -> Option<(u32, u32)> {
    let middle = middle(ids, bytes, (0..=bytes.len()).collect())?;
    let (left, right) = bytes.split_at(middle);
    Some((*ids.get(left)?, *ids.get(right)?))
}

fn lay_out(ids: &HashMap<Vec<u8>, u32>, tokens: &[Option<Vec<u8>>]) -> Tokens {
    let mut wholes = Vec::new();
    let mut split = |(id, token): (u32, &Option<Vec<u8>>)| match token.as_deref() {
        None => pair(NO_ID, NO_ID),
        Some(&[byte]) => pair(u32::from(byte), NO_ID),
        Some(bytes) => match halves(ids, bytes) {
            Some((left, right)) => pair(left, right),
            None => {
                wholes.push((bytes.to_vec(), id));
                pair(NO_ID, NO_ID)
            }
        },
    };
    let splits = (0u32..).zip(tokens).map(&mut split).collect();
    let wholes = Wholes::new(wholes);
    Tokens { splits, wholes }
}

fn pair(left: u32, right: u32) -> [u8; SPLIT_BYTES] {
    let ([a, b, c, _], [d, e, f, _]) = (left.to_le_bytes(), right.to_le_bytes());
    [a, b, c, d, e, f]
}
