//! Updates the index of a root: reads new contents and adds them to new segments. The index
//! contains no secrets: texts are redacted first, and every query reads contents that had secrets.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use loom_base::ContentHash;
use loom_search::{Contents, Segment, SegmentBuilder};
use loom_secrets::{Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_syntax::Structure;

use super::files::{all_segments, open_segment, tidy, write_segment, write_tree};
use super::{Index, Location, seen_as};
use crate::control::Control;
use crate::reading::{FileReader, FileText};
use crate::search::freshness::NO_TEXT;
use crate::{Packer, Stage};

/// Bytes of memory for writing a segment, in addition to its texts.
const WRITING: u64 = 64 << 20;
/// A segment is small if it has fewer contents than this and less than half of the text of a full
/// one. If there are many more of them than threads that write, their live contents are indexed
/// again together.
const SMALL: usize = 1000;
const MANY_SMALL: usize = 8;
/// If more than one in this many contents is unknown, small segments are kept: only reading the
/// files shows which contents are alive.
const FEW_UNKNOWN: usize = 10;

/// Result of an index update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Number of contents that were read and indexed.
    pub indexed: usize,
    /// Size of the whole index in bytes.
    pub size: u64,
    /// Size of the indexed texts in bytes.
    pub text: u64,
}

/// An update of an index, which adds new contents to new segments. Several threads may add texts at
/// the same time.
#[derive(Debug)]
pub(crate) struct IndexUpdate<'a> {
    packer: &'a Packer,
    location: Location,
    index: Index,
    /// Bytes of text in a full segment.
    segment_bytes: usize,
    /// Segments with room for more texts, at most one per thread.
    begun: Mutex<Vec<SegmentBuilder>>,
    done: Mutex<Done>,
}

/// An index after an update.
pub(in crate::search) struct Updated {
    pub(in crate::search) index: Index,
    /// Result of the update, or the error of writing the index.
    pub(in crate::search) built: io::Result<Built>,
    /// Contents of the files that this update read, by file number.
    pub(in crate::search) read: Vec<(usize, ContentHash)>,
}

#[derive(Debug, Default)]
struct Done {
    names: Vec<String>,
    indexed: usize,
    failed: Option<io::Error>,
    read: Vec<(usize, ContentHash)>,
    /// Contents that a thread has claimed.
    taken: HashSet<ContentHash>,
}

impl<'a> IndexUpdate<'a> {
    /// Begins to update `index`, with the known contents of the files.
    pub(in crate::search) fn begin(
        packer: &'a Packer,
        mut index: Index,
        location: Location,
        contents: &[Option<ContentHash>],
    ) -> Self {
        let threads = packer.options.thread_count();
        let segment_bytes = packer.options.memory().segment(threads);
        index.borrow_from_others(&location);
        index.drop_small(contents, threads, segment_bytes as u64);
        Self {
            packer,
            location,
            index,
            segment_bytes,
            begun: Mutex::default(),
            done: Mutex::default(),
        }
    }

    /// Returns true if a file with these contents must be read. `contents` is `None` if unknown.
    pub(crate) fn needs(&self, contents: Option<ContentHash>) -> bool {
        contents.is_none_or(|hash| !self.index.knows(&hash))
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file, unless the index has its contents.
    pub(crate) fn add(&self, text: &FileText<'_>) {
        let hash = text.hash();
        let is_new = {
            let mut done = self.done();
            done.read.push((text.number(), hash));
            !self.index.knows(&hash) && done.taken.insert(hash)
        };
        if !is_new {
            return;
        }
        let contents = Owned::of(text);
        let begun = self.begun().pop();
        let mut builder = begun.unwrap_or_default();
        builder.add(&contents.borrowed());
        self.done().indexed += 1;
        match builder.text_bytes() > self.segment_bytes {
            true => self.write(builder),
            false => self.begun().push(builder),
        }
    }

    fn begun(&self) -> MutexGuard<'_, Vec<SegmentBuilder>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a file without a text to index.
    pub(in crate::search) fn add_unread(&self, number: usize, reason: &Reason) {
        // A file that is being replaced may have a text with secrets, so it stays unknown.
        if !matches!(reason, Reason::KeptChanging | Reason::Vanished) {
            self.done().read.push((number, NO_TEXT));
        }
    }

    fn write(&self, builder: SegmentBuilder) {
        let memory = WRITING + builder.text_bytes() as u64;
        let bytes = self.packer.parses.with(memory, || builder.finish());
        match write_segment(&self.location, &bytes) {
            Ok(name) => self.done().names.push(name),
            Err(error) => self.done().failed = Some(error),
        }
    }

    /// Reads and adds the files that are not indexed, on several threads.
    pub(in crate::search) fn read_all(
        &self,
        reader: FileReader<'_>,
        files: &[FoundFile],
        contents: &[Option<ContentHash>],
        control: Control<'_>,
    ) {
        let todo = (0..files.len()).filter(|at| self.needs(contents[*at]));
        let todo: Vec<usize> = todo.collect();
        control.progress.begin(Stage::Index, Some(todo.len()));
        let threads = self.packer.options.thread_count().min(todo.len().max(1));
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(at) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                if control.cancel.is_cancelled() {
                    break;
                }
                match reader.file(&files[*at], *at).read() {
                    Ok(text) => self.add(&text),
                    Err(reason) => {
                        control.unread.note(&files[*at], &reason);
                        self.add_unread(*at, &reason);
                    }
                }
                control.progress.advance(1);
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }

    /// Writes the added contents. `contents` are those known before the update.
    pub(in crate::search) fn finish(self, contents: &[Option<ContentHash>]) -> Updated {
        self.write_begun();
        let Self {
            location,
            mut index,
            done,
            ..
        } = self;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let read = std::mem::take(&mut done.read);
        let now: HashMap<usize, ContentHash> = read.iter().copied().collect();
        let alive = (0..contents.len()).filter_map(|at| now.get(&at).copied().or(contents[at]));
        let alive: Vec<_> = alive.collect();
        Updated {
            built: index.finish(&location, done, &alive),
            index,
            read,
        }
    }

    /// Writes the last segments, each on its own thread.
    fn write_begun(&self) {
        let begun = std::mem::take(&mut *self.begun());
        std::thread::scope(|scope| {
            for builder in begun {
                scope.spawn(move || self.write(builder));
            }
        });
    }
}

impl Index {
    fn finish(
        &mut self,
        location: &Location,
        done: Done,
        alive: &[ContentHash],
    ) -> io::Result<Built> {
        if let Some(error) = done.failed {
            return Err(error);
        }
        for name in done.names {
            if let Some(segment) = open_segment(location, &name) {
                self.add(name, segment);
            }
        }
        // Drop segments of other roots that this root does not need.
        let used = self.used(alive.iter());
        self.keep(used.into_iter().map(|live| live > 0));
        let names: Vec<String> = self.segments.iter().map(|one| one.name.clone()).collect();
        write_tree(location, &names)?;
        tidy(location);
        let (size, text) = self.size();
        Ok(Built {
            indexed: done.indexed,
            size,
            text,
        })
    }

