//! Errors of vocabulary files.

/// Error: a vocabulary file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The format is unknown.
    #[error(
        "expected tokens in base64 with their ranks (tiktoken), a SentencePiece model, \
         or a tokenizer.json of Hugging Face"
    )]
    Unknown,
    /// A line is not a token and a rank.
    #[error("line {line}: expected a token in base64 and its rank")]
    Line {
        /// Line number, from 1.
        line: usize,
    },
    /// There are too many tokens, or ranks are too high.
    #[error("line {line}: expected a rank below {limit}")]
    Rank {
        /// Line number, from 1.
        line: usize,
        /// Upper bound of ranks, exclusive.
        limit: u32,
    },
    /// A rank or a token occurs twice.
    #[error("line {line}: the token or its rank is there twice")]
    Twice {
        /// Line number, from 1.
        line: usize,
    },
    /// Not every byte is a token.
    #[error("the byte 0x{byte:02x} is no token")]
    Byte {
        /// First missing byte.
        byte: u8,
    },
    /// The file is a SentencePiece model, but truncated or damaged.
    #[error("the SentencePiece model is damaged")]
    Damaged,
    /// The file is not the JSON of a tokenizer.
    #[error("no tokenizer.json: {reason}")]
    Json {
        /// Cause and location of the error.
        reason: String,
    },
    /// The file uses an unsupported feature.
    #[error("{what} {found:?} is not supported; expected {expected}")]
    Unsupported {
        /// Feature: `the model type`, `the normalizer`.
        what: &'static str,
        /// Value in the file.
        found: String,
        /// Supported values.
        expected: &'static str,
    },
    /// The file lists tokens and ranks, but not how text is split, and the model does not define
    /// it.
    #[error("it has tokens and ranks (tiktoken) but not how text is split; expected {expected}")]
    NoSplit {
        /// Supported values.
        expected: &'static str,
    },
    /// A merge names tokens that do not exist.
    #[error("the merge {merge} is of tokens that are not in the vocabulary")]
    Merge {
        /// Number of the merge, from 1.
        merge: usize,
    },
    /// The file has more tokens than any known vocabulary.
    #[error("{found} tokens; expected at most {limit}")]
    Many {
        /// Number of tokens.
        found: usize,
        /// Maximum number of tokens.
        limit: usize,
    },
    /// The tokens are longer than those of any known vocabulary.
    #[error(
        "tokens are too long; expected at most {} bytes each, and few of that length",
        crate::load::MOST_BYTES
    )]
    Long,
    /// A token continues from a word into white space, so that counts of parts would not add up.
    #[error(
        "the token {token:?} joins a word and the white space behind it, which is not supported"
    )]
    Joining {
        /// First such token.
        token: String,
    },
}

impl LoadError {
    /// Creates an error for an unsupported feature; a long value from the file is truncated to one
    /// line.
    pub(crate) fn unsupported(
        what: &'static str,
        found: impl Into<String>,
        expected: &'static str,
    ) -> Self {
        // A damaged file can have a value of megabytes, and a message has one line.
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
