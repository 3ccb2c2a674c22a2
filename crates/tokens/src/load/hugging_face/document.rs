//! The JSON of a `tokenizer.json`, limited to the supported parts. Lists have bounds, so that no
//! file takes much more memory than its size.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::load::error::LoadError;

/// More than twice as many tokens as the largest known vocabulary has.
const MOST_TOKENS: usize = 1 << 19;
/// Limit of merges; Gemma has 580,604.
const MOST_MERGES: usize = 1 << 20;
/// Limit of the bytes that describe the steps before the model; known files have less than a
/// thousand.
const MOST_STEPS: usize = 1 << 16;
/// Limit of added tokens; Gemma 3 has 6,415.
const MOST_ADDED: usize = 1 << 16;

/// Steps around the model.
#[derive(Deserialize)]
pub(crate) struct Head<'a> {
    model: ModelType,
    #[serde(default, borrow)]
    normalizer: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pre_tokenizer: Option<&'a RawValue>,
    #[serde(default)]
    pub(crate) added_tokens: Few<Added, MOST_ADDED>,
}

#[derive(Deserialize)]
struct ModelType {
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

/// Token in addition to those of the model.
#[derive(Deserialize)]
pub(crate) struct Added {
    pub(crate) id: u32,
    pub(crate) content: String,
    #[serde(default)]
    special: bool,
    #[serde(default)]
    pub(crate) normalized: bool,
    #[serde(default)]
    pub(crate) lstrip: bool,
    #[serde(default)]
    pub(crate) rstrip: bool,
    #[serde(default)]
    pub(crate) single_word: bool,
}

impl<'a> Head<'a> {
    pub(crate) fn parse(file: &'a [u8]) -> Result<Self, LoadError> {
        serde_json::from_slice(file).map_err(|error| problem(&error))
    }

    /// Checks the model type. Old files do not contain it; the ones that can be read have this
    /// type.
    pub(crate) fn check_type(&self) -> Result<(), LoadError> {
        match self.model.kind.as_deref() {
            Some("BPE") | None => Ok(()),
            Some(other) => Err(LoadError::unsupported("the model type", other, "BPE")),
        }
    }

    /// Parses the step that normalises a text.
    pub(crate) fn normalizer(&self) -> Result<Value, LoadError> {
        step("the normalizer", self.normalizer)
    }

    /// Parses the step that splits a text.
    pub(crate) fn pre_tokenizer(&self) -> Result<Value, LoadError> {
        step("the pre-tokenizer", self.pre_tokenizer)
    }

    /// Returns the added tokens that are not special.
    pub(crate) fn added(&self) -> impl Iterator<Item = &Added> {
        self.added_tokens.0.iter().filter(|added| !added.special)
    }
}

/// Model of the file.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(crate) struct Bpe<'a> {
    #[serde(borrow)]
    pub(crate) vocab: Vocab<'a>,
    pub(crate) merges: Few<Merge<'a>, MOST_MERGES>,
    #[serde(default)]
    pub(crate) byte_fallback: bool,
    #[serde(default)]
    pub(crate) ignore_merges: bool,
    #[serde(default)]
    dropout: Option<f32>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    end_of_word_suffix: Option<String>,
}

#[derive(Deserialize)]
struct Whole<'a> {
    #[serde(borrow)]
    model: Bpe<'a>,
}

impl<'a> Bpe<'a> {
    pub(crate) fn parse(file: &'a [u8]) -> Result<Self, LoadError> {
        let whole: Whole<'a> = serde_json::from_slice(file).map_err(|error| problem(&error))?;
        Ok(whole.model)
    }

    pub(crate) fn check(&self) -> Result<(), LoadError> {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        if let Some(prefix) = filled(&self.continuing_subword_prefix) {
            return Err(LoadError::unsupported(
                "continuing_subword_prefix",
                prefix,
                "none",
            ));
        }
        if let Some(suffix) = filled(&self.end_of_word_suffix) {
            return Err(LoadError::unsupported("end_of_word_suffix", suffix, "none"));
        }
        match self.dropout {
            Some(dropout) if dropout != 0.0 => Err(LoadError::unsupported(
                "dropout",
                dropout.to_string(),
                "none",
            )),
            _ => Ok(()),
        }
    }
}

fn step(what: &'static str, raw: Option<&RawValue>) -> Result<Value, LoadError> {
    let text = raw.map_or("null", RawValue::get);
    if text.len() > MOST_STEPS {
        return Err(LoadError::unsupported(what, text, "one of the known"));
    }
    serde_json::from_str(text).map_err(|error| problem(&error))
}

fn problem(error: &serde_json::Error) -> LoadError {
    LoadError::Json {
        reason: error.to_string(),
    }
}

/// Tokens by their text.
pub(crate) struct Vocab<'a>(HashMap<Cow<'a, str>, u32>);

impl<'a> std::ops::Deref for Vocab<'a> {
    type Target = HashMap<Cow<'a, str>, u32>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Vocab<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tokens<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Tokens<'a> {
            type Value = Vocab<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {MOST_TOKENS} tokens with their ids")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocab<'a>, A::Error> {
                let mut vocab = HashMap::new();
                while let Some((Text(token), id)) = map.next_entry()? {
                    if vocab.len() == MOST_TOKENS {
                        return Err(de::Error::invalid_length(vocab.len() + 1, &self));
                    }
                    vocab.insert(token, id);
                }
                Ok(Vocab(vocab))
            }
        }
        deserializer.deserialize_map(Tokens(PhantomData))
    }
}

/// Text that is borrowed if the file contains it without escapes.
#[derive(Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// Two tokens that merge: `"a b"`, or `["a", "b"]` in newer files.
pub(crate) enum Merge<'a> {
    Pair(Cow<'a, str>, Cow<'a, str>),
    Spaced(Cow<'a, str>),
}

impl Merge<'_> {
    /// Returns the two tokens.
    pub(crate) fn halves(&self) -> Option<(&str, &str)> {
        match self {
            Self::Pair(left, right) => Some((left, right)),
            Self::Spaced(both) => both.split_once(' '),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Merge<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Halves<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Halves<'a> {
            type Value = Merge<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two tokens that merge")
            }

            fn visit_borrowed_str<E>(self, both: &'de str) -> Result<Merge<'a>, E> {
                Ok(Merge::Spaced(Cow::Borrowed(both)))
            }

            fn visit_str<E>(self, both: &str) -> Result<Merge<'a>, E> {
                Ok(Merge::Spaced(Cow::Owned(both.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Merge<'a>, A::Error> {
                let mut next = |at| {
                    let text: Option<Text<'a>> = list.next_element()?;
                    text.ok_or_else(|| de::Error::invalid_length(at, &self))
                };
                let (Text(left), Text(right)) = (next(0)?, next(1)?);
                Ok(Merge::Pair(left, right))
            }
        }
        deserializer.deserialize_any(Halves(PhantomData))
    }
}

/// List of at most `N` items.
pub(crate) struct Few<T, const N: usize>(pub(crate) Vec<T>);

impl<T, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Few<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
            type Value = Few<T, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {N}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Few<T, N>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    if items.len() == N {
                        return Err(de::Error::invalid_length(N + 1, &self));
                    }
                    items.push(item);
                }
                Ok(Few(items))
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}
