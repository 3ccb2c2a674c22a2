//! Vocabularies that a user has as a file, because their licences do not let us
//! ship them. Reading the file is the caller's business.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;

use crate::Vocabulary;
use crate::load::{self, LoadError, Traits};
use crate::memo::Memo;
use crate::model::{Form, Model, Split};

/// How a vocabulary from a file splits text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Llama 3.
    Llama3,
    /// Llama 4.
    Llama4,
}

impl FileKind {
    /// Every kind.
    pub const ALL: &[Self] = &[Self::Llama3, Self::Llama4];

    /// Its name, which is also that of the estimator in its place.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Llama3 => "llama3",
            Self::Llama4 => "llama4",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    fn split(self) -> Split {
        match self {
            Self::Llama3 => Split::Llama3,
            Self::Llama4 => Split::O200k,
        }
    }
}

/// A vocabulary from a file. It stays in memory until the program ends.
#[derive(Clone, Copy)]
pub struct Loaded {
    kind: FileKind,
    model: &'static Model,
}

impl Loaded {
    /// What it was read as.
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    pub(crate) fn model(&self) -> &'static Model {
        self.model
    }
}

impl Vocabulary {
    /// The vocabulary in a file of the `tiktoken` kind: on each line a token in
    /// base64 and its rank. Meta's `tokenizer.model` of Llama 3 and 4 is one.
    ///
    /// # Errors
    /// When the file is something else.
    pub fn from_file(kind: FileKind, file: &[u8]) -> Result<Self, LoadError> {
        let traits = Traits {
            split: kind.split(),
            form: Form::AsIs,
            offset: 0,
        };
        let model = load::model(load::parse(file)?, &traits, Memo::leaked());
        let model = Box::leak(Box::new(model));
        Ok(Self::Loaded(Loaded { kind, model }))
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Loaded").field(&self.kind).finish()
    }
}

impl PartialEq for Loaded {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && ptr::eq(self.model, other.model)
    }
}

impl Eq for Loaded {}

impl Hash for Loaded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.model, state);
    }
}
