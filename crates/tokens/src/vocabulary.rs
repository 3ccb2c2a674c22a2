//! The vocabularies for exact counts: their names and operations.

use std::borrow::Cow;

use loom_base::Counter;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::built_in::{
    CL100K, DEEPSEEK_V3, GEMMA4, GLM4, MISTRAL, O200K, P50K, QWEN, R50K, TEKKEN,
};
use crate::encode::{self, DecodeError};
use crate::engine::Engine;
use crate::load::{self, LoadError};
use crate::loaded::{FileKind, Loaded};
use crate::model::{Model, TextForm};
use crate::spm::Part;
use crate::{count, piece};

/// Public vocabulary.
///
/// All threads share a cache of the pieces of text that were counted before.
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
    /// `qwen_bpe`: Qwen 2, 2.5 and 3. Text is converted to normalisation form C first.
    Qwen,
    /// `tekken`: Mistral NeMo and most of Mistral's models since.
    Tekken,
    /// `glm4_bpe`: GLM-4 to 4.7.
    Glm4,
    /// `deepseek_v3_bpe`: DeepSeek V3 and R1.
    DeepSeekV3,
    /// `mistral_spm`: Mistral's models before Tekken. A space is put before a text.
    Mistral,
    /// `gemma4_spm`: Gemma 4, and Gemini 3.1 Pro, 3.1 Flash Lite and 3.5 Flash.
    Gemma4,
    /// Vocabulary from a user's file.
    Loaded(Loaded),
}

impl Vocabulary {
    /// Every vocabulary that comes with the program, in the order of lists.
    pub const ALL: &[Self] = &[
        Self::O200kBase,
        Self::O200kHarmony,
        Self::Cl100kBase,
        Self::P50kBase,
        Self::R50kBase,
        Self::Qwen,
        Self::Tekken,
        Self::Glm4,
        Self::DeepSeekV3,
        Self::Mistral,
        Self::Gemma4,
    ];

