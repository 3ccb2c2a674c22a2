//! Conversion of text to token ids and back.

use crate::bpe;
use crate::model::{Model, Split};
use crate::split::{Cl100k, CommandR, DeepSeek, Gpt2, Kimi, Llama3, O200k, Pattern, Qwen, Tekken};

/// Error: ids cannot be decoded into text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The id is not an ordinary token of the vocabulary.
    #[error("token {token} is not in {vocabulary}")]
    UnknownToken {
        /// Unknown id.
        token: u32,
        /// Name of the vocabulary.
        vocabulary: &'static str,
    },
}

/// Encodes `text`, which is UTF-8.
pub(crate) fn encode(model: &Model, text: &[u8]) -> Vec<u32> {
    match model.split {
        Split::O200k => encode_with::<O200k>(model, text),
        Split::Cl100k => encode_with::<Cl100k>(model, text),
        Split::Gpt2 => encode_with::<Gpt2>(model, text),
        Split::Llama3 => encode_with::<Llama3>(model, text),
        Split::Qwen => encode_with::<Qwen>(model, text),
        Split::Tekken => encode_with::<Tekken>(model, text),
        Split::DeepSeek => encode_with::<DeepSeek>(model, text),
        Split::Kimi => encode_with::<Kimi>(model, text),
        Split::CommandR => encode_with::<CommandR>(model, text),
    }
}

fn encode_with<P: Pattern>(model: &Model, text: &[u8]) -> Vec<u32> {
    let (mut at, mut tokens) = (0, Vec::new());
    while at < text.len() {
        let end = P::next(text, at);
        match model.wholes.find(&text[at..end]) {
            Some(token) => tokens.push(token),
            None => bpe::encode(&model.merges, &text[at..end], &mut tokens),
        }
        at = end;
    }
    for token in &mut tokens {
        *token = model.ids.id(*token);
    }
    tokens
}

/// Decodes `tokens` into bytes; returns the first token that does not exist as an error.
pub(crate) fn decode(model: &Model, tokens: &[u32]) -> Result<Vec<u8>, u32> {
    let mut bytes = Vec::with_capacity(4 * tokens.len());
    for &token in tokens {
        let rank = model.ids.rank(token).ok_or(token)?;
        if let Some(whole) = model.wholes.spell(rank) {
            bytes.extend_from_slice(whole);
        } else if rank >= model.merges.tokens || !model.merges.spell(rank, &mut bytes) {
            return Err(token);
        }
    }
    Ok(bytes)
}
