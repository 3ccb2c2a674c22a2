//! Measures the exact size of an output before it is written. `loom_engine::fit` defines the
//! measure; this module supplies texts and threads.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_engine::fit::{CurrentFile, Scale, Weight};
use loom_engine::{FileMeta, Renderer};
use loom_models::Tally;
use loom_secrets::Replaced;
use loom_source::Reason;

use crate::load::Reread;
use crate::ordered::ordered;
use crate::reread::read_again;
use crate::survey::{Survey, Surveyed};
use crate::write::PackWriter;
use crate::{Cancel, Limit, NoProgress, PackError, Packer};

/// A file with its text in memory.
pub(crate) struct Ready<'a> {
    pub(crate) meta: Cow<'a, FileMeta>,
    pub(crate) text: Cow<'a, str>,
    /// Redacted spans with their placeholders.
    replaced: Arc<[Replaced]>,
}

impl<'a> Ready<'a> {
    /// Returns the current state of a file, or the reason why it cannot be read any more.
    pub(crate) fn read(packer: &Packer, file: &'a Surveyed) -> Result<Self, Reason> {
        if let Some(kept) = &file.kept {
            return Ok(Self {
                meta: Cow::Borrowed(&file.meta),
                text: Cow::Borrowed(kept),
                replaced: Arc::clone(&file.replaced),
            });
        }
        match read_again(packer, file)? {
            Reread::Same(text) => Ok(Self {
                meta: Cow::Borrowed(&file.meta),
                text: Cow::Owned(text),
                replaced: Arc::clone(&file.replaced),
            }),
            Reread::Changed(loaded) => Ok(Self {
                meta: Cow::Owned(loaded.meta),
                text: Cow::Owned(loaded.text),
                replaced: loaded.replaced,
            }),
        }
    }

    /// Drops the list of redacted spans.
    pub(crate) fn into_current(self) -> CurrentFile<'a> {
        CurrentFile {
            meta: self.meta,
            text: self.text,
        }
    }

    /// Drops the list of redacted spans and copies all borrowed data.
    pub(crate) fn into_owned_current<'b>(self) -> CurrentFile<'b> {
        CurrentFile {
            meta: Cow::Owned(self.meta.into_owned()),
            text: Cow::Owned(self.text.into_owned()),
        }
    }
}

/// Measures the files and the output of a pack.
#[derive(Clone, Copy)]
pub(crate) struct PackScale<'a> {
    packer: &'a Packer,
    cancel: &'a Cancel,
}

impl<'a> PackScale<'a> {
    pub(crate) fn new(packer: &'a Packer, cancel: &'a Cancel) -> Self {
        Self { packer, cancel }
    }

    /// Returns the contribution of `file` to an output in which it is not the first.
    pub(crate) fn weigh(self, file: &FileMeta, text: &str) -> Weight {
        match self.renderer() {
            Some(renderer) => self.scale(renderer).weigh(file, text),
            // The size of a template's output is known only for the whole.
            None => Weight {
                tally: Tally::from_counted(self.packer.options.model.tokenizer, text, file.tokens),
                bytes: text.len(),
            },
        }
    }

    /// Weighs many files on all threads, and keeps their texts as long as `room` allows. The text
    /// of a changed file is always kept. A file that cannot be read any more has no weight.
    pub(crate) fn weigh_all(
        self,
        files: &mut [Surveyed],
        which: &[usize],
        room: &mut usize,
        mut found: impl FnMut(usize, Result<Weight, Reason>),
    ) -> Result<(), PackError> {
        let mut fresh: Vec<(usize, FileMeta, String, Arc<[Replaced]>)> = Vec::new();
        let shared = &*files;
        ordered(
            which.len(),
            self.packer.options.thread_count(),
            self.packer.options.memory().ahead(),
            |at| shared[which[at]].meta.bytes,
            |at| {
                let file = &shared[which[at]];
                Ready::read(self.packer, file).map(|ready| {
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
                match self.cancel.is_cancelled() {
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
        match self.cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }

    /// Returns the exact size of the output of `survey`, whose files weigh `weights`.
    pub(crate) fn size<'w>(
        self,
        survey: &Survey,
        weights: impl IntoIterator<Item = &'w Weight>,
        limit: Limit,
    ) -> Result<usize, PackError> {
        let Some(renderer) = self.renderer() else {
            let writer = PackWriter::new(self.packer, survey, &NoProgress, self.cancel);
            let written = writer.write(&mut io::sink())?;
            return Ok(limit.of(written.tokens.upper(), written.bytes));
        };
        let scale = self.scale(renderer);
        let mut weights = weights.into_iter().peekable();
        let has_files = weights.peek().is_some();
        let first = survey.files.first().filter(|_| has_files);
        let first = first.and_then(|file| {
            let ready = Ready::read(self.packer, file).ok()?;
            Some(scale.weigh_first(&ready.meta, ready.text))
        });
        Ok(limit.size(&scale.output(&survey.overview, first, weights)))
    }

    fn scale<'r>(self, renderer: &'r dyn Renderer) -> Scale<'r> {
        Scale::new(renderer, self.packer.options.file_style())
    }

    /// Returns the renderer of single files; `None` if a template renders the whole output.
    pub(crate) fn renderer(self) -> Option<&'static dyn Renderer> {
        match self.packer.options.template {
            Some(_) => None,
            None => Some(self.packer.options.format.renderer()),
        }
    }
}
