//! Many embeddings in little memory: one byte per number.

use loom_base::{Column, ColumnBuilder, ColumnLost, Scratch};

use crate::dot::products;
use crate::workers::{Ranked, Workers};

/// Embeddings searched in one piece: for fewer, a thread costs more than it saves.
const SHARE: usize = 50_000;

/// Embeddings of one length, in the order of insertion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    bytes: Column<i8>,
    /// Inverse length of each embedding; 0 for a zero vector.
    inverses: Column<f32>,
}

impl Vectors {
    /// Creates an empty list of embeddings with `dimensions` numbers each.
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions: dimensions.max(1),
            bytes: Column::default(),
            inverses: Column::default(),
        }
    }

    /// Returns the number of embeddings.
    pub fn len(&self) -> usize {
        self.inverses.len()
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.inverses.is_empty()
    }

    /// Appends all embeddings of another list.
    pub fn append(&mut self, other: &Self) {
        if other.dimensions == self.dimensions {
            self.bytes.to_mut().extend_from_slice(&other.bytes);
            self.inverses.to_mut().extend_from_slice(&other.inverses);
            return;
        }
        for at in 0..other.len() {
            self.push_bytes(other.bytes_of(at));
        }
    }

    /// Returns the numbers of an embedding as bytes, the inverse of [`Self::push_bytes`].
    pub fn bytes_of(&self, at: usize) -> &[i8] {
        &self.bytes[at * self.dimensions..(at + 1) * self.dimensions]
    }

    /// Adds an embedding. Pads it with zeros or truncates it to the length of the list.
    pub fn push(&mut self, vector: &[f32]) {
        self.push_bytes(&quantised(vector, self.dimensions));
    }

    /// Adds an embedding that already consists of bytes.
    pub fn push_bytes(&mut self, bytes: &[i8]) {
        let all = self.bytes.to_mut();
        let start = all.len();
        all.extend(bytes.iter().take(self.dimensions));
        all.resize(start + self.dimensions, 0);
        self.inverses.to_mut().push(inverse(&all[start..]));
    }

    /// Returns the numbers of all embeddings, and their inverse lengths.
    pub fn columns(&self) -> (&Column<i8>, &Column<f32>) {
        (&self.bytes, &self.inverses)
    }

    /// Builds a list from its columns. Returns `None` if the columns have different numbers of
    /// embeddings.
    pub fn from_columns(
        dimensions: usize,
        bytes: Column<i8>,
        inverses: Column<f32>,
    ) -> Option<Self> {
        let dimensions = dimensions.max(1);
        let is_whole = inverses.len().checked_mul(dimensions) == Some(bytes.len());
        is_whole.then_some(Self {
            dimensions,
            bytes,
            inverses,
        })
    }

    /// Returns the cosine similarity, from -1 to 1, of each embedding in a range to `vector`.
    pub fn closeness(&self, vector: &[f32], of: std::ops::Range<usize>) -> Vec<f32> {
        let query = quantised(vector, self.dimensions);
        let length = inverse(&query);
        let rows = &self.bytes[of.start * self.dimensions..of.end * self.dimensions];
        let mut found = Vec::with_capacity(of.len());
        products(&query, rows, &mut found);
        let pairs = found.iter().zip(&self.inverses[of]);
        pairs
            .map(|(product, inverse)| *product as f32 * inverse * length)
            .collect()
    }

    /// Returns the `most` nearest embeddings, the nearest first; ties go to the earlier one.
    /// Compares every embedding; `worth` converts a similarity to a score. The result does not
    /// depend on the number of threads of `workers`.
    pub fn nearest(
        &self,
        vector: &[f32],
        most: usize,
        workers: &dyn Workers,
        worth: impl Fn(usize, f32) -> f64 + Sync,
    ) -> Vec<(usize, f64)> {
        let ask = |share: usize| {
            let start = share * SHARE;
            let end = (start + SHARE).min(self.len());
            let close = self.closeness(vector, start..end);
            let close = (start..end).zip(close);
            let mut close: Ranked = close.map(|(at, close)| (at, worth(at, close))).collect();
            keep(&mut close, most);
            close
        };
        let mut best = workers.run(self.len().div_ceil(SHARE), &ask).concat();
        keep(&mut best, most);
        best
    }
}

/// Collects embeddings that may exceed the memory.
#[derive(Debug)]
pub struct VectorsBuilder<'a> {
    dimensions: usize,
    bytes: ColumnBuilder<'a, i8>,
    inverses: ColumnBuilder<'a, f32>,
}

