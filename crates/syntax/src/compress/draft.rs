//! A text at several levels that was read once: an estimate of what each level leaves,
//! which is checked when one is chosen.

use super::{Compressed, Compression, Level, compress};
use crate::{Language, Limits};

/// What a level leaves of a text, before it is known whether the grammar reads it.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(super) compressed: Compressed,
    pub(super) how: Compression,
    pub(super) check: Check,
}

/// What is still to be done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// Nothing.
    Done,
    /// The result is to be parsed, in that dialect.
    #[cfg(feature = "grammars")]
    Parse(&'static str),
    /// The symbols before and after are to be compared.
    #[cfg(feature = "grammars")]
    Anew,
}

impl Draft {
    /// The level that was asked for.
    pub fn level(&self) -> Level {
        self.how.level
    }

    /// What is left, with marks.
    pub fn text(&self) -> &str {
        &self.compressed.text
    }

    /// The same as [`compress`] gives for `text`, which the draft is of.
    pub fn checked(self, language: Option<Language>, text: &str, limits: &Limits) -> Compressed {
        let is_sound = match self.check {
            Check::Done => true,
            #[cfg(feature = "grammars")]
            Check::Parse(id) => crate::parser::is_clean(id, &self.compressed.text, limits),
            #[cfg(feature = "grammars")]
            Check::Anew => false,
        };
        match is_sound {
            true => self.compressed,
            false => compress(language, text, &self.how, limits),
        }
    }
}

/// The text at several levels, otherwise as `how` says, read once.
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
