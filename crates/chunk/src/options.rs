//! Options of cutting: the size of chunks, their overlap, and the strategy for their ends.

use loom_syntax::Limits;

/// Strategy that decides the ends of chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Cuts at functions, types and sections; a unit that fits is not cut.
    #[default]
    Semantic,
    /// Cuts at lines, regardless of their contents.
    Fixed,
    /// Puts each function, and each type without functions, in its own chunk.
    Symbol,
}

impl Strategy {
    /// Parses the name that users write.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "semantic" => Some(Self::Semantic),
            "fixed" => Some(Self::Fixed),
            "symbol" => Some(Self::Symbol),
            _ => None,
        }
    }
}

/// Options of cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkOptions {
    tokens: usize,
    overlap: usize,
    strategy: Strategy,
    parse_memory: u64,
}

/// Error: the sizes do not allow any chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkOptionsError {
    /// A chunk would be too small for a word and its context.
    #[error("chunks of {tokens} tokens; expected at least {least}")]
    Tokens {
        /// Requested size in tokens.
        tokens: usize,
        /// Minimum size in tokens.
        least: usize,
    },
    /// A chunk would contain almost no new text.
    #[error("an overlap of {overlap} tokens in chunks of {tokens}; expected at most {most}")]
    Overlap {
        /// Requested overlap in tokens.
        overlap: usize,
        /// Size of a chunk in tokens.
        tokens: usize,
        /// Maximum overlap in tokens.
        most: usize,
    },
}

impl ChunkOptions {
    /// Default size of a chunk in tokens.
    pub const TOKENS: usize = 8_000;

    /// Minimum number of tokens of a chunk without its overlap: a character can have six tokens,
    /// and the context before the text takes a quarter.
    pub const LEAST: usize = 16;

    /// Maximum of the default overlap.
    const OVERLAP: usize = 256;

    /// Creates options for chunks of at most `tokens` tokens. The default of `overlap` is a
    /// sixteenth of that, at most 256, and 0 for [`Strategy::Symbol`].
    ///
    /// # Errors
    /// Returns an error if chunks would be too small.
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

    /// Returns the maximum number of tokens of a chunk, including context and overlap.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Returns the maximum number of tokens that a chunk repeats of the one before it.
    pub fn overlap(&self) -> usize {
        self.overlap
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Returns limits that also allow generated and minified files: chunks cover them too.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            all: true,
            memory: self.parse_memory,
            ..Limits::default()
        }
    }

    /// Returns the number of tokens for the context and new text.
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
    fn invalid_sizes_are_rejected() {
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
