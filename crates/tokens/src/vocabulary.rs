//! The vocabularies that can be counted exactly, and their names.

use loom_base::Counter;

/// A public vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// `o200k_base`: GPT-4o and later.
    O200kBase,
    /// `cl100k_base`: GPT-3.5 and GPT-4.
    Cl100kBase,
}

impl Vocabulary {
    /// Every vocabulary, in the order that lists show them.
    pub const ALL: &[Self] = &[Self::O200kBase, Self::Cl100kBase];

    /// The name that OpenAI's own tokenizer uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    /// The vocabulary of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|vocabulary| vocabulary.name() == name)
    }

    /// The number of tokens in `text`.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::O200kBase => bpe_openai::o200k_base().count(text),
            Self::Cl100kBase => bpe_openai::cl100k_base().count(text),
        }
    }
}

impl Counter for Vocabulary {
    fn count(&self, text: &str) -> usize {
        (*self).count(text)
    }
}
