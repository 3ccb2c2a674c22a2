//! A model with all known facts.

use loom_tokens::Tokenizer;

use crate::{CacheRule, Limits, Prices};

/// Model with its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Name from the vendor, without a date.
    pub name: String,
    /// Vendor; empty if unknown.
    pub vendor: String,
    /// Tokenizer.
    pub tokenizer: Tokenizer,
    /// Limits in tokens.
    pub limits: Limits,
    /// Prices of the vendor. Empty for open models, because each host sets its own.
    pub prices: Prices,
    /// Prompt caching of the vendor, if there is any.
    pub cache: Option<CacheRule>,
    /// Input modalities.
    pub modalities: Vec<Modality>,
    /// Day on which the vendor retires the model, `YYYY-MM-DD`.
    pub deprecated: Option<String>,
    /// Sources of the facts; empty for a description from the user.
    pub sources: Vec<Source>,
}

impl Model {
    /// Returns whether this is a vocabulary that can be named instead of a model.
    pub fn is_vocabulary(&self) -> bool {
        self.vendor.is_empty() && self.tokenizer.is_exact() && self.tokenizer.name() == self.name
    }
}

/// Kind of input that a model accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Modality {
    /// Text.
    Text,
    /// Images.
    Image,
    /// Audio.
    Audio,
    /// Video.
    Video,
    /// PDF files.
    Pdf,
}

impl Modality {
    const ALL: [Self; 5] = [Self::Text, Self::Image, Self::Audio, Self::Video, Self::Pdf];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Pdf => "pdf",
        }
    }

    /// Returns the modality with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|modality| modality.name() == name)
    }
}

/// Source of facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The facts that come from it: `limits and prices`, `tokenizer`, `cache`.
    pub facts: &'static str,
    /// Day on which it was read, `YYYY-MM-DD`.
    pub date: String,
    /// Title of the source.
    pub title: String,
}
