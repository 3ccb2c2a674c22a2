//! Limits on the size of an output.

use std::fmt;

use super::weight::Weight;

/// Longer than any token of text that people write, in bytes.
pub const LONG_TOKEN: usize = 16;

/// A limit on the whole output, or on each part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Number of tokens in the model's vocabulary.
    Tokens(usize),
    /// Number of bytes.
    Bytes(usize),
}

impl Limit {
    /// Returns the number, in its unit.
    pub fn amount(self) -> usize {
        match self {
            Self::Tokens(amount) | Self::Bytes(amount) => amount,
        }
    }

    /// Returns the size, of two, in the unit of the limit.
    pub fn of(self, tokens: usize, bytes: usize) -> usize {
        match self {
            Self::Tokens(_) => tokens,
            Self::Bytes(_) => bytes,
        }
    }

    /// Returns the size of `weight` in the unit of the limit.
    pub fn size(self, weight: &Weight) -> usize {
        match self {
            Self::Tokens(_) => weight.tally.upper(),
            Self::Bytes(_) => weight.bytes,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens(amount) => write!(f, "{amount} tokens"),
            Self::Bytes(amount) => write!(f, "{amount} bytes"),
        }
    }
}
