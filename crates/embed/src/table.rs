//! The built-in word table, and the embeddings of texts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use loom_base::{EmbedError, Embedder};

use crate::pieces;

static WORDS: &[u8] = include_bytes!("../data/code.words");
static VECTORS: &[u8] = include_bytes!("../data/code.vectors");

/// Size of the header: magic bytes, version, number of rows and columns.
const HEAD: usize = 16;

/// Identifiers whose rows each thread caches; a full cache is cleared.
const REMEMBERED: usize = 1 << 13;

thread_local! {
    static ROWS: RefCell<HashMap<Box<str>, Box<[u32]>>> = RefCell::default();
}

/// The on-device embedder: 40,892 words of code and English, distilled from
/// nomic-embed-code.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeTable;

impl CodeTable {
    /// Length of the embeddings.
    pub const DIMENSIONS: usize = 256;

    /// Returns the embedding of a text: the sum of its words, with diminishing weights for repeated
    /// words.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        ROWS.with_borrow_mut(|known| {
            for identifier in loom_search::identifiers(text) {
                let rows = match known.get(identifier) {
                    Some(rows) => rows,
                    None => {
                        if known.len() >= REMEMBERED {
                            known.clear();
                        }
                        let rows = pieces::rows(identifier, find).into();
                        known.entry(identifier.into()).or_insert(rows)
                    }
                };
                for row in rows {
                    *counts.entry(*row).or_default() += 1;
                }
            }
        });
        let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
        // A fixed order makes the sums equal to the last bit.
        counts.sort_unstable();
        let mut sum = vec![0.0_f32; CodeTable::DIMENSIONS];
        for (row, count) in counts {
            let weight = factor(row) * (1.0 + (count as f32).ln());
            for (sum, one) in sum.iter_mut().zip(row_bytes(row)) {
                *sum += weight * f32::from(*one as i8);
            }
        }
        sum
    }
}

impl Embedder for CodeTable {
    fn id(&self) -> &str {
        "nomic-embed-code-words-256/1"
    }

    fn dimensions(&self) -> usize {
        CodeTable::DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// Returns the start of each word, plus the end of the last one.
fn starts() -> &'static [u32] {
    static STARTS: OnceLock<Vec<u32>> = OnceLock::new();
    STARTS.get_or_init(|| {
        let ends = memchr::memchr_iter(b'\n', WORDS).map(|at| at as u32 + 1);
        std::iter::once(0).chain(ends).collect()
    })
}

fn word(row: u32) -> &'static [u8] {
    let starts = starts();
    let (start, end) = (starts[row as usize], starts[row as usize + 1]);
    &WORDS[start as usize..end as usize - 1]
}

/// Slots of the hash table: a power of two, and more than twice the number of words.
const PLACES: usize = 1 << 17;

/// Looks up the row of a word in a hash table, which the first call fills.
fn find(wanted: &str) -> Option<u32> {
    static TABLE: OnceLock<Vec<u32>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![u32::MAX; PLACES];
        for row in 0..starts().len() as u32 - 1 {
            let mut at = place(word(row));
            while table[at] != u32::MAX {
                at = (at + 1) % PLACES;
            }
            table[at] = row;
        }
        table
    });
    let mut at = place(wanted.as_bytes());
    loop {
        match table[at] {
            u32::MAX => return None,
            row if word(row) == wanted.as_bytes() => return Some(row),
            _ => at = (at + 1) % PLACES,
        }
    }
}

fn place(word: &[u8]) -> usize {
    // FNV-1a, folded.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in word {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    ((hash ^ (hash >> 32)) as usize) % PLACES
}

/// Returns the factor for the numbers of a row: the rarity of the word, divided by the length of
/// the row.
fn factor(row: u32) -> f32 {
    let at = HEAD + 4 * row as usize;
    let bytes = VECTORS
        .get(at..at + 4)
        .and_then(|four| four.try_into().ok());
    bytes.map_or(0.0, f32::from_le_bytes)
}

fn row_bytes(row: u32) -> &'static [u8] {
    let first = HEAD + 4 * (starts().len() - 1);
    let at = first + CodeTable::DIMENSIONS * row as usize;
    VECTORS
        .get(at..at + CodeTable::DIMENSIONS)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vectors;

    #[test]
    fn the_two_files_belong_together() {
        let number = |at: usize| u32::from_le_bytes(VECTORS[at..at + 4].try_into().unwrap());
        assert_eq!(&VECTORS[..4], b"LMVT");
        assert_eq!(number(4), 1);
        let rows = starts().len() - 1;
        assert_eq!(
            (number(8) as usize, number(12) as usize),
            (rows, CodeTable::DIMENSIONS)
        );
        assert_eq!(VECTORS.len(), HEAD + rows * (4 + CodeTable::DIMENSIONS));
        for row in 1..rows as u32 {
            assert!(word(row - 1) < word(row));
        }
        assert!(find("parse").is_some() && find("not a word").is_none());
    }

    #[test]
    fn texts_that_mean_alike_are_close() {
        let table = CodeTable;
        let mut vectors = Vectors::new(CodeTable::DIMENSIONS);
        for text in [
            "def remove_directory(path): shutil.rmtree(path)",
            "def draw_circle(radius, color): canvas.paint()",
            "class TokenExpired(AuthError): pass",
        ] {
            vectors.push(&table.vector(text));
        }
        for (asked, expected) in [
            ("delete a folder", 0),
            ("shapes on the screen", 1),
            ("login session is no longer valid", 2),
        ] {
            assert_eq!(
                vectors.nearest(&table.vector(asked), 1, &crate::Alone, |_, close| close
                    .into())[0]
                    .0,
                expected,
                "{asked}"
            );
        }
        assert!(table.vector("").iter().all(|one| *one == 0.0));
    }
}
