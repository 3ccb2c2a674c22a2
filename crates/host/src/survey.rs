//! The files of a pack with their metadata, as the first pass found them. `surveyor` makes a survey.

mod read_files;
mod room;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use loom_engine::fit::{RenderedFile, Weight};
use loom_engine::{FileMeta, Form, LeftOutShare, Overview};
use loom_secrets::{Finding, Replaced};
use loom_source::{FoundFile, LeftOut, Reason};

pub(crate) use self::read_files::{ReadFile, ReadFiles};
pub(crate) use self::room::Room;
use crate::{FoundSecret, Run};

/// Files and totals of a repository, collected before anything is written.
#[derive(Debug)]
pub struct Survey {
    /// Totals, languages and tree.
    pub overview: Overview,
    /// All skipped paths, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Warnings about unreadable rules, without which the selection may be wrong.
    pub warnings: Vec<String>,
    /// Number of files that were skipped because they did not change. The list of skipped paths
    /// does not contain them.
    pub unchanged: usize,
    /// Secrets found by the survey, in the order of the output.
    pub secrets: Vec<FoundSecret>,
    /// Number of findings of the run when the survey ended. Later ones are of changed files.
    pub(crate) recorded: usize,
    pub(crate) files: Vec<Surveyed>,
    /// The run, which continues while the pack is written.
    pub(crate) run: Arc<Run>,
}

/// A file to pack.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) found: FoundFile,
    pub(crate) meta: FileMeta,
    pub(crate) kept: Option<String>,
    /// Secrets in the text, until they are redacted.
    pub(crate) findings: Vec<Finding>,
    /// Redacted spans with their placeholders.
    pub(crate) replaced: Arc<[Replaced]>,
    /// The form in which it is packed.
    pub(crate) form: Form,
    /// Byte range of the text in this part of the output, if the file is split.
    pub(crate) slice: Option<Range<usize>>,
    /// Maximum size, if the output has to fit into a limit.
    pub(crate) ceiling: Option<Ceiling>,
    /// The run that surveyed it, for reading it again.
    pub(crate) run: Arc<Run>,
    /// True if its text was available when the redaction was planned.
    pub(crate) is_planned: bool,
}

/// Planned size of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    bytes: usize,
    tokens: usize,
}

impl Ceiling {
    pub(crate) fn of(weight: &Weight) -> Self {
        Self {
            bytes: weight.bytes,
            tokens: weight.tally.upper(),
        }
    }
}

impl Surveyed {
    /// Describes a file from the cache, without its text.
    pub(crate) fn recalled(run: &Arc<Run>, found: FoundFile, meta: FileMeta) -> Self {
        Self {
            run: Arc::clone(run),
            is_planned: true,
            found,
            meta,
            kept: None,
            findings: Vec::new(),
            replaced: Arc::default(),
            form: Form::Whole,
            slice: None,
            ceiling: None,
        }
    }

    /// Returns true if a rendered piece is within the planned size of the file.
    pub(crate) fn has_room_for(&self, piece: &RenderedFile<'_>) -> bool {
        self.ceiling.is_none_or(|ceiling| {
            piece.bytes() <= ceiling.bytes && piece.tally.upper() <= ceiling.tokens
        })
    }

    pub(crate) fn without_text(&self) -> Self {
        Self {
            found: self.found.clone(),
            meta: self.meta.clone(),
            kept: None,
            findings: Vec::new(),
            replaced: Arc::clone(&self.replaced),
            form: self.form,
            slice: self.slice.clone(),
            ceiling: None,
            run: Arc::clone(&self.run),
            is_planned: self.is_planned,
        }
    }
}

impl Survey {
    /// Returns the files to pack, ordered by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileMeta> {
        self.files.iter().map(|file| &file.meta)
    }

    /// Returns the survey with other files and skipped paths.
    pub(crate) fn with(&self, files: Vec<Surveyed>, mut left_out: Vec<LeftOut>) -> Self {
        left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let metas = files.iter().map(|file| &file.meta);
        Self {
            overview: self
                .overview
                .of_files(metas, shares(&left_out, self.unchanged)),
            left_out,
            warnings: self.warnings.clone(),
            unchanged: self.unchanged,
            secrets: self.secrets.clone(),
            recorded: self.recorded,
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// Returns the survey with other files and without sections or skipped paths, for the parts
    /// after the first.
    pub(crate) fn continued(&self, files: Vec<Surveyed>) -> Self {
        let metas = files.iter().map(|file| &file.meta);
        let mut overview = self.overview.of_files(metas, Vec::new());
        overview.sections.clear();
        Self {
            overview,
            left_out: Vec::new(),
            warnings: self.warnings.clone(),
            unchanged: 0,
            secrets: Vec::new(),
            recorded: self.recorded,
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// Returns the `count` files with most tokens, the largest first.
    pub fn largest(&self, count: usize) -> Vec<&FileMeta> {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
        files.truncate(count);
        files
    }
}

/// Counts the skipped files of each reason.
pub(crate) fn shares(left_out: &[LeftOut], unchanged: usize) -> Vec<LeftOutShare> {
    let mut shares: BTreeMap<&'static str, LeftOutShare> = BTreeMap::new();
    let mut add = |reason: &'static str, count: usize, directories: usize| {
        let nothing = LeftOutShare {
            reason,
            count: 0,
            directories: 0,
        };
        let share = shares.entry(reason).or_insert(nothing);
        share.count += count;
        share.directories += directories;
    };
    // Skip the output file of this run: the result must not depend on the existence of an earlier
    // output.
    let is_output = |left: &&LeftOut| left.reason == Reason::OutputFile;
    for left in left_out.iter().filter(|left| !is_output(left)) {
        add(left.reason.kind(), 1, usize::from(left.is_dir));
    }
    if unchanged > 0 {
        add("unchanged", unchanged, 0);
    }
    shares.into_values().collect()
}
