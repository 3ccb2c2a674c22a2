//! What can be wrong with a vocabulary file.

/// A vocabulary file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It is of none of the kinds that are read.
    #[error(
        "expected tokens in base64 with their ranks (tiktoken), a SentencePiece model, \
         or a tokenizer.json of Hugging Face"
    )]
    Unknown,
    /// A line is not a token and a rank.
    #[error("line {line}: expected a token in base64 and its rank")]
    Line {
        /// Its number, from 1.
        line: usize,
    },
    /// There are too many tokens, or ranks are too high.
    #[error("line {line}: expected a rank below {limit}")]
    Rank {
        /// Its number, from 1.
        line: usize,
        /// Ranks are below it.
        limit: u32,
    },
    /// A rank or a token is there twice.
    #[error("line {line}: the token or its rank is there twice")]
    Twice {
        /// Its number, from 1.
        line: usize,
    },
    /// Not every byte is a token.
    #[error("the byte 0x{byte:02x} is no token")]
    Byte {
        /// The first that is missing.
        byte: u8,
    },
    /// It is a SentencePiece model, but cut short or damaged.
    #[error("the SentencePiece model is damaged")]
    Damaged,
    /// It is no JSON of a tokenizer.
    #[error("no tokenizer.json: {reason}")]
    Json {
        /// What is wrong, and where.
        reason: String,
    },
    /// Something in it is not supported.
    #[error("{what} {found:?} is not supported; expected {expected}")]
    Unsupported {
        /// What it is: `the model type`, `the normalizer`.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What is supported.
        expected: &'static str,
    },
    /// It lists tokens and ranks, but not how text is split, and the model does not say.
    #[error("it has tokens and ranks (tiktoken) but not how text is split; expected {expected}")]
    NoSplit {
        /// What is expected.
        expected: &'static str,
    },
    /// A merge is of tokens that do not exist.
    #[error("the merge {merge} is of tokens that are not in the vocabulary")]
    Merge {
        /// Its place in the list, from 1.
        merge: usize,
    },
    /// It has more tokens than any vocabulary that is known.
    #[error("{found} tokens; expected at most {limit}")]
    Many {
        /// How many it has.
        found: usize,
        /// How many it may have.
        limit: usize,
    },
    /// Its tokens are longer than those of any vocabulary that is known.
    #[error(
        "tokens are too long; expected at most {} bytes each, and few of that length",
        crate::load::MOST_BYTES
    )]
    Long,
    /// A token goes on from a word into white space, so that counts of parts would
    /// not add up.
    #[error(
        "the token {token:?} joins a word and the white space behind it, which is not supported"
    )]
    Joining {
        /// The first such token.
        token: String,
    },
}

impl LoadError {
    /// Something that is not supported; what the file says is cut to a line.
    pub(crate) fn unsupported(
        what: &'static str,
        found: impl Into<String>,
        expected: &'static str,
    ) -> Self {
        const MOST: usize = 120;
        let mut found: String = found.into();
        if found.len() > MOST {
            found.truncate(found.floor_char_boundary(MOST));
            found.push('…');
        }
        Self::Unsupported {
            what,
            found,
            expected,
        }
    }
}
