//! Lays out the merge tables at build time, so that the first count needs no
//! warm-up. The input is `data/*.splits`; the layout is that of `src/layout.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/layout.rs"]
mod layout;

use layout::{NO_ID, SPLIT_BYTES};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/layout.rs");
    println!("cargo::rerun-if-changed=data");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    for name in ["o200k", "cl100k", "p50k"] {
        let splits = fs::read(Path::new("data").join(name).with_extension("splits"))?;
        write_tables(&out, name, &splits)?;
    }
    Ok(())
}

fn write_tables(out: &Path, name: &str, splits: &[u8]) -> io::Result<()> {
    let (entries, _) = splits.as_chunks::<SPLIT_BYTES>();
    let mut bytes = vec![NO_ID; 256];
    let mut byte_of = vec![None; entries.len()];
    let mut pairs = Vec::with_capacity(entries.len());
    let mut lengths = vec![0u8; entries.len()];
    for (id, &entry) in (0u32..).zip(entries) {
        match layout::read_split(entry) {
            (NO_ID, _) => {}
            (byte, NO_ID) => {
                bytes[byte as usize] = id;
                byte_of[id as usize] = Some(byte);
                lengths[id as usize] = 1;
            }
            // Both halves were made by earlier merges.
            (left, right) => {
                lengths[id as usize] = lengths[left as usize] + lengths[right as usize];
                pairs.push((left, right, id));
            }
        }
    }
    let mut byte_pairs = vec![NO_ID; 1 << 16];
    for &(left, right, id) in &pairs {
        if let (Some(a), Some(b)) = (byte_of[left as usize], byte_of[right as usize]) {
            byte_pairs[(a << 8 | b) as usize] = id;
        }
    }
    let file = |kind: &str| out.join(format!("{name}.{kind}"));
    fs::write(file("bytes"), le(&bytes))?;
    fs::write(file("lengths"), lengths)?;
    fs::write(file("byte_pairs"), le(&byte_pairs))?;
    fs::write(file("filter"), filter(&pairs))?;
    fs::write(file("pairs"), pair_table(&pairs))
}

fn le(ids: &[u32]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.to_le_bytes()).collect()
}

fn filter(pairs: &[(u32, u32, u32)]) -> Vec<u8> {
    let mut words = vec![0u64; 1 << (filter_bits(pairs.len()) - 6)];
    let shift = words.len().leading_zeros() + 1;
    for &(left, right, _) in pairs {
        let hash = layout::mix(layout::pair_key(left, right));
        words[(hash >> shift) as usize] |= layout::filter_bits(hash);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn pair_table(pairs: &[(u32, u32, u32)]) -> Vec<u8> {
    let bits = slot_bits(pairs.len());
    let mut slots = vec![0u64; 1 << bits];
    for &(left, right, id) in pairs {
        let key = layout::pair_key(left, right);
        let mut at = (layout::mix(key) >> (64 - bits)) as usize;
        while slots[at] != 0 {
            at = (at + 1) & (slots.len() - 1);
        }
        slots[at] = pack(key, id);
        debug_assert_eq!(layout::unpack(slots[at], key), Some(id));
    }
    slots.iter().flat_map(|slot| slot.to_le_bytes()).collect()
}

/// Slots of the pair table for `count` pairs, as a power of two. At most about
/// four fifths are used.
fn slot_bits(count: usize) -> u32 {
    (count + count / 4).next_power_of_two().trailing_zeros()
}

/// Bits of the filter in front of the pair table, as a power of two: about ten
/// for each pair, of which it sets two, so that nearly all absent pairs never reach
/// the table.
fn filter_bits(count: usize) -> u32 {
    slot_bits(count) + 3
}

/// A used slot: never zero, which marks a free one.
fn pack(key: u64, id: u32) -> u64 {
    (key << layout::ID_BITS | u64::from(id)) + 1
}
