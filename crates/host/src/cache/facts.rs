//! Cached facts about a text that do not quote it: its properties, its token count, and whether it
//! contains secrets.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_engine::TextInspection;
use loom_models::{Tokenizer, Vocabulary};
use loom_secrets::TextContext;
use loom_store::ValueKind;
use loom_syntax::Language;

use super::{kind, variant};
use crate::{PackOptions, SecretsOptions};

pub(super) const FACTS: ValueKind = kind("facts");
pub(super) const CLEAN: ValueKind = kind("clean");

/// Properties and token count of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) look: TextInspection,
    pub(crate) counts: Counts,
}

/// The token count of a text, with its range if it is an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) tokens: usize,
    pub(crate) lower: usize,
    pub(crate) upper: usize,
}

impl Counts {
    /// Counts the tokens of a text.
    pub(crate) fn of(text: &str, options: &PackOptions) -> Self {
        let counted = options.model.tokenizer.count(text);
        Self {
            tokens: counted.likely(),
            lower: counted.lower(),
            upper: counted.upper(),
        }
    }
}

impl Facts {
    /// Returns the variant of the facts for a file with this name and this tokenizer. Returns
    /// `None` if they depend on a vocabulary file.
    pub(super) fn variant(path: &RepoPath, tokenizer: Tokenizer) -> Option<i64> {
        // The vocabulary file may change between runs.
        if matches!(tokenizer, Tokenizer::Exact(Vocabulary::Loaded(_))) {
            return None;
        }
        let language = Language::detect(path, "").map_or("", Language::id);
        let is_notebook = path.extension() == Some(b"ipynb");
        let tokenizer = format!("{tokenizer:?}");
        let choices: [&[u8]; 3] = [
            language.as_bytes(),
            tokenizer.as_bytes(),
            &[u8::from(is_notebook)],
        ];
        Some(variant(&choices))
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Writer::new();
        self.look.write(&mut out);
        let Counts {
            tokens,
            lower,
            upper,
        } = self.counts;
        out.size(tokens).size(lower).size(upper);
        out.finish()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let facts = Self {
            look: TextInspection::read(&mut from)?,
            counts: Counts {
                tokens: from.size()?,
                lower: from.size()?,
                upper: from.size()?,
            },
        };
        from.is_at_end().then_some(facts)
    }
}

/// The text of a file that is scanned for secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanTarget {
    /// The whole text.
    File,
    /// The shown text: a notebook without its outputs.
    Shown,
}

/// Returns the variant of the fact that a file with this name contains no secret. Returns `None`
/// with a baseline: its exceptions must not affect other runs.
pub(super) fn clean_variant(
    path: &RepoPath,
    secrets: &SecretsOptions,
    target: ScanTarget,
) -> Option<i64> {
    if secrets.has_baseline() {
        return None;
    }
    let place = format!("{:?}", TextContext::new(&path.display()));
    let least = secrets.least().name();
    let is_cut = path.extension() == Some(b"ipynb") && target == ScanTarget::Shown;
    let choices: [&[u8]; 3] = [place.as_bytes(), least.as_bytes(), &[u8::from(is_cut)]];
    Some(variant(&choices))
}
