//! Size of a part of an output.

use loom_models::Tally;

/// Size of a part of the output; sizes can be added exactly.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Its tokens, to be joined with those of adjacent parts.
    pub tally: Tally,
    /// Number of bytes.
    pub bytes: usize,
}

impl Weight {
    /// Adds the size of the following part.
    pub fn append(&mut self, next: Self) {
        self.bytes += next.bytes;
        self.tally.append(next.tally);
    }

    /// Adds a following text.
    pub fn push(&mut self, text: &str) {
        self.bytes += text.len();
        self.tally.push(text);
    }
}
