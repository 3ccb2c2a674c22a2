//! A pack of texts in memory, for choosing, splitting and writing.

use std::borrow::Cow;

use loom_engine::fit::{
    BudgetFiles, CurrentFile, FilePart, FileStyle, FitFiles, Limit, PartHead, Placed, Scale,
    SplitFiles, Weight,
};
use loom_engine::{FileMeta, Format, Overview, Part, numbered, priority};
use loom_models::Tokenizer;

use crate::repository::{TOKENIZER, meta};

/// The caller cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Texts to fit into an output of one format.
pub(crate) struct Texts {
    pub(crate) texts: Vec<String>,
    pub(crate) metas: Vec<FileMeta>,
    pub(crate) format: Format,
    pub(crate) line_numbers: bool,
    /// Files that no longer exist when they are weighed.
    pub(crate) gone: Vec<usize>,
    /// Bytes of parts that may be kept.
    pub(crate) room: usize,
    /// Number of calls after which the caller cancels.
    pub(crate) stops_after: Option<std::cell::Cell<usize>>,
}

impl Texts {
    pub(crate) fn new(texts: &[(&str, String)], format: Format) -> Self {
        Self {
            texts: texts.iter().map(|(_, text)| text.clone()).collect(),
            metas: texts.iter().map(|(path, text)| meta(path, text)).collect(),
            format,
            line_numbers: false,
            gone: Vec::new(),
            room: usize::MAX,
            stops_after: None,
        }
    }

    fn go_on(&self) -> Result<(), Stopped> {
        let Some(left) = &self.stops_after else {
            return Ok(());
        };
        left.set(left.get().checked_sub(1).ok_or(Stopped)?);
        Ok(())
    }

    fn scale(&self) -> Scale<'static> {
        let style = FileStyle {
            tokenizer: TOKENIZER,
            line_numbers: self.line_numbers,
        };
        Scale::new(self.format.renderer(), style)
    }

    pub(crate) fn text_of<'a>(&'a self, placed: &'a Placed) -> &'a str {
        match &placed.part {
            Some(FilePart {
                text: Some(text), ..
            }) => text,
            Some(part) => &self.texts[placed.file][part.span.clone()],
            None => &self.texts[placed.file],
        }
    }

    pub(crate) fn meta_of<'a>(&'a self, placed: &'a Placed) -> &'a FileMeta {
        let part = placed.part.as_ref();
        part.map_or(&self.metas[placed.file], |part| &part.meta)
    }

    fn overview(&self, placed: &[Placed], part: Option<Part>) -> Overview {
        let metas = placed.iter().map(|one| self.meta_of(one));
        let mut overview = Overview::new("texts", TOKENIZER, metas, Vec::new());
        overview.part = part;
        overview
    }

    /// Renders the output without measuring it.
    pub(crate) fn written(&self, placed: &[Placed], part: Option<Part>) -> String {
        let renderer = self.format.renderer();
        let mut out = String::new();
        renderer.head(&self.overview(placed, part), &mut out);
        for (at, one) in placed.iter().enumerate() {
            let (meta, text) = (self.meta_of(one), self.text_of(one));
            let shown = match self.line_numbers {
                true => Cow::Owned(numbered(text, |line| meta.number_of(line))),
                false => Cow::Borrowed(text),
            };
            renderer.file(meta, &shown, at).push_to(&mut out);
        }
        renderer.tail(&mut out);
        out
    }

    pub(crate) fn size(&self, placed: &[Placed], part: Option<Part>) -> Weight {
        let first = placed.first().map(|one| {
            let text = Cow::Borrowed(self.text_of(one));
            self.scale().weigh_first(self.meta_of(one), text)
        });
        let weights = placed.iter().map(|one| &one.weight);
        self.scale()
            .output(&self.overview(placed, part), first, weights)
    }
}

impl FitFiles for Texts {
    type Error = Stopped;

    fn count(&self) -> usize {
        self.texts.len()
    }

    fn tokenizer(&self) -> Tokenizer {
        TOKENIZER
    }

    fn meta(&self, file: usize) -> &FileMeta {
        &self.metas[file]
    }

    fn current(&self, file: usize) -> Option<CurrentFile<'_>> {
        (!self.gone.contains(&file)).then(|| CurrentFile {
            meta: Cow::Borrowed(&self.metas[file]),
            text: Cow::Borrowed(&self.texts[file]),
        })
    }

    fn weigh(&self, meta: &FileMeta, text: &str) -> Weight {
        self.scale().weigh(meta, text)
    }

    fn weigh_all(
        &mut self,
        files: &[usize],
        found: &mut dyn FnMut(usize, Option<Weight>),
    ) -> Result<(), Stopped> {
        self.go_on()?;
        for &file in files {
            let is_here = !self.gone.contains(&file);
            found(
                file,
                is_here.then(|| self.weigh(&self.metas[file], &self.texts[file])),
            );
        }
        Ok(())
    }
}

impl BudgetFiles for Texts {
    fn tokens(&self) -> usize {
        self.metas.iter().map(|meta| meta.tokens).sum()
    }

    fn order(&self) -> Result<Vec<usize>, Stopped> {
        self.go_on()?;
        let mut order: Vec<usize> = (0..self.count()).collect();
        order.sort_by_cached_key(|&at| (priority(&self.metas[at], usize::MAX, 0.0), at));
        Ok(order)
    }

    fn size_of_all(&self, weights: &[Weight]) -> Result<usize, Stopped> {
        let all = weights.iter().enumerate();
        let all = all.map(|(file, weight)| Placed {
            file,
            part: None,
            weight: weight.clone(),
        });
        self.size_of(&all.collect::<Vec<_>>())
    }

    fn size_of(&self, some: &[Placed]) -> Result<usize, Stopped> {
        self.go_on()?;
        Ok(self.size(some, None).tally.upper())
    }
}

impl SplitFiles for Texts {
    fn restart(&mut self) {}

    fn keeps(&mut self, bytes: usize) -> bool {
        let left = self.room.checked_sub(bytes);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    fn read_part(&self, file: usize, part: &FilePart) -> Option<CurrentFile<'_>> {
        (!self.gone.contains(&file)).then(|| CurrentFile {
            meta: Cow::Owned(part.meta.clone()),
            text: Cow::Borrowed(&self.texts[file][part.span.clone()]),
        })
    }

    fn size_of_part(
        &self,
        head: PartHead,
        files: &[Placed],
        limit: Limit,
    ) -> Result<usize, Stopped> {
        self.go_on()?;
        let part = Part {
            number: head.number,
            total: head.number,
        };
        Ok(limit.size(&self.size(files, Some(part))))
    }
}
