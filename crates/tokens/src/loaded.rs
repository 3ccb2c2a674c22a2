//! Vocabularies that a user has as a file, because their licences do not let us
//! ship them. Reading the file is the caller's business.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use crate::engine::Engine;
use crate::load::{self, LoadError, Read, Traits};
use crate::memo::Memo;
use crate::model::{Form, Ids, Split};

/// Which vocabulary a file is expected to hold. Files of the `tiktoken` kind do not say
/// how they split text; the kind does.
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
    /// Any other: the file says everything itself.
    Other,
}

impl FileKind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Llama2,
        Self::Llama3,
        Self::Llama4,
        Self::Gemma3,
        Self::Kimi,
        Self::CommandR,
        Self::Other,
    ];

    /// Its name, which is also that of the estimator in its place.
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

    /// What a vocabulary of this kind is called once it is read.
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

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The files that hold such a vocabulary, in words.
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

    /// How text is split where the file does not say.
    fn split(self) -> Option<Split> {
        match self {
            Self::Llama3 => Some(Split::Llama3),
            Self::Llama4 => Some(Split::O200k),
            Self::Kimi => Some(Split::Kimi),
            Self::Llama2 | Self::Gemma3 | Self::CommandR | Self::Other => None,
        }
    }

    /// How many ordinary tokens there should be, and the same in words, to tell the
    /// file of another model. Files differ in which tokens they count as special.
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

/// A vocabulary from a file. It stays in memory until the program ends.
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
                    form: Form::AsIs,
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

    /// What it was read as.
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    /// How many ordinary tokens it has.
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
