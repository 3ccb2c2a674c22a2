//! The exact size of an output before it is written: of its head, of each file, and
//! of all of it together. A file is rendered once; sums are exact without rendering
//! again.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_engine::fit::{RenderedFile, Weight};
use loom_engine::{FileMeta, Overview, Renderer};
use loom_models::Tally;
use loom_secrets::Replaced;
use loom_source::Reason;

use crate::load::Again;
use crate::ordered::ordered;
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, Limit, NoProgress, PackError, Packer};

/// Any place but the first: formats put something between files.
const NOT_FIRST: usize = 1;

/// A file with its text in hand.
pub(crate) struct Ready<'a> {
    pub(crate) meta: Cow<'a, FileMeta>,
    pub(crate) text: Cow<'a, str>,
    /// What was taken out of it.
    replaced: Arc<[Replaced]>,
}

impl Packer {
    /// The file as it is now, or why it is no longer there.
    pub(crate) fn ready<'a>(&self, file: &'a Surveyed) -> Result<Ready<'a>, Reason> {
        if let Some(kept) = &file.kept {
            return Ok(Ready {
                meta: Cow::Borrowed(&file.meta),
                text: Cow::Borrowed(kept),
                replaced: Arc::clone(&file.replaced),
            });
        }
        match self.load_again(file)? {
            Again::Same(text) => Ok(Ready {
                meta: Cow::Borrowed(&file.meta),
                text: Cow::Owned(text),
                replaced: Arc::clone(&file.replaced),
            }),
            Again::Changed(loaded) => Ok(Ready {
                meta: Cow::Owned(loaded.meta),
                text: Cow::Owned(loaded.text),
                replaced: loaded.replaced,
            }),
        }
    }

    /// What `file` adds to an output in which it is not the first.
    pub(crate) fn weigh(&self, file: &FileMeta, text: &str) -> Weight {
        match self.renderer() {
            Some(renderer) => RenderedFile::render(
                self.options.file_style(),
                renderer,
                file,
                Cow::Borrowed(text),
                NOT_FIRST,
            )
            .weight(),
            // What a template makes of it shows only in the whole.
            None => Weight {
                tally: Tally::of_counted(self.options.model.tokenizer, text, file.tokens),
                bytes: text.len(),
            },
        }
    }

    /// Weighs many files on all threads, and keeps the text of those that `room` has
    /// place for. A file that is gone has no weight.
    pub(crate) fn weigh_all(
        &self,
        files: &mut [Surveyed],
        which: &[usize],
        room: &mut usize,
        cancel: &Cancel,
        mut found: impl FnMut(usize, Result<Weight, Reason>),
    ) -> Result<(), PackError> {
        let mut fresh: Vec<(usize, FileMeta, String, Arc<[Replaced]>)> = Vec::new();
        let shared = &*files;
        ordered(
            which.len(),
            self.options.thread_count(),
            self.options.memory().ahead(),
            |at| shared[which[at]].meta.bytes,
            |at| {
                let file = &shared[which[at]];
                self.ready(file).map(|ready| {
                    let weight = self.weigh(&ready.meta, &ready.text);
                    let text = file.kept.is_none().then(|| ready.text.into_owned());
                    let text = text.map(|text| (ready.meta.into_owned(), text, ready.replaced));
                    (weight, text)
                })
            },
            |at, result| {
                let index = which[at];
                let weight = result.map(|(weight, text)| {
                    if let Some((meta, text, replaced)) = text {
                        let is_changed = meta.hash != shared[index].meta.hash;
                        if is_changed || text.len() <= *room {
                            *room = room.saturating_sub(text.len());
                            fresh.push((index, meta, text, replaced));
                        }
                    }
                    weight
                });
                found(index, weight);
                match cancel.is_cancelled() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        for (index, meta, text, replaced) in fresh {
            files[index].meta = meta;
            files[index].kept = Some(text);
            files[index].replaced = replaced;
        }
        match cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }

    /// The exact size of the output of `survey`, whose files weigh `weights`.
    pub(crate) fn size(
        &self,
        survey: &Survey,
        weights: &[Weight],
        limit: Limit,
        cancel: &Cancel,
    ) -> Result<usize, PackError> {
        let Some(renderer) = self.renderer() else {
            let written = self.write(survey, &mut io::sink(), &NoProgress, cancel)?;
            return Ok(limit.of(written.tokens.upper(), written.bytes));
        };
        let mut whole = self.head(renderer, &survey.overview);
        for (at, weight) in weights.iter().enumerate() {
            let first = (at == 0).then(|| self.weigh_first(renderer, &survey.files[0]));
            whole.append(first.flatten().unwrap_or_else(|| weight.clone()));
        }
        let mut tail = String::new();
        renderer.tail(&mut tail);
        whole.push(&tail);
        Ok(limit.size(&whole))
    }

    fn weigh_first(&self, renderer: &dyn Renderer, file: &Surveyed) -> Option<Weight> {
        let ready = self.ready(file).ok()?;
        let style = self.options.file_style();
        Some(RenderedFile::render(style, renderer, &ready.meta, ready.text, 0).weight())
    }

    fn head(&self, renderer: &dyn Renderer, overview: &Overview) -> Weight {
        let mut text = String::new();
        renderer.head(overview, &mut text);
        Weight {
            tally: Tally::of(self.options.model.tokenizer, &text),
            bytes: text.len(),
        }
    }

    /// What writes each file by itself; `None` where a template writes the whole.
    pub(crate) fn renderer(&self) -> Option<&'static dyn Renderer> {
        match self.options.template {
            Some(_) => None,
            None => Some(self.options.format.renderer()),
        }
    }
}
