//! One model, with all that is known about it.

use loom_tokens::Tokenizer;

use crate::{CacheRule, Limits, Prices};

/// A model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name as the vendor writes it, without a date.
    pub name: String,
    /// Who makes it; empty if unknown.
    pub vendor: String,
    /// How it counts.
    pub tokenizer: Tokenizer,
    /// How much it takes and gives.
    pub limits: Limits,
    /// What it costs at the vendor's; none for open models, where each host asks
    /// its own.
    pub prices: Prices,
    /// How the vendor keeps prompts, if it does.
    pub cache: Option<CacheRule>,
    /// What it reads.
    pub modalities: Vec<Modality>,
    /// The day on which the vendor takes it away, `YYYY-MM-DD`.
    pub deprecated: Option<String>,
    /// Where all that is from; empty if it is what the user says.
    pub sources: Vec<Source>,
}

impl Model {
    /// Whether it is no model but a vocabulary, which can be named in place of one.
    pub fn is_vocabulary(&self) -> bool {
        self.vendor.is_empty() && self.tokenizer.is_exact() && self.tokenizer.name() == self.name
    }
}

/// What a model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Modality {
    /// Text.
    Text,
    /// Pictures.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// PDF files.
    Pdf,
}

impl Modality {
    const ALL: [Self; 5] = [Self::Text, Self::Image, Self::Audio, Self::Video, Self::Pdf];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Pdf => "pdf",
        }
    }

    /// The modality of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|modality| modality.name() == name)
    }
}

/// Where facts are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it is about: `limits and prices`, `tokenizer`, `cache`.
    pub facts: &'static str,
    /// The day on which it was read, `YYYY-MM-DD`.
    pub date: String,
    /// What it is.
    pub title: String,
}
