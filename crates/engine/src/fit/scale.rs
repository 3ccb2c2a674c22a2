//! The exact size of an output before it is written: of its header, of each file, and of the whole.
//! Each file is rendered once; sums are exact without rendering again.

use std::borrow::Cow;

use loom_models::Tally;

use super::rendered::{FileStyle, RenderedFile};
use super::weight::Weight;
use crate::{FileMeta, Overview, Renderer};

/// Any position except the first: formats put separators between files.
const NOT_FIRST: usize = 1;

/// Measures outputs of one format.
#[derive(Clone, Copy)]
pub struct Scale<'r> {
    renderer: &'r dyn Renderer,
    style: FileStyle,
}

impl<'r> Scale<'r> {
    /// Creates a scale for the output of `renderer` in that style.
    pub fn new(renderer: &'r dyn Renderer, style: FileStyle) -> Self {
        Self { renderer, style }
    }

    /// Returns the contribution of `file` with the contents `text` to an output in which it is not
    /// the first.
    pub fn weigh(&self, file: &FileMeta, text: &str) -> Weight {
        self.weigh_at(file, Cow::Borrowed(text), NOT_FIRST)
    }

    /// Returns its contribution to an output in which it is the first.
    pub fn weigh_first(&self, file: &FileMeta, text: Cow<'_, str>) -> Weight {
        self.weigh_at(file, text, 0)
    }

    fn weigh_at(&self, file: &FileMeta, text: Cow<'_, str>, position: usize) -> Weight {
        RenderedFile::render(self.style, self.renderer, file, text, position).weight()
    }

    /// Returns the size of an output whose files have `weights` if they are not the first; `first`
    /// is the weight of the first one in its position, if known.
    pub fn output<'w>(
        &self,
        overview: &Overview,
        mut first: Option<Weight>,
        weights: impl IntoIterator<Item = &'w Weight>,
    ) -> Weight {
        let mut text = String::new();
        self.renderer.head(overview, &mut text);
        let mut whole = Weight {
            tally: Tally::from_text(self.style.tokenizer, &text),
            bytes: text.len(),
        };
        for weight in weights {
            whole.append(first.take().unwrap_or_else(|| weight.clone()));
        }
        let mut tail = String::new();
        self.renderer.tail(&mut tail);
        whole.push(&tail);
        whole
    }
}

impl std::fmt::Debug for Scale<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scale")
            .field("style", &self.style)
            .finish_non_exhaustive()
    }
}
