//! Vocabularies from a user's file, because their licences do not allow us to ship them. The caller
//! reads the file.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use crate::engine::Engine;
use crate::load::{self, LoadError, Read, Traits};
use crate::memo::Memo;
use crate::model::{Ids, Split, TextForm};

/// Kind of vocabulary that a file is expected to contain. Files of the `tiktoken` kind do not
/// contain their pattern; the kind determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Llama 2 and Code Llama.
    Llama2,
    /// Llama 3.
    Llama3,
    /// Llama 4.
    Llama4,
    /// Gemma up to 3, and Gemini up to 3.0.
    Gemma3,
    /// Kimi K2.
    Kimi,
    /// Command R.
    CommandR,
    /// Any other vocabulary: the file contains everything.
    Other,
}

impl FileKind {
    /// All kinds.
    pub const ALL: &[Self] = &[
        Self::Llama2,
        Self::Llama3,
        Self::Llama4,
        Self::Gemma3,
        Self::Kimi,
        Self::CommandR,
        Self::Other,
    ];

    /// Returns the name, which is also that of the estimator that replaces it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Llama2 => "llama2",
            Self::Llama3 => "llama3",
            Self::Llama4 => "llama4",
            Self::Gemma3 => "gemma3",
            Self::Kimi => "kimi",
            Self::CommandR => "command-r",
            Self::Other => "other",
        }
    }

    /// Returns the name of a loaded vocabulary of this kind.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Llama2 => "llama2 vocabulary file",
            Self::Llama3 => "llama3 vocabulary file",
            Self::Llama4 => "llama4 vocabulary file",
            Self::Gemma3 => "gemma3 vocabulary file",
            Self::Kimi => "kimi vocabulary file",
            Self::CommandR => "command-r vocabulary file",
            Self::Other => "vocabulary file",
        }
    }

    /// Returns the kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Returns the files that contain such a vocabulary, in words.
    pub const fn files(self) -> &'static str {
        match self {
            Self::Llama2 => "tokenizer.model or tokenizer.json of Llama 2",
            Self::Llama3 => "tokenizer.model or tokenizer.json of Llama 3",
            Self::Llama4 => "tokenizer.model or tokenizer.json of Llama 4",
            Self::Gemma3 => "tokenizer.model or tokenizer.json of Gemma 3",
            Self::Kimi => "tiktoken.model of Kimi K2",
            Self::CommandR => "tokenizer.json of Command R",
            Self::Other => "tokenizer.json of the model, if it is BPE",
        }
    }

    /// Returns the pattern, for files that do not contain it.
    fn split(self) -> Option<Split> {
        match self {
            Self::Llama3 => Some(Split::Llama3),
            Self::Llama4 => Some(Split::O200k),
            Self::Kimi => Some(Split::Kimi),
            Self::Llama2 | Self::Gemma3 | Self::CommandR | Self::Other => None,
        }
    }

    /// Returns the expected number of ordinary tokens, as a range and in words, to recognise a file
    /// of another model. Files differ in which tokens they count as special.
    pub fn size(self) -> Option<(RangeInclusive<usize>, &'static str)> {
        match self {
            Self::Llama2 => Some((31_000..=33_000, "about 32,000")),
            Self::Llama3 => Some((127_000..=129_000, "about 128,000")),
            Self::Llama4 => Some((199_000..=202_500, "about 200,000")),
            Self::Gemma3 => Some((254_000..=263_000, "256,000 to 262,144")),
            Self::Kimi => Some((163_000..=164_500, "about 163,600")),
            Self::CommandR => Some((252_000..=257_000, "about 255,000")),
            Self::Other => None,
        }
    }
}

/// Vocabulary from a file. It stays in memory until the program ends.
#[derive(Clone, Copy)]
pub struct Loaded {
    kind: FileKind,
    tokens: usize,
    engine: Engine,
}

impl Loaded {
    pub(crate) fn read(kind: FileKind, file: &[u8]) -> Result<Self, LoadError> {
        let read = load::read(file)?;
        let tokens = read.tokens();
        let engine = match read {
            Read::Pieces(made) => Engine::Pieces(leaked(made.spm(Memo::leaked())?)),
            Read::Whole(tokens, traits) => {
                Engine::Bytes(leaked(load::model(tokens, traits, Memo::leaked())))
            }
            Read::Tokens(tokens) => {
                let split = kind.split().ok_or_else(|| {
                    let expected = kind.files();
                    LoadError::NoSplit { expected }
                })?;
                let traits = Traits {
                    split,
                    form: TextForm::AsIs,
                    ids: Ids::Ranks(0),
                };
                Engine::Bytes(leaked(load::model(tokens, traits, Memo::leaked())))
            }
        };
        Ok(Self {
            kind,
            tokens,
            engine,
        })
    }

    /// Returns the kind that it was loaded as.
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    /// Returns the number of ordinary tokens.
    pub const fn tokens(&self) -> usize {
        self.tokens
    }

    pub(crate) fn engine(self) -> Engine {
        self.engine
    }
}

fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Loaded").field(&self.kind).finish()
    }
}

impl PartialEq for Loaded {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.engine.address() == other.engine.address()
    }
}

impl Eq for Loaded {}

impl Hash for Loaded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.engine.address().hash(state);
    }
}