impl<'a> VectorsBuilder<'a> {
    /// Creates an empty builder.
    pub fn new(dimensions: usize, scratch: &'a dyn Scratch) -> Self {
        Self {
            dimensions: dimensions.max(1),
            bytes: ColumnBuilder::new(scratch),
            inverses: ColumnBuilder::new(scratch),
        }
    }

    /// Appends embeddings of the same length.
    pub fn append(&mut self, vectors: &Vectors) {
        debug_assert_eq!(vectors.dimensions, self.dimensions);
        self.bytes.extend_from_slice(&vectors.bytes);
        self.inverses.extend_from_slice(&vectors.inverses);
    }

    /// Returns all embeddings.
    ///
    /// # Errors
    /// If the scratch space lost embeddings.
    pub fn finish(self) -> Result<Vectors, ColumnLost> {
        let (bytes, inverses) = (self.bytes.finish()?, self.inverses.finish()?);
        Vectors::from_columns(self.dimensions, bytes, inverses).ok_or(ColumnLost)
    }
}

/// Sorts by score and keeps the best `most`.
fn keep(found: &mut Ranked, most: usize) {
    let order = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if most < found.len() {
        found.select_nth_unstable_by(most, order);
        found.truncate(most);
    }
    found.sort_unstable_by(order);
}

/// Quantises an embedding to bytes; the largest number becomes 127.
fn quantised(vector: &[f32], dimensions: usize) -> Vec<i8> {
    let most = vector.iter().fold(0.0_f32, |most, one| most.max(one.abs()));
    let factor = if most > 0.0 && most.is_finite() {
        127.0 / most
    } else {
        0.0
    };
    let mut bytes: Vec<i8> = vector
        .iter()
        .take(dimensions)
        .map(|one| (one * factor).round() as i8)
        .collect();
    bytes.resize(dimensions, 0);
    bytes
}

fn inverse(bytes: &[i8]) -> f32 {
    let sum: i32 = bytes.iter().map(|one| i32::from(*one).pow(2)).sum();
    if sum == 0 {
        0.0
    } else {
        1.0 / (sum as f32).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Alone;

    /// Runs the pieces in reverse order, as threads might.
    struct Backwards;

    impl Workers for Backwards {
        fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked> {
            let mut found: Vec<Ranked> = (0..pieces).rev().map(work).collect();
            found.reverse();
            found
        }
    }

    #[test]
    fn the_nearest_of_many_is_found_in_any_piece() {
        let mut vectors = Vectors::new(8);
        for at in 0..(3 * SHARE) {
            let angle = at as f32;
            let vector: Vec<f32> = (0..8).map(|n| (angle * (n + 1) as f32).sin()).collect();
            vectors.push(&vector);
        }
        let expected: Vec<f32> = vectors
            .bytes_of(2 * SHARE + 7)
            .iter()
            .map(|b| f32::from(*b))
            .collect();
        let nearest = vectors.nearest(&expected, 3, &Alone, |_, close| f64::from(close));
        let others = vectors.nearest(&expected, 3, &Backwards, |_, close| f64::from(close));
        assert_eq!(nearest, others);
        assert_eq!(
            vectors.bytes_of(nearest[0].0),
            vectors.bytes_of(2 * SHARE + 7)
        );
        assert!(nearest[0].1 > 0.999);
        assert_eq!(nearest.len(), 3);
        assert!(nearest.windows(2).all(|two| two[0].1 >= two[1].1));
        // The score decides within every piece.
        let last = 3 * SHARE - 1;
        let worth =
            |at: usize, close: f32| f64::from(close) + f64::from(u8::from(at == last)) * 9.0;
        assert_eq!(vectors.nearest(&expected, 1, &Alone, worth)[0].0, last);
    }

    proptest! {
        #[test]
        fn closeness_is_the_cosine(a in proptest::collection::vec(-1.0_f32..1.0, 16), b in proptest::collection::vec(-1.0_f32..1.0, 16)) {
            let length = |v: &[f32]| v.iter().map(|one| one * one).sum::<f32>().sqrt();
            prop_assume!(length(&a) > 0.1 && length(&b) > 0.1);
            let mut vectors = Vectors::new(16);
            vectors.push(&a);
            let exact: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>() / length(&a) / length(&b);
            prop_assert!((vectors.closeness(&b, 0..1)[0] - exact).abs() < 0.03);
        }

        #[test]
        fn odd_vectors_do_no_harm(vector in proptest::collection::vec(any::<f32>(), 0..20)) {
            let mut vectors = Vectors::new(7);
            vectors.push(&vector);
            prop_assert!(vectors.closeness(&vector, 0..1)[0].abs() <= 1.001);
        }
    }
}