    /// Counts the live contents of each segment.
    fn used<'h>(&self, alive: impl Iterator<Item = &'h ContentHash>) -> Vec<usize> {
        let mut used = vec![0; self.segments.len()];
        for hash in alive {
            if let Some(place) = self.places.get(hash) {
                used[place.segment as usize] += 1;
            }
        }
        used
    }

    /// Loads the segments of all roots: another clone or branch shares most contents.
    fn borrow_from_others(&mut self, location: &Location) {
        if !self.segments.is_empty() {
            return;
        }
        for name in all_segments(location) {
            if let Some(segment) = open_segment(location, &name) {
                self.add(name, segment);
            }
        }
    }

    /// Drops segments that are small or have few live contents, if there are many of them.
    /// Otherwise drops only those without live contents.
    fn drop_small(&mut self, contents: &[Option<ContentHash>], threads: usize, full: u64) {
        let unknown = contents.iter().filter(|one| one.is_none()).count();
        if unknown * FEW_UNKNOWN > contents.len() {
            // Only reading the files shows which contents are alive; other roots may have them
            // already.
            return;
        }
        let used = self.used(contents.iter().flatten());
        // Each thread writes one small segment.
        let many = MANY_SMALL + threads;
        let is_small = |(named, live): (&super::Named, &usize)| {
            let count = Segment::len(&named.segment);
            let is_short = named.segment.text_bytes() < full / 2;
            (count < SMALL && is_short) || live * 3 < count
        };
        let mut small: Vec<bool> = self.segments.iter().zip(&used).map(is_small).collect();
        // Segments without live contents in this root are dropped at no cost, so do not count them.
        let needed = small.iter().zip(&used);
        if needed.filter(|(small, live)| **small && **live > 0).count() <= many {
            small = used.iter().map(|live| *live == 0).collect();
        }
        self.keep(small.into_iter().map(|is_small| !is_small));
    }

    /// Drops the other segments.
    fn keep(&mut self, keeps: impl Iterator<Item = bool>) {
        let all = std::mem::take(&mut self.segments);
        self.places.clear();
        for (named, keeps) in all.into_iter().zip(keeps) {
            if keeps {
                self.add(named.name, named.segment);
            }
        }
    }
}

/// A text with its indexed data.
struct Owned<'t> {
    hash: ContentHash,
    seen_as: u32,
    text: Cow<'t, str>,
    is_always: bool,
    symbols: Vec<String>,
    comments: Vec<Range<usize>>,
}

impl<'t> Owned<'t> {
    /// Prepares a text for the index. A text with secrets is redacted first.
    fn of(text: &'t FileText<'_>) -> Self {
        let findings = text.default_findings();
        if findings.is_empty() {
            return Self::new(text, Cow::Borrowed(text.text()), text.structure());
        }
        let plan = Replaced::plan(text.text(), &findings, &mut Numbers::default());
        let redacted = redact(text.text(), &plan);
        let structure = text.structure_of(&redacted);
        Self {
            is_always: true,
            ..Self::new(text, Cow::Owned(redacted), &structure)
        }
    }

    fn new(file: &FileText<'_>, text: Cow<'t, str>, structure: &Structure) -> Self {
        let comments = structure.comments.iter();
        let symbols = structure.symbols.iter();
        Self {
            hash: file.hash(),
            seen_as: seen_as(file.path()),
            text,
            is_always: false,
            comments: comments.map(|one| one.start..one.end).collect(),
            symbols: symbols.map(|one| one.name.clone()).collect(),
        }
    }

    fn borrowed(&self) -> Contents<'_> {
        Contents {
            hash: self.hash,
            seen_as: self.seen_as,
            text: &self.text,
            is_always: self.is_always,
            symbols: &self.symbols,
            comments: &self.comments,
        }
    }
}
