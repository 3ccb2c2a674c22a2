//! Vocabulary files of the `tiktoken` kind: a token per line, its bytes in base64 and its rank.
//! Llama 3 and 4, Kimi and Qwen use it.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::error::LoadError;
use super::halves::middle;
use super::{MOST_BYTES, MOST_TOKENS, Tokens, pair};
use crate::layout::NO_ID;
use crate::wholes::Wholes;

/// Maximum length of a line: four characters for three bytes, and a rank.
const MOST_LINE: usize = MOST_BYTES * 2;
const LIMIT: u32 = MOST_TOKENS as u32;

/// Returns whether a file looks like a table of tokens: its first line is an entry.
pub(crate) fn is_table(file: &[u8]) -> bool {
    let lines = file.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.take(16).find(|line| !line.is_empty());
    first.is_some_and(|line| line.len() < MOST_LINE && entry(line).is_some())
}

/// Parses the tokens of a file.
///
/// # Errors
/// Returns an error with the first invalid line.
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
    super::check_lengths(ids.keys().map(Vec::len))?;
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
