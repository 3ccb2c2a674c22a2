//! The vocabularies that can be counted exactly, their names, and what can be
//! asked of them.

use loom_base::Counter;

use crate::encode::{self, DecodeError};
use crate::model::{CL100K, Model, O200K, P50K, R50K};
use crate::{count, piece};

/// A public vocabulary.
///
/// All threads share what is remembered of the pieces of text seen so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// `o200k_base`: GPT-4o and later.
    O200kBase,
    /// `o200k_harmony`: gpt-oss. Ordinary text has the tokens of `o200k_base`.
    O200kHarmony,
    /// `cl100k_base`: GPT-3.5 and GPT-4.
    Cl100kBase,
    /// `p50k_base`: Codex, `text-davinci-002` and `-003`.
    P50kBase,
    /// `r50k_base`, also named `gpt2`: GPT-2 and GPT-3.
    R50kBase,
}

impl Vocabulary {
    /// Every vocabulary, in the order that lists show them.
    pub const ALL: &[Self] = &[
        Self::O200kBase,
        Self::O200kHarmony,
        Self::Cl100kBase,
        Self::P50kBase,
        Self::R50kBase,
    ];

    /// The name that OpenAI's own tokenizer uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::R50kBase => "r50k_base",
        }
    }

    /// The vocabulary of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "gpt2" { "r50k_base" } else { name };
        Self::ALL
            .iter()
            .copied()
            .find(|vocabulary| vocabulary.name() == name)
    }

    /// The number of tokens in `text`.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// assert_eq!(Vocabulary::Cl100kBase.count("hello world"), 2);
    /// // What looks like a special token is ordinary text.
    /// assert_eq!(Vocabulary::Cl100kBase.count("<|endoftext|>"), 7);
    /// ```
    pub fn count(self, text: &str) -> usize {
        let most = usize::MAX;
        count::tokens(self.model(), text.as_bytes(), most).unwrap_or(most)
    }

    /// The number of tokens in `text` if it is at most `limit`. A longer text is
    /// read only about as far as the limit reaches.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// let vocabulary = Vocabulary::O200kBase;
    /// assert_eq!(vocabulary.count_until("one two three", 3), Some(3));
    /// assert_eq!(vocabulary.count_until("one two three", 2), None);
    /// ```
    pub fn count_until(self, text: &str, limit: usize) -> Option<usize> {
        let model = self.model();
        // A text cannot have fewer tokens than its longest tokens would make.
        if text.len() / model.merges.longest > limit {
            return None;
        }
        count::tokens(model, text.as_bytes(), limit)
    }

    /// The number of tokens in bytes that need not be UTF-8.
    ///
    /// The rule: each longest stretch of valid UTF-8 is counted as a text of its
    /// own, and each longest stretch of bytes that belong to no valid character
    /// is one piece. For valid UTF-8 that is the count of the text.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// // "abc", two stray bytes, " def".
    /// assert_eq!(Vocabulary::O200kBase.count_bytes(b"abc\xff\xfe def"), 4);
    /// ```
    pub fn count_bytes(self, bytes: &[u8]) -> usize {
        if let Ok(text) = str::from_utf8(bytes) {
            return self.count(text);
        }
        let (mut tokens, mut stray) = (0, Vec::new());
        for chunk in bytes.utf8_chunks() {
            if !chunk.valid().is_empty() {
                tokens += self.count_stray(&mut stray) + self.count(chunk.valid());
            }
            stray.extend_from_slice(chunk.invalid());
        }
        tokens + self.count_stray(&mut stray)
    }

    /// The number of pieces in `text`, which is what splitting alone costs; for
    /// benchmarks.
    #[doc(hidden)]
    pub fn count_pieces(self, text: &str) -> usize {
        count::pieces(self.model(), text.as_bytes())
    }

    /// The token ids of `text`.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// assert_eq!(Vocabulary::R50kBase.encode("hello world"), [31373, 995]);
    /// ```
    pub fn encode(self, text: &str) -> Vec<u32> {
        encode::encode(self.model(), text.as_bytes())
    }

    /// The bytes of a row of tokens. Rows that [`encode`](Self::encode) made, and
    /// their concatenations, give back the text; a part of such a row may begin
    /// or end inside a character.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// let vocabulary = Vocabulary::R50kBase;
    /// assert_eq!(vocabulary.decode(&[31373, 995])?, b"hello world");
    /// assert!(vocabulary.decode(&[50_257]).is_err());
    /// # Ok::<(), loom_tokens::DecodeError>(())
    /// ```
    pub fn decode(self, tokens: &[u32]) -> Result<Vec<u8>, DecodeError> {
        encode::decode(self.model(), tokens).map_err(|token| DecodeError::UnknownToken {
            token,
            vocabulary: self.name(),
        })
    }

    fn count_stray(self, stray: &mut Vec<u8>) -> usize {
        if stray.is_empty() {
            return 0;
        }
        let tokens = piece::count(self.model(), stray);
        stray.clear();
        tokens
    }

    fn model(self) -> &'static Model {
        match self {
            Self::O200kBase | Self::O200kHarmony => &O200K,
            Self::Cl100kBase => &CL100K,
            Self::P50kBase => &P50K,
            Self::R50kBase => &R50K,
        }
    }
}

impl Counter for Vocabulary {
    fn count(&self, text: &str) -> usize {
        (*self).count(text)
    }
}