    /// Returns the name; OpenAI's vocabularies use the name in OpenAI's own tokenizer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::R50kBase => "r50k_base",
            Self::Qwen => "qwen_bpe",
            Self::Tekken => "tekken",
            Self::Glm4 => "glm4_bpe",
            Self::DeepSeekV3 => "deepseek_v3_bpe",
            Self::Mistral => "mistral_spm",
            Self::Gemma4 => "gemma4_spm",
            Self::Loaded(loaded) => loaded.kind().name(),
        }
    }

    /// Returns the vocabulary with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "gpt2" { "r50k_base" } else { name };
        Self::ALL
            .iter()
            .copied()
            .find(|vocabulary| vocabulary.name() == name)
    }

    /// Loads the vocabulary in a file, which may be
    ///
    /// - of the `tiktoken` kind: on each line a token in base64 and its rank, as Meta's
    ///   `tokenizer.model` of Llama 3 and 4, and Kimi's `tiktoken.model`;
    /// - a SentencePiece model of the BPE type with byte fallback, as the
    ///   `tokenizer.model` of Llama 2 and of Gemma up to 3;
    /// - a `tokenizer.json` of Hugging Face with a BPE model of either way.
    ///
    /// # Errors
    /// Returns an error if the file is of another kind, or uses an unsupported feature.
    pub fn from_file(kind: FileKind, file: &[u8]) -> Result<Self, LoadError> {
        Loaded::read(kind, file).map(Self::Loaded)
    }

    /// Returns the number of tokens of the vocabulary in a file, without keeping it; for fuzzing.
    ///
    /// # Errors
    /// Returns the errors of [`from_file`](Self::from_file), but does not check the kind.
    #[doc(hidden)]
    pub fn check_file(file: &[u8]) -> Result<usize, LoadError> {
        load::check(file)
    }

    /// Counts the tokens in `text`.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// assert_eq!(Vocabulary::Cl100kBase.count("hello world"), 2);
    /// // Text that looks like a special token is ordinary text.
    /// assert_eq!(Vocabulary::Cl100kBase.count("<|endoftext|>"), 7);
    /// ```
    pub fn count(self, text: &str) -> usize {
        self.count_part(text, Part::First, usize::MAX)
            .unwrap_or(usize::MAX)
    }

    /// Counts the tokens in `text` up to `limit`. Counting of a longer text stops shortly after the
    /// limit and returns `None`.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// let vocabulary = Vocabulary::O200kBase;
    /// assert_eq!(vocabulary.count_until("one two three", 3), Some(3));
    /// assert_eq!(vocabulary.count_until("one two three", 2), None);
    /// ```
    pub fn count_until(self, text: &str, limit: usize) -> Option<usize> {
        self.count_part(text, Part::First, limit)
    }

    /// Returns the number of tokens that `text` adds to a text before it, if they are joined at a
    /// position that no token crosses.
    pub(crate) fn count_later(self, text: &str) -> usize {
        self.count_part(text, Part::Later, usize::MAX)
            .unwrap_or(usize::MAX)
    }

    fn count_part(self, text: &str, part: Part, limit: usize) -> Option<usize> {
        let model = match self.engine() {
            Engine::Bytes(model) => model,
            Engine::Pieces(spm) => return spm.count(text, part, limit),
        };
        let text = prepared(model, text);
        // Even the longest tokens would exceed the limit.
        if text.len() / model.merges.longest > limit {
            return None;
        }
        count::tokens(model, text.as_bytes(), limit)
    }

    /// Counts the tokens in bytes that need not be UTF-8.
    ///
    /// The rule: each longest stretch of valid UTF-8 counts as a separate text, and each longest
    /// stretch of invalid bytes is one piece. For valid UTF-8 that is the count of the text.
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

    /// Returns the number of pieces in `text`, which measures the cost of splitting; for
    /// benchmarks.
    #[doc(hidden)]
    pub fn count_pieces(self, text: &str) -> usize {
        match self.engine() {
            Engine::Bytes(model) => count::pieces(model, prepared(model, text).as_bytes()),
            Engine::Pieces(spm) => spm.joints.pieces(text).count(),
        }
    }

    /// Returns the token ids of `text`.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// assert_eq!(Vocabulary::R50kBase.encode("hello world"), [31373, 995]);
    /// ```
    pub fn encode(self, text: &str) -> Vec<u32> {
        match self.engine() {
            Engine::Bytes(model) => encode::encode(model, prepared(model, text).as_bytes()),
            Engine::Pieces(spm) => spm.encode(text),
        }
    }

    /// Returns the bytes of tokens. The tokens of [`encode`](Self::encode) decode to the text in
    /// the vocabulary's normal form: Qwen's is normalised, and SentencePiece vocabularies decode
    /// U+2581 to a space. A part of the tokens may begin or end inside a character.
    ///
    /// ```
    /// # use loom_tokens::Vocabulary;
    /// let vocabulary = Vocabulary::R50kBase;
    /// assert_eq!(vocabulary.decode(&[31373, 995])?, b"hello world");
    /// assert!(vocabulary.decode(&[50_257]).is_err());
    /// # Ok::<(), loom_tokens::DecodeError>(())
    /// ```
    pub fn decode(self, tokens: &[u32]) -> Result<Vec<u8>, DecodeError> {
        let decoded = match self.engine() {
            Engine::Bytes(model) => encode::decode(model, tokens),
            Engine::Pieces(spm) => spm.decode(tokens),
        };
        decoded.map_err(|token| DecodeError::UnknownToken {
            token,
            vocabulary: self.name(),
        })
    }

    fn count_stray(self, stray: &mut Vec<u8>) -> usize {
        if stray.is_empty() {
            return 0;
        }
        let tokens = match self.engine() {
            Engine::Bytes(model) => piece::count(model, stray),
            // Each byte has its own token.
            Engine::Pieces(_) => stray.len(),
        };
        stray.clear();
        tokens
    }

    fn engine(self) -> Engine {
        Engine::Bytes(match self {
            Self::O200kBase | Self::O200kHarmony => &O200K,
            Self::Cl100kBase => &CL100K,
            Self::P50kBase => &P50K,
            Self::R50kBase => &R50K,
            Self::Qwen => &QWEN,
            Self::Tekken => &TEKKEN,
            Self::Glm4 => &GLM4,
            Self::DeepSeekV3 => &DEEPSEEK_V3,
            Self::Mistral => return Engine::Pieces(&MISTRAL),
            Self::Gemma4 => return Engine::Pieces(&GEMMA4),
            Self::Loaded(loaded) => return loaded.engine(),
        })
    }
}

/// Converts the text to the vocabulary's normal form.
fn prepared<'a>(model: &Model, text: &'a str) -> Cow<'a, str> {
    match model.form {
        TextForm::Nfc if !text.is_ascii() && !is_nfc(text) => Cow::Owned(text.nfc().collect()),
        _ => Cow::Borrowed(text),
    }
}

impl Counter for Vocabulary {
    fn count(&self, text: &str) -> usize {
        (*self).count(text)
    }
}
