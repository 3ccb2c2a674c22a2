//! The first pass: finds, reads and counts every file and keeps what is known
//! about it, and the text of the first ones up to a bound, so that a small
//! repository is read once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_engine::{FileMeta, LeftOutShare, Overview};
use loom_source::{FoundFile, LeftOut, Reason};

use crate::load::load;
use crate::ordered::{Ahead, ordered};
use crate::{Cancel, PackError, PackOptions, Packer, Progress, Stage};

/// The bytes of text that are kept between the passes.
const KEPT: usize = 48 << 20;

/// The text of results that wait behind a slow file is bounded by [`KEPT`]: a
/// worker drops what does not fit. What is left of a result is small.
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
    /// Rules that could not be read, in words, so that the rest may be wrong.
    pub warnings: Vec<String>,
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
        self.survey_keeping(KEPT, progress, cancel)
    }

    /// The same, with text of at most `bytes` bytes kept.
    fn survey_keeping(
        &self,
        bytes: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        progress.begin(Stage::Scan, None);
        let scan = self.source.scan(&self.options.scan);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        progress.begin(Stage::Count, Some(scan.files.len()));
        let mut collected = Collected::new(&self.options, scan.left_out);
        let room = Room(AtomicUsize::new(bytes));
        let work = |at: usize| self.surveyed(&scan.files[at], &room);
        ordered(
            scan.files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            work,
            |at, surveyed| {
                progress.advance(1);
                collected.add(&scan.files[at], surveyed);
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
        let mut survey = collected.finish(&self.source.name());
        survey.warnings = scan.warnings.into_iter().collect();
        Ok(survey)
    }

    fn surveyed(&self, found: &FoundFile, room: &Room) -> Result<Surveyed, Reason> {
        let loaded = load(&self.source, &self.options, found)?;
        Ok(Surveyed {
            found: found.clone(),
            meta: loaded.meta,
            kept: room.keep(loaded.text),
        })
    }
}

/// The bytes of text that may still be kept.
struct Room(AtomicUsize);

impl Room {
    fn keep(&self, mut text: String) -> Option<String> {
        let take = |room: usize| room.checked_sub(text.len());
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, take).ok()?;
        text.shrink_to_fit();
        Some(text)
    }
}

struct Collected<'a> {
    options: &'a PackOptions,
    files: Vec<Surveyed>,
    left_out: Vec<LeftOut>,
}

impl<'a> Collected<'a> {
    fn new(options: &'a PackOptions, left_out: Vec<LeftOut>) -> Self {
        Self {
            options,
            files: Vec::new(),
            left_out,
        }
    }

    fn add(&mut self, found: &FoundFile, surveyed: Result<Surveyed, Reason>) {
        match surveyed {
            Ok(file) => self.files.push(file),
            Err(reason) => self.left_out.push(LeftOut {
                path: found.path.clone(),
                is_dir: false,
                reason,
            }),
        }
    }

    fn finish(mut self, name: &str) -> Survey {
        self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let metas = self.files.iter().map(|file| &file.meta);
        let left_out = shares(&self.left_out);
        let mut overview = Overview::new(name, self.options.model.tokenizer, metas, left_out);
        overview.guidance = self.options.guidance.clone();
        Survey {
            overview,
            left_out: self.left_out,
            warnings: Vec::new(),
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

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::NoProgress;

    /// Those without kept text are read again: they alone show that they changed.
    #[test]
    fn no_more_text_is_kept_than_there_is_room_for() {
        let sandbox = Sandbox::new();
        let names: Vec<_> = (0..10).map(|at| format!("{at}.txt")).collect();
        for name in &names {
            sandbox.write(name, "x".repeat(100));
        }
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let cancel = Cancel::new();
        let survey = packer.survey_keeping(350, &NoProgress, &cancel).unwrap();
        let kept = survey.files.iter().filter(|file| file.kept.is_some());
        assert_eq!(kept.count(), 3);
        for name in &names {
            sandbox.write(name, "other");
        }
        let mut out = Vec::new();
        let written = packer.write(&survey, &mut out, &NoProgress, &cancel);
        assert_eq!(written.unwrap().changed.len(), 7);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches(&"x".repeat(100)).count(), 3);
    }
}
