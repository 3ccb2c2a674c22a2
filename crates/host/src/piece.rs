//! One file as it stands in the output, with its exact size.

use std::borrow::Cow;

use loom_engine::{FileMeta, Rendered, Renderer, number_lines};
use loom_models::{Tally, Vocabulary};

use crate::PackOptions;

/// A rendered file.
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) tally: Tally,
}

impl Piece {
    /// Renders `text`, the contents of `file`. `position` counts from 0.
    pub(crate) fn render(
        options: &PackOptions,
        renderer: &dyn Renderer,
        file: &FileMeta,
        text: &str,
        position: usize,
    ) -> Self {
        let vocabulary = options.model.vocabulary;
        // Escapes and indentation make some texts longer; what is not used costs nothing.
        let mut out = String::with_capacity(text.len() + text.len() / 4 + 256);
        let shown = if options.line_numbers {
            Cow::Owned(number_lines(text, file.first_line))
        } else {
            Cow::Borrowed(text)
        };
        let shown = file.with_marks(shown);
        let is_as_counted = !options.line_numbers && file.marks.is_none();
        let rendered = renderer.file(file, &shown, position, &mut out);
        let tally = match rendered {
            Rendered::Verbatim(range) if is_as_counted => {
                let mut tally = Tally::of(vocabulary, &out[..range.start]);
                let body = &out[range.clone()];
                tally.append(Tally::of_counted(vocabulary, body, file.tokens));
                tally.push(&out[range.end..]);
                tally
            }
            _ => Tally::of(vocabulary, &out),
        };
        Self { text: out, tally }
    }

    /// No text at all.
    pub(crate) fn nothing(vocabulary: Vocabulary) -> Self {
        Self {
            text: String::new(),
            tally: Tally::new(vocabulary),
        }
    }

    pub(crate) fn weight(self) -> Weight {
        Weight {
            bytes: self.text.len(),
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
