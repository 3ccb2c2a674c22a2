//! A rendered file with its exact size.

use std::borrow::Cow;

use loom_models::{Tally, Tokenizer};

use super::weight::Weight;
use crate::{FileMeta, Framed, Renderer, numbered};

/// Rendering options of all files in an output.
#[derive(Clone, Copy, Debug)]
pub struct FileStyle {
    /// Tokenizer that counts.
    pub tokenizer: Tokenizer,
    /// True to number the lines.
    pub line_numbers: bool,
}

/// A rendered file.
#[derive(Debug)]
pub struct RenderedFile<'t> {
    framed: Framed<'t>,
    /// Its tokens.
    pub tally: Tally,
}

impl<'t> RenderedFile<'t> {
    /// Renders `text`, the contents of `file`. `position` counts from 0.
    pub fn render(
        style: FileStyle,
        renderer: &dyn Renderer,
        file: &FileMeta,
        text: Cow<'t, str>,
        position: usize,
    ) -> Self {
        let tokenizer = style.tokenizer;
        let is_as_counted = !style.line_numbers && file.marks.is_none();
        let shown = match style.line_numbers {
            true => Cow::Owned(numbered(&text, |line| file.number_of(line))),
            false => text,
        };
        let shown = file.with_marks(shown);
        let Framed {
            before,
            text,
            after,
        } = renderer.file(file, &shown, position);
        let mut tally = Tally::from_text(tokenizer, &before);
        let text = match text {
            Cow::Borrowed(text) if is_as_counted => {
                tally.append(Tally::from_counted(tokenizer, text, file.tokens));
                None
            }
            Cow::Borrowed(text) => {
                tally.push(text);
                None
            }
            Cow::Owned(text) => {
                tally.push(&text);
                Some(Cow::Owned(text))
            }
        };
        tally.push(&after);
        let text = text.unwrap_or(shown);
        let framed = Framed {
            before,
            text,
            after,
        };
        Self { framed, tally }
    }

    /// Returns an empty text.
    pub fn nothing(tokenizer: Tokenizer) -> Self {
        let framed = Framed {
            before: String::new(),
            text: Cow::Borrowed(""),
            after: String::new(),
        };
        let tally = Tally::new(tokenizer);
        Self { framed, tally }
    }

    /// Returns its parts, in the order of output.
    pub fn parts(&self) -> [&str; 3] {
        [&self.framed.before, &self.framed.text, &self.framed.after]
    }

    /// Returns the bytes of its parts.
    pub fn bytes(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }

    /// Returns its size.
    pub fn weight(self) -> Weight {
        Weight {
            bytes: self.bytes(),
            tally: self.tally,
        }
    }
}
