//! How a text is cut: how large chunks may be, how much of the one before they repeat,
//! and at which places they end.

use loom_syntax::Limits;

/// Where chunks end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Where functions, types and sections do: what fits is not cut.
    #[default]
    Semantic,
    /// At lines, whatever they hold.
    Fixed,
    /// Each function, and each type without functions, stands alone.
    Symbol,
}

impl Strategy {
    /// As users write it.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "semantic" => Some(Self::Semantic),
            "fixed" => Some(Self::Fixed),
            "symbol" => Some(Self::Symbol),
            _ => None,
        }
    }
}

/// How a text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkOptions {
    tokens: usize,
    overlap: usize,
    strategy: Strategy,
    parse_memory: u64,
}

/// Sizes that make no chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkOptionsError {
    /// A chunk would be too small for a word and what stands before it.
    #[error("chunks of {tokens} tokens; expected at least {least}")]
    Tokens {
        /// The tokens that were asked for.
        tokens: usize,
        /// The fewest that are possible.
        least: usize,
    },
    /// Nothing, or next to nothing, of a chunk would be new.
    #[error("an overlap of {overlap} tokens in chunks of {tokens}; expected at most {most}")]
    Overlap {
        /// The overlap that was asked for.
        overlap: usize,
        /// The tokens of a chunk.
        tokens: usize,
        /// The most that is possible.
        most: usize,
    },
}

impl ChunkOptions {
    /// The tokens of a chunk unless told otherwise.
    pub const TOKENS: usize = 8_000;

    /// The fewest tokens that a chunk must have beside its overlap: a character may be
    /// six of them, and what stands before the text takes a quarter.
    pub const LEAST: usize = 16;

    /// The most overlap unless told otherwise.
    const OVERLAP: usize = 256;

    /// Chunks of at most `tokens` tokens. Without `overlap` it is a sixteenth of them,
    /// at most 256, and nothing where symbols stand alone.
    ///
    /// # Errors
    /// When there is too little room.
    pub fn new(
        strategy: Strategy,
        tokens: usize,
        overlap: Option<usize>,
    ) -> Result<Self, ChunkOptionsError> {
        let least = Self::LEAST;
        let Some(most) = tokens.checked_sub(least) else {
            return Err(ChunkOptionsError::Tokens { tokens, least });
        };
        let usual = match strategy {
            Strategy::Symbol => 0,
            _ => (tokens / 16).min(Self::OVERLAP).min(most),
        };
        let overlap = overlap.unwrap_or(usual);
        if overlap > most {
            return Err(ChunkOptionsError::Overlap {
                overlap,
                tokens,
                most,
            });
        }
        Ok(Self {
            tokens,
            overlap,
            strategy,
            parse_memory: Limits::default().memory,
        })
    }

    /// Limits the memory of a parse, in bytes. A text that needs more is cut by its lines.
    #[must_use]
    pub fn with_parse_memory(self, parse_memory: u64) -> Self {
        Self {
            parse_memory,
            ..self
        }
    }

    /// The most tokens of a chunk, with everything.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// The most tokens that a chunk repeats of the one before it.
    pub fn overlap(&self) -> usize {
        self.overlap
    }

    /// Where chunks end.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Every file is parsed that can be: who wrote it does not matter here.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            all: true,
            memory: self.parse_memory,
            ..Limits::default()
        }
    }

    /// What is left for the context and what is new.
    pub(crate) fn room(&self) -> usize {
        self.tokens - self.overlap
    }
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self {
            tokens: Self::TOKENS,
            overlap: Self::OVERLAP,
            strategy: Strategy::Semantic,
            parse_memory: Limits::default().memory,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked() {
        let new = |tokens, overlap| ChunkOptions::new(Strategy::Fixed, tokens, overlap);
        assert_eq!(new(8_000, None).map(|made| made.overlap()), Ok(256));
        assert_eq!(new(512, None).map(|made| made.overlap()), Ok(32));
        let symbols = ChunkOptions::new(Strategy::Symbol, 8_000, None);
        assert_eq!(symbols.map(|made| made.overlap()), Ok(0));
        assert_eq!(new(16, None).map(|made| made.overlap()), Ok(0));
        assert_eq!(new(100, Some(84)).map(|made| made.room()), Ok(16));
        let message = |result: Result<_, ChunkOptionsError>| result.unwrap_err().to_string();
        assert_eq!(
            message(new(0, None)),
            "chunks of 0 tokens; expected at least 16"
        );
        assert_eq!(
            message(new(100, Some(100))),
            "an overlap of 100 tokens in chunks of 100; expected at most 84"
        );
    }
}
