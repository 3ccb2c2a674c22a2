//! A file in a shorter form: compressed, transformed, or truncated to a number of tokens.

use std::sync::Arc;

use loom_models::Tokenizer;
use loom_syntax::{
    Compressed, Compression, Elided, ElidedKind, Level, Limits, Transform, compress, transform,
};

use crate::excerpt::longest_start;
use crate::file::{FileMeta, Note, describe};
use crate::shortened::Shortened;

/// Method of fitting files into a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fit {
    /// Skips the least important files.
    #[default]
    Drop,
    /// Compresses files before it skips any.
    Compress,
}

impl Form {
    /// Returns its name for people; `None` for an unchanged file.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Whole => None,
            Self::Transformed(which) => Some(which.name()),
            Self::Compressed(how) if how.level != Level::None => Some(how.level.name()),
            Self::Compressed(how) if how.remove_comments => Some("without comments"),
            Self::Compressed(_) => Some("minified"),
        }
    }
}

/// The form of a file in a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Unchanged.
    #[default]
    Whole,
    /// Compressed.
    Compressed(Compression),
    /// Transformed by a rule.
    Transformed(Transform),
}

/// Converts files into their forms.
#[derive(Clone, Copy, Debug)]
pub struct Shortener {
    /// Tokenizer that counts.
    pub tokenizer: Tokenizer,
    /// Limits of each parse.
    pub limits: Limits,
    /// Files with more tokens are truncated.
    pub max_tokens: Option<usize>,
    /// Compression of files that are too long, before they are truncated; `None` to truncate
    /// immediately.
    pub lowers: Option<Compression>,
}

impl Shortener {
    /// Returns the shortened text with the name of its form; `None` if it is unchanged. `make`
    /// compresses the text.
    pub fn shorten(
        &self,
        meta: &FileMeta,
        text: &str,
        form: Form,
        make: impl FnOnce(&Compression) -> Compressed,
    ) -> Option<(Compressed, &'static str)> {
        let (mut compressed, mut name) = match form {
            Form::Transformed(which) => {
                let compressed = transform(meta.language, text, which, &self.limits);
                (compressed, which.name())
            }
            Form::Compressed(how) => {
                let compressed = make(&how);
                let name = name_of(&how, &compressed);
                match self.saves_tokens(text, &how, &compressed, name) {
                    true => (compressed, name),
                    false => (Compressed::as_it_is(text, how.level), Level::None.name()),
                }
            }
            Form::Whole => self.at_level(meta, text, &Compression::default()),
        };
        if let Some(most) = self.max_tokens {
            let count = |text: &str| self.tokenizer.count(text).upper();
            if let Some(how) = self.lowered(form) {
                let mut level = how.level;
                while count(&compressed.text) > most && level < Level::Extreme {
                    level = next(level);
                    (compressed, name) = self.at_level(meta, text, &Compression { level, ..how });
                }
            }
            if count(&compressed.text) > most {
                compressed = within(compressed, meta, text, |text| count(text) <= most);
                // There is no room even for the marker: the note reports the elision.
                if count(&compressed.text) > most {
                    compressed = compressed.emptied(text.lines().count());
                }
                name = if name == "none" { "cut" } else { name };
            }
        }
        let is_same = form == Form::Whole && compressed.text == text;
        (!is_same).then_some((compressed, name))
    }

    /// Returns the compression whose level is raised until a file is short enough.
    fn lowered(&self, form: Form) -> Option<Compression> {
        let usual = self.lowers?;
        match form {
            Form::Whole => Some(usual),
            Form::Compressed(how) => Some(how),
            Form::Transformed(_) => None,
        }
    }

    /// Describes a file in the form that `shorten` returned.
    pub fn describe(
        &self,
        meta: &mut FileMeta,
        text: &str,
        compressed: &Compressed,
        name: &'static str,
    ) {
        let how = Shortened::new(name, meta.tokens, meta.lines, compressed);
        let is_shorter = compressed.text != text;
        let path = meta.path.clone();
        let new = describe(path, &compressed.text, meta.hash, self.tokenizer);
        meta.lines = new.lines;
        meta.bytes = new.bytes;
        meta.tokens = new.tokens;
        meta.lower = new.lower;
        meta.upper = new.upper;
        if is_shorter {
            meta.notes.push(note_of(name, &how.elided));
        }
        meta.shortened = Some(Arc::new(how));
    }

    /// Returns true if a level saves more tokens than its note needs. Removing comments and white
    /// space always counts, because the user requests it by a separate switch.
    fn saves_tokens(
        &self,
        text: &str,
        how: &Compression,
        compressed: &Compressed,
        name: &'static str,
    ) -> bool {
        let is_asked = how.remove_comments || how.minify_whitespace;
        if is_asked || compressed.text == text {
            return true;
        }
        let count = |text: &str| self.tokenizer.count(text).upper();
        let note = note_of(name, &compressed.elided);
        // The separator from other notes is about one token.
        let takes = count(&compressed.text) + count(&note.to_string()) + 1;
        takes < count(text)
    }

    fn at_level(
        &self,
        meta: &FileMeta,
        text: &str,
        how: &Compression,
    ) -> (Compressed, &'static str) {
        let compressed = compress(meta.language, text, how, &self.limits);
        let name = name_of(how, &compressed);
        (compressed, name)
    }
}

fn name_of(how: &Compression, compressed: &Compressed) -> &'static str {
    match compressed.level {
        Level::None if how.remove_comments => "without comments",
        Level::None if how.minify_whitespace => "minified",
        level => level.name(),
    }
}

fn next(level: Level) -> Level {
    let mut levels = Level::ALL.into_iter();
    levels.find(|one| *one > level).unwrap_or(Level::Extreme)
}

/// Truncates a text to the first lines that fit, with a marker for the rest.
fn within(
    compressed: Compressed,
    meta: &FileMeta,
    text: &str,
    mut fits: impl FnMut(&str) -> bool,
) -> Compressed {
    let total = text.lines().count();
    // Markers differ only in their number of lines.
    let mark = compressed.clone().cut(meta.language, 0, total).text;
    let with_mark = |start: &str| fits(&format!("{start}{mark}"));
    let end = longest_start(&compressed.text, with_mark).unwrap_or(0);
    let shown = compressed.text[..end].lines().count();
    compressed.cut(meta.language, shown, total)
}

/// Returns the note about the elided parts.
fn note_of(form: &'static str, elided: &[Elided]) -> Note {
    let lines = elided.iter().map(|part| part.marked).sum();
    match elided {
        [only] if only.what == ElidedKind::Parts && lines > 0 => {
            Note::ShortenedLines { form, lines }
        }
        _ => Note::Shortened { form, lines },
    }
}
