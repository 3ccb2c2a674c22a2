//! Grams: three bytes of a text, with ASCII letters in lower case, so that one index serves both
//! cases. Newlines count like any other byte.

/// Three bytes, the first in the highest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gram(u32);

/// Number of possible grams.
const GRAMS: usize = 1 << 24;

impl Gram {
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Returns the grams of `text` in order, with duplicates.
pub(crate) fn grams(text: &[u8]) -> impl Iterator<Item = Gram> {
    text.windows(3).map(|window| {
        let [a, b, c] =
            [window[0], window[1], window[2]].map(|b| u32::from(b.to_ascii_lowercase()));
        Gram(a << 16 | b << 8 | c)
    })
}

/// Finds the distinct grams of texts, one text after the other.
#[derive(Debug)]
pub(crate) struct Distinct {
    /// One bit per gram: 2 MiB, reused for all texts.
    seen: Vec<u64>,
}

impl Default for Distinct {
    fn default() -> Self {
        Self {
            seen: vec![0; GRAMS / 64],
        }
    }
}

impl Distinct {
    /// Appends the distinct grams of `text` to `into`, in any order.
    pub(crate) fn add(&mut self, text: &[u8], into: &mut Vec<u32>) {
        let start = into.len();
        let Some((head, rest)) = text.split_at_checked(2) else {
            return;
        };
        let fold = |byte: u8| u32::from(byte.to_ascii_lowercase());
        let mut gram = fold(head[0]) << 8 | fold(head[1]);
        for byte in rest {
            gram = (gram << 8 | fold(*byte)) & 0x00ff_ffff;
            let (word, bit) = ((gram / 64) as usize, 1_u64 << (gram % 64));
            if self.seen[word] & bit == 0 {
                self.seen[word] |= bit;
                into.push(gram);
            }
        }
        for gram in &into[start..] {
            self.seen[(gram / 64) as usize] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn distinct_grams_equal_the_set_of_grams(texts in prop::collection::vec("[aAbB\né ]{0,20}", 0..4)) {
            let mut distinct = Distinct::default();
            for text in texts {
                let mut found = Vec::new();
                distinct.add(text.as_bytes(), &mut found);
                let expected: BTreeSet<u32> = grams(text.as_bytes()).map(Gram::number).collect();
                prop_assert_eq!(found.len(), expected.len());
                prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
            }
        }
    }
}
