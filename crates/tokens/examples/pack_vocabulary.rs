//! Packs published vocabulary files into the format that comes with the program: `cargo run
//! --release -p loom-tokens --example pack_vocabulary -- FILE OUT [TOKENS]`. FILE is a file of the
//! `tiktoken` kind, Mistral's `tekken.json`, or a `tokenizer.json` of the byte-level kind; TOKENS
//! is the number of ranks to use.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool that reads and writes files"
)]

use std::collections::HashMap;
use std::io::Error;
use std::{env, fs, io};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

#[path = "../src/load/halves.rs"]
mod halves;

/// "No token" in a packed file.
const NO_ID: u32 = 0x00FF_FFFF;

type Ranks = HashMap<Vec<u8>, u32>;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (file, out, most) = match arguments.as_slice() {
        [file, out] => (file, out, u32::MAX),
        [file, out, most] => (file, out, most.parse().map_err(Error::other)?),
        _ => return Err(Error::other("usage: pack_vocabulary FILE OUT [TOKENS]")),
    };
    let text = fs::read_to_string(file)?;
    let ranks = match serde_json::from_str::<Value>(&text) {
        Ok(json) if json["config"].is_object() => tekken(&json),
        Ok(json) => byte_level(&json),
        Err(_) => tiktoken(&text),
    };
    let mut ranks = ranks.ok_or_else(|| Error::other("the file is of no known kind"))?;
    ranks.retain(|_, rank| *rank < most);
    let packed = pack(&ranks);
    println!("{} tokens, {} bytes", ranks.len(), packed.len());
    fs::write(out, packed)
}

fn tiktoken(text: &str) -> Option<Ranks> {
    let lines = text.lines().filter(|line| !line.is_empty());
    let entry = |line: &str| {
        let (token, rank) = line.split_once(' ')?;
        Some((STANDARD.decode(token).ok()?, rank.parse().ok()?))
    };
    lines.map(entry).collect()
}

fn tekken(json: &Value) -> Option<Ranks> {
    let entry = |entry: &Value| {
        let token = STANDARD.decode(entry["token_bytes"].as_str()?).ok()?;
        Some((token, u32::try_from(entry["rank"].as_u64()?).ok()?))
    };
    json["vocab"].as_array()?.iter().map(entry).collect()
}

/// Parses tokens whose bytes are spelled as printable characters. Tokens with other characters are
/// special ones.
fn byte_level(json: &Value) -> Option<Ranks> {
    let byte_of = byte_of();
    let vocabulary = json["model"]["vocab"].as_object()?;
    let entry = |(token, id): (&String, &Value)| {
        let bytes: Option<Vec<u8>> = token.chars().map(|c| byte_of.get(&c).copied()).collect();
        Some((bytes?, u32::try_from(id.as_u64()?).ok()?))
    };
    Some(vocabulary.iter().filter_map(entry).collect())
}

/// Returns the byte of each character in the file: a printable byte is its own character, and the
/// others take the next free characters from U+0100.
fn byte_of() -> HashMap<char, u8> {
    let is_printable = |byte: &u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let (shown, hidden): (Vec<u8>, Vec<u8>) = (0..=255).partition(is_printable);
    let hidden = hidden
        .into_iter()
        .zip('\u{100}'..)
        .map(|(byte, c)| (c, byte));
    shown
        .into_iter()
        .map(|byte| (char::from(byte), byte))
        .chain(hidden)
        .collect()
}

/// Returns the halves of a token.
fn split(ranks: &Ranks, bytes: &[u8]) -> Option<(u32, u32)> {
    let middle = halves::middle(ranks, bytes, (0..=bytes.len()).collect())?;
    let (left, right) = bytes.split_at(middle);
    Some((*ranks.get(left)?, *ranks.get(right)?))
}

/// Packs the ranks into the format of `src/load/packed.rs`.
fn pack(ranks: &Ranks) -> Vec<u8> {
    let count = ranks.values().max().map_or(0, |&rank| rank as usize + 1);
    let mut entries = vec![(NO_ID, NO_ID); count];
    let mut wholes: Vec<(u32, &[u8])> = Vec::new();
    for (token, &rank) in ranks {
        entries[rank as usize] = match token.as_slice() {
            &[byte] => (u32::from(byte), NO_ID),
            bytes => split(ranks, bytes).unwrap_or_else(|| {
                wholes.push((rank, bytes));
                (NO_ID, NO_ID)
            }),
        };
    }
    wholes.sort_unstable();
    let mut plain = (count as u32).to_le_bytes().to_vec();
    for shift in [0, 8, 16] {
        plain.extend(entries.iter().map(|(left, _)| (left >> shift) as u8));
    }
    for shift in [0, 8, 16] {
        plain.extend(entries.iter().map(|(_, right)| (right >> shift) as u8));
    }
    for (rank, bytes) in wholes {
        plain.extend(rank.to_le_bytes());
        plain.extend((bytes.len() as u16).to_le_bytes());
        plain.extend(bytes);
    }
    miniz_oxide::deflate::compress_to_vec(&plain, 10)
}
