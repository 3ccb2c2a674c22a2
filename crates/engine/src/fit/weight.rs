//! The size of a part of an output.

use loom_models::Tally;

/// The size of a part of the output, to be added up exactly.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Its tokens, to be joined with those of other parts.
    pub tally: Tally,
    /// Its bytes.
    pub bytes: usize,
}

impl Weight {
    /// Adds what follows.
    pub fn append(&mut self, next: Self) {
        self.bytes += next.bytes;
        self.tally.append(next.tally);
    }

    /// Adds a text that follows.
    pub fn push(&mut self, text: &str) {
        self.bytes += text.len();
        self.tally.push(text);
    }
}
