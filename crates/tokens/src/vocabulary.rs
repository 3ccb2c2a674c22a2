//! The vocabularies that can be counted exactly, their names, and what can be
//! asked of them.

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
use crate::model::{Form, Model};
use crate::spm::Part;
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
    /// `qwen_bpe`: Qwen 2, 2.5 and 3. Text is brought into normalisation form C first.
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
    /// Read from a file that the user has.
    Loaded(Loaded),
}

impl Vocabulary {
    /// Every vocabulary that comes with the program, in the order that lists show
    /// them.
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

    /// Its name; for OpenAI's, that of their own tokenizer.
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

    /// The vocabulary of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "gpt2" { "r50k_base" } else { name };
        Self::ALL
            .iter()
            .copied()
            .find(|vocabulary| vocabulary.name() == name)
    }

    /// The vocabulary in a file, which may be
    ///
    /// - of the `tiktoken` kind: on each line a token in base64 and its rank, as Meta's
    ///   `tokenizer.model` of Llama 3 and 4, and Kimi's `tiktoken.model`;
    /// - a SentencePiece model of the BPE type with byte fallback, as the
    ///   `tokenizer.model` of Llama 2 and of Gemma up to 3;
    /// - a `tokenizer.json` of Hugging Face with a BPE model of either way.
    ///
    /// # Errors
    /// When the file is something else, or says something that is not supported.
    pub fn from_file(kind: FileKind, file: &[u8]) -> Result<Self, LoadError> {
        Loaded::read(kind, file).map(Self::Loaded)
    }

    /// How many tokens the vocabulary in a file has, without keeping it; for fuzzing.
    ///
    /// # Errors
    /// As [`from_file`](Self::from_file), but that no kind is expected.
    #[doc(hidden)]
    pub fn check_file(file: &[u8]) -> Result<usize, LoadError> {
        load::check(file)
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
        self.count_part(text, Part::First, usize::MAX)
            .unwrap_or(usize::MAX)
    }

    /// The number of tokens in `text` if it is at most `limit`. A longer text is
    /// counted only about as far as the limit reaches.
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

    /// The number of tokens that `text` adds to a text before it, where the two are
    /// joined at a place that no token crosses.
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
        match self.engine() {
            Engine::Bytes(model) => count::pieces(model, prepared(model, text).as_bytes()),
            Engine::Pieces(spm) => spm.joints.pieces(text).count(),
        }
    }

    /// The token ids of `text`.
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

    /// The bytes of a row of tokens. What [`encode`](Self::encode) made gives back the
    /// text, in the form that the vocabulary brings it into: Qwen's is normalised, and
    /// for those of the SentencePiece kind U+2581 is a space. A part of such a row may
    /// begin or end inside a character.
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
            // Each is the token of its byte.
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

/// The text as the vocabulary wants it.
fn prepared<'a>(model: &Model, text: &'a str) -> Cow<'a, str> {
    match model.form {
        Form::Nfc if !text.is_ascii() && !is_nfc(text) => Cow::Owned(text.nfc().collect()),
        _ => Cow::Borrowed(text),
    }
}

impl Counter for Vocabulary {
    fn count(&self, text: &str) -> usize {
        (*self).count(text)
    }
}
