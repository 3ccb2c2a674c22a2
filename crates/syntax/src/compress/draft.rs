//! Unchecked compressions of a text at several levels from a single parse. A draft is checked when
//! its level is chosen.

use super::{Compressed, Compression, Level, compress};
use crate::{Language, Limits};

/// Compressed text at a level, before the grammar has checked it.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(super) compressed: Compressed,
    pub(super) how: Compression,
    pub(super) check: Check,
}

/// Remaining check of a draft.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// No check.
    Done,
    /// Parse the result in that dialect.
    #[cfg(feature = "grammars")]
    Parse(&'static str),
    /// Compress again and compare the symbols before and after.
    #[cfg(feature = "grammars")]
    Again,
}

impl Draft {
    /// Returns the requested level.
    pub fn level(&self) -> Level {
        self.how.level
    }

    /// Returns the compressed text with markers.
    pub fn text(&self) -> &str {
        &self.compressed.text
    }

    /// Checks the draft. Returns the same result as [`compress`] for `text`, the source of the
    /// draft.
    pub fn checked(self, language: Option<Language>, text: &str, limits: &Limits) -> Compressed {
        let is_sound = match self.check {
            Check::Done => true,
            #[cfg(feature = "grammars")]
            Check::Parse(id) => crate::parser::is_clean(id, &self.compressed.text, limits),
            #[cfg(feature = "grammars")]
            Check::Again => false,
        };
        match is_sound {
            true => self.compressed,
            false => compress(language, text, &self.how, limits),
        }
    }
}

/// Compresses the text at several levels, with the other options of `how`, from a single parse.
pub fn drafts(
    language: Option<Language>,
    text: &str,
    how: &Compression,
    levels: &[Level],
    limits: &Limits,
) -> Vec<Draft> {
    let way = |level: &Level| Compression {
        level: *level,
        ..*how
    };
    let ways: Vec<Compression> = levels.iter().map(way).collect();
    #[cfg(feature = "grammars")]
    if let Some(drafts) =
        language.and_then(|language| super::tree::drafts(language.id(), text, &ways, limits))
    {
        return drafts;
    }
    let draft = |how: Compression| Draft {
        compressed: compress(language, text, &how, limits),
        how,
        check: Check::Done,
    };
    ways.into_iter().map(draft).collect()
}
