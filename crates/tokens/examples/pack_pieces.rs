//! Packs SentencePiece vocabularies into the format that comes with the program: `cargo run
//! --release -p loom-tokens --example pack_pieces -- FILE OUT`. FILE is a SentencePiece `.model` of
//! the BPE type, or an `.mbpe` file of the crate `splintr-vocab-gemma4`: the tokens by id, then the
//! ids in the order of merging.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool that reads and writes files"
)]

use std::collections::HashMap;
use std::io::Error;
use std::{env, fs, io};

#[path = "../src/load/halves.rs"]
mod halves;
#[path = "../src/load/protobuf.rs"]
mod protobuf;

use protobuf::fields;

/// Tokens, as text with U+2581 for spaces, and their ids.
#[derive(Default)]
struct Source {
    spaced: bool,
    /// Merged tokens, in the order of merging.
    merged: Vec<(String, u32)>,
    characters: Vec<(char, u32)>,
    bytes: Vec<u32>,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, out] = arguments.as_slice() else {
        return Err(Error::other("usage: pack_pieces FILE OUT"));
    };
    let file = fs::read(file)?;
    let source = match file.strip_prefix(b"mbpe 1\n") {
        Some(text) => mbpe(str::from_utf8(text).map_err(Error::other)?),
        None => model(&file),
    };
    let source = source.ok_or_else(|| Error::other("the file is of no known kind"))?;
    let packed = pack(&source);
    println!(
        "{} tokens, {} bytes",
        source.merged.len() + source.characters.len(),
        packed.len()
    );
    fs::write(out, packed)
}

fn mbpe(text: &str) -> Option<Source> {
    let mut lines = text.split('\n');
    let tokens: usize = lines.next()?.strip_prefix("vocab ")?.parse().ok()?;
    let merges: usize = lines.next()?.strip_prefix("merges ")?.parse().ok()?;
    lines.next()?;
    let plain = |line: &str| line.replace("\\n", "\n").replace("\\\\", "\\");
    let tokens: Vec<String> = lines.by_ref().take(tokens).map(plain).collect();
    let mut source = Source::default();
    for line in lines.take(merges) {
        let id: usize = line.split(' ').next()?.parse().ok()?;
        source.merged.push((tokens.get(id)?.clone(), id as u32));
    }
    for (id, token) in (0u32..).zip(&tokens) {
        source.single(token, id);
    }
    Some(source)
}

impl Source {
    /// Adds a token that is a byte or a character.
    fn single(&mut self, token: &str, id: u32) {
        let mut characters = token.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            self.characters.push((character, id));
        }
        let hexadecimal = token
            .strip_prefix("<0x")
            .and_then(|rest| rest.strip_suffix('>'));
        if hexadecimal.is_some_and(|digits| u8::from_str_radix(digits, 16).is_ok()) {
            self.bytes.push(id);
        }
    }
}

/// Parses a SentencePiece model: the pieces are the first field, the rules of normalisation the
/// third.
fn model(file: &[u8]) -> Option<Source> {
    let mut source = Source {
        spaced: true,
        ..Source::default()
    };
    let mut scored = Vec::new();
    let mut id = 0;
    for field in fields(file) {
        let field = field?;
        match field.number {
            1 => {
                let (text, score, kind) = piece(field.value.bytes()?)?;
                if kind == 1 && text.chars().nth(1).is_some() {
                    scored.push((score, text, id));
                } else if kind == 1 || kind == 6 {
                    source.single(&text, id);
                }
                id += 1;
            }
            3 => {
                let rules: Vec<_> = fields(field.value.bytes()?).collect::<Option<_>>()?;
                let mut front = rules.iter().filter(|rule| rule.number == 3);
                source.spaced = front.all(|rule| rule.value.number() == Some(1));
            }
            _ => {}
        }
    }
    scored.sort_by(|(a, _, first), (b, _, second)| b.total_cmp(a).then(first.cmp(second)));
    source.merged = scored.into_iter().map(|(_, text, id)| (text, id)).collect();
    Some(source)
}

fn piece(message: &[u8]) -> Option<(String, f32, u64)> {
    let (mut text, mut score, mut kind) = (String::new(), 0.0, 1);
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => text = String::from_utf8(field.value.bytes()?.to_vec()).ok()?,
            2 => score = field.value.float()?,
            3 => kind = field.value.number()?,
            _ => {}
        }
    }
    Some((text, score, kind))
}

/// Packs the tokens into the format of `src/load/pieces.rs`.
fn pack(source: &Source) -> Vec<u8> {
    let ranks = source.merged.iter().zip(0u32..);
    let ranks: HashMap<Vec<u8>, u32> = ranks
        .map(|((text, _), rank)| (text.clone().into_bytes(), rank))
        .collect();
    let splits = source.merged.iter().map(|(text, _)| {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let middle = halves::middle(&ranks, text.as_bytes(), ends.collect())?;
        Some(text.split_at(middle))
    });
    let splits: Vec<Option<(&str, &str)>> = splits.collect();
    // Tokens that merging cannot produce are skipped; they have no rank.
    let made = || {
        source
            .merged
            .iter()
            .zip(&splits)
            .filter_map(|(token, split)| Some((token, (*split)?)))
    };
    let singles = source
        .characters
        .iter()
        .map(|(character, _)| character.to_string());
    let names = singles.chain(made().map(|((text, _), _)| text.clone()));
    let rank: HashMap<String, u32> = names.zip(256..).collect();
    let halves: Vec<(u32, u32)> = made()
        .map(|(_, (left, right))| (rank[left], rank[right]))
        .collect();
    let characters: String = source
        .characters
        .iter()
        .map(|(character, _)| character)
        .collect();
    let mut plain = vec![u8::from(source.spaced)];
    plain.extend((characters.len() as u32).to_le_bytes());
    plain.extend(characters.as_bytes());
    plain.extend((halves.len() as u32).to_le_bytes());
    let (left, right): (Vec<u32>, Vec<u32>) = halves.into_iter().unzip();
    by_byte(&left, 3, &mut plain);
    by_byte(&right, 3, &mut plain);
    let characters = source.characters.iter().map(|(_, id)| *id);
    let ids = source
        .bytes
        .iter()
        .copied()
        .chain(characters)
        .chain(made().map(|((_, id), _)| *id));
    let mut last = 0u32;
    let differences: Vec<u32> = ids
        .map(|id| id.wrapping_sub(std::mem::replace(&mut last, id)))
        .collect();
    by_byte(&differences, 4, &mut plain);
    miniz_oxide::deflate::compress_to_vec(&plain, 10)
}

/// Writes the low bytes of all numbers, then the next ones: this order compresses better.
fn by_byte(numbers: &[u32], bytes: usize, out: &mut Vec<u8>) {
    for at in 0..bytes {
        out.extend(numbers.iter().map(|number| number.to_le_bytes()[at]));
    }
}
