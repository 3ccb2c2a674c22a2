//! Writes the data files from the reference implementation: `cargo run -p loom-tokens --example
//! bake`. `data/README.md` describes their contents.

#![expect(
    clippy::disallowed_methods,
    reason = "the generator of the data reads and writes files"
)]

use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

use regex_syntax::hir::{Class, HirKind};
use tiktoken_rs::CoreBPE;

/// "No token" in a data file.
const NO_ID: u32 = 0x00FF_FFFF;

fn main() -> io::Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let o200k = tiktoken_rs::o200k_base_singleton();
    let cl100k = tiktoken_rs::cl100k_base_singleton();
    let p50k = tiktoken_rs::p50k_base_singleton();
    fs::write(data.join("o200k.splits"), splits(o200k, 199_998))?;
    fs::write(data.join("cl100k.splits"), splits(cl100k, 100_256))?;
    fs::write(data.join("p50k.splits"), splits(p50k, 50_281))?;
    assert_prefix(p50k, tiktoken_rs::r50k_base_singleton(), 50_256);
    fs::write(data.join("unicode.classes"), unicode()?)
}

/// `r50k_base` is `p50k_base` without its last tokens, so it needs no file.
fn assert_prefix(long: &CoreBPE, short: &CoreBPE, count: u32) {
    for id in 0..count {
        assert_eq!(
            long.decode_bytes(&[id]).ok(),
            short.decode_bytes(&[id]).ok()
        );
    }
}

fn splits(reference: &CoreBPE, count: u32) -> Vec<u8> {
    let special = reference.special_tokens();
    let tokens: Vec<Option<Vec<u8>>> = (0..count)
        .map(|id| reference.decode_bytes(&[id]).ok())
        .map(|token| token.filter(|bytes| !special.iter().any(|s| s.as_bytes() == bytes)))
        .collect();
    let ids: HashMap<&[u8], u32> = (0u32..)
        .zip(&tokens)
        .filter_map(|(id, token)| Some((token.as_deref()?, id)))
        .collect();
    let mut out = Vec::new();
    for (id, token) in (0u32..).zip(&tokens) {
        let (left, right) = match token.as_deref() {
            None => (NO_ID, NO_ID),
            Some(&[byte]) => (u32::from(byte), NO_ID),
            Some(bytes) => halves(&ids, bytes, id),
        };
        out.extend_from_slice(&left.to_le_bytes()[..3]);
        out.extend_from_slice(&right.to_le_bytes()[..3]);
    }
    out
}

/// Returns the two tokens that the merges before `id` leave of its bytes. Because there are always
/// two, the library can merge by pairs of ids without looking at bytes.
fn halves(ids: &HashMap<&[u8], u32>, bytes: &[u8], id: u32) -> (u32, u32) {
    let mut ends: Vec<usize> = (0..=bytes.len()).collect();
    loop {
        let merges = ends.windows(3).enumerate();
        let best = merges
            .filter_map(|(at, w)| Some((*ids.get(&bytes[w[0]..w[2]])?, at)))
            .filter(|&(rank, _)| rank < id)
            .min();
        match best {
            Some((_, at)) => ends.remove(at + 1),
            None => break,
        };
    }
    assert_eq!(ends.len(), 3, "token {id} is not reached by merges");
    (ids[&bytes[..ends[1]]], ids[&bytes[ends[1]..]])
}

/// Builds a two-stage table: the number of the row for each block of 256 characters, then the rows.
/// The bits are those of `src/unicode.rs`.
fn unicode() -> io::Result<Vec<u8>> {
    let mut classes = vec![0u8; 0x11_0000];
    mark(&mut classes, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", 1)?;
    mark(&mut classes, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", 2)?;
    mark(&mut classes, r"\p{L}", 4)?;
    mark(&mut classes, r"\p{N}", 8)?;
    mark(&mut classes, r"\s", 16)?;
    mark(&mut classes, r"[\r\n]", 32)?;
    mark(&mut classes, r"[\p{P}\p{S}]", 64)?;
    mark(&mut classes, r"\p{Han}", 128)?;
    let mut rows: Vec<&[u8]> = Vec::new();
    let mut out = Vec::new();
    for block in classes.chunks(256) {
        let row = rows.iter().position(|row| *row == block);
        let row = row.unwrap_or_else(|| {
            rows.push(block);
            rows.len() - 1
        });
        out.push(u8::try_from(row).map_err(io::Error::other)?);
    }
    out.extend(rows.concat());
    Ok(out)
}

fn mark(classes: &mut [u8], pattern: &str, bit: u8) -> io::Result<()> {
    let hir = regex_syntax::parse(pattern).map_err(io::Error::other)?;
    let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
        unreachable!("{pattern} is a class of characters")
    };
    for range in class.ranges() {
        let range = range.start() as usize..=range.end() as usize;
        classes[range].iter_mut().for_each(|class| *class |= bit);
    }
    Ok(())
}
