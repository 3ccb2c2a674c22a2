//! The first pass: finds, reads and counts every file and keeps what is known
//! about it, and the text of the first ones up to a bound, so that a small
//! repository is read once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use loom_engine::{FileMeta, LeftOutShare, Overview};
use loom_source::{FoundFile, LeftOut, Reason};

use crate::load::{Loaded, load};
use crate::ordered::{Ahead, ordered};
use crate::{Cancel, PackError, PackOptions, Packer, Progress, Stage};

/// The bytes of text that are kept between the passes.
const KEPT: usize = 48 << 20;

/// Results of this pass are small; the bound only keeps the workers together.
const AHEAD: Ahead = Ahead {
    items: 256,
    weight: usize::MAX,
};

/// What is known about a repository before anything is written.
#[derive(Debug)]
pub struct Survey {
    /// The totals, languages and tree.
    pub overview: Overview,
    /// Everything that was found and left out, ordered by path.
    pub left_out: Vec<LeftOut>,
    pub(crate) files: Vec<Surveyed>,
}

/// A file that will be packed.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) found: FoundFile,
    pub(crate) meta: FileMeta,
    pub(crate) kept: Option<String>,
}

impl Survey {
    /// The files that will be packed, ordered by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileMeta> {
        self.files.iter().map(|file| &file.meta)
    }

    /// The `count` files with most tokens, the largest first.
    pub fn largest(&self, count: usize) -> Vec<&FileMeta> {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
        files.truncate(count);
        files
    }
}

impl Packer {
    /// Finds, reads and counts.
    ///
    /// # Errors
    /// Only when a stop was asked for: what is wrong with single files is part of
    /// the result.
    pub fn survey(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Survey, PackError> {
        progress.begin(Stage::Scan, None);
        let scan = self.source.scan(&self.options.scan);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        progress.begin(Stage::Count, Some(scan.files.len()));
        let mut collected = Collected::new(&self.options, scan.left_out);
        let work = |at: usize| load(&self.source, &self.options, &scan.files[at]);
        ordered(
            scan.files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            work,
            |at, loaded| {
                progress.advance(1);
                collected.add(&scan.files[at], loaded);
                if cancel.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(collected.finish(&self.source.name()))
    }
}

struct Collected<'a> {
    options: &'a PackOptions,
    files: Vec<Surveyed>,
    left_out: Vec<LeftOut>,
    room: usize,
}

impl<'a> Collected<'a> {
    fn new(options: &'a PackOptions, left_out: Vec<LeftOut>) -> Self {
        Self {
            options,
            files: Vec::new(),
            left_out,
            room: KEPT,
        }
    }

    fn add(&mut self, found: &FoundFile, loaded: Result<Loaded, Reason>) {
        match loaded {
            Ok(Loaded { meta, text }) => {
                let kept = self.keep(text);
                self.files.push(Surveyed {
                    found: found.clone(),
                    meta,
                    kept,
                });
            }
            Err(reason) => self.left_out.push(LeftOut {
                path: found.path.clone(),
                is_dir: false,
                reason,
            }),
        }
    }

    fn keep(&mut self, mut text: String) -> Option<String> {
        text.shrink_to_fit();
        let room = self.room.checked_sub(text.len())?;
        self.room = room;
        Some(text)
    }

    fn finish(mut self, name: &str) -> Survey {
        self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let metas = self.files.iter().map(|file| &file.meta);
        let left_out = shares(&self.left_out);
        let mut overview = Overview::new(name, self.options.model.vocabulary, metas, left_out);
        overview.guidance = self.options.guidance.clone();
        Survey {
            overview,
            left_out: self.left_out,
            files: self.files,
        }
    }
}

fn shares(left_out: &[LeftOut]) -> Vec<LeftOutShare> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    // The output of this run is not part of what is packed: whether an earlier one
    // lies there must not change the result.
    let is_output = |left: &&LeftOut| left.reason == Reason::OutputFile;
    for left in left_out.iter().filter(|left| !is_output(left)) {
        *counts.entry(left.reason.kind()).or_default() += 1;
    }
    let share = |(reason, count)| LeftOutShare { reason, count };
    counts.into_iter().map(share).collect()
}
