//! One file as it stands in the output, with its exact size.

use std::borrow::Cow;

use loom_engine::{FileMeta, Framed, Renderer, numbered};
use loom_models::{Tally, Tokenizer};

use crate::PackOptions;

/// A rendered file.
pub(crate) struct Piece<'t> {
    framed: Framed<'t>,
    pub(crate) tally: Tally,
}

impl<'t> Piece<'t> {
    /// Renders `text`, the contents of `file`. `position` counts from 0.
    pub(crate) fn render(
        options: &PackOptions,
        renderer: &dyn Renderer,
        file: &FileMeta,
        text: Cow<'t, str>,
        position: usize,
    ) -> Self {
        let tokenizer = options.model.tokenizer;
        let is_as_counted = !options.line_numbers && file.marks.is_none();
        let shown = match options.line_numbers {
            true => Cow::Owned(numbered(&text, |line| file.number_of(line))),
            false => text,
        };
        let shown = file.with_marks(shown);
        let Framed {
            before,
            text,
            after,
        } = renderer.file(file, &shown, position);
        let mut tally = Tally::of(tokenizer, &before);
        let text = match text {
            Cow::Borrowed(text) if is_as_counted => {
                tally.append(Tally::of_counted(tokenizer, text, file.tokens));
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

    /// No text at all.
    pub(crate) fn nothing(tokenizer: Tokenizer) -> Self {
        let framed = Framed {
            before: String::new(),
            text: Cow::Borrowed(""),
            after: String::new(),
        };
        let tally = Tally::new(tokenizer);
        Self { framed, tally }
    }

    /// Its parts, to be written one after the other.
    pub(crate) fn parts(&self) -> [&str; 3] {
        [&self.framed.before, &self.framed.text, &self.framed.after]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }

    pub(crate) fn weight(self) -> Weight {
        Weight {
            bytes: self.bytes(),
            tally: self.tally,
        }
    }
}

/// The size of a part of the output, to be added up exactly.
#[derive(Clone, Debug)]
pub(crate) struct Weight {
    pub(crate) tally: Tally,
    pub(crate) bytes: usize,
}

impl Weight {
    pub(crate) fn append(&mut self, next: Self) {
        self.bytes += next.bytes;
        self.tally.append(next.tally);
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.bytes += text.len();
        self.tally.push(text);
    }
}
