//! Brings the index of a tree up to date: contents that it does not know are read and
//! put into new segments. No secret enters it: texts are indexed without theirs, and a
//! content that had one is looked at by every query.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use loom_base::ContentHash;
use loom_search::{Contents, Segment, SegmentBuilder};
use loom_secrets::{Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_store::Seal;
use loom_syntax::{Language, Limits, Structure};

use super::files::{all_segments, open_segment, tidy, write_segment, write_tree};
use super::{Index, Location, seen_as};
use crate::cache::{Met, Recall};
use crate::search::freshness::NO_TEXT;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress, SecretsMode, SecretsOptions, Stage};

/// The bytes of memory that a segment takes while its lists are written, beside its texts.
const WRITING: u64 = 64 << 20;
/// Segments with fewer contents than this and less than half of the text of a full one are
/// small: when there are many more than the threads that write them, what lives in them is
/// indexed again, together.
const SMALL: usize = 1000;
const MANY_SMALL: usize = 8;
/// Of a tree of which one file in so many is not known, all has to be read first.
const FEW_UNKNOWN: usize = 10;

/// What bringing an index up to date did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Contents that were read and indexed.
    pub indexed: usize,
    /// Bytes of the whole index.
    pub size: u64,
    /// Bytes of the texts that it is about.
    pub text: u64,
}

/// The files of a tree, with what is known about them.
pub(in crate::search) struct Tree<'a> {
    pub(in crate::search) packer: &'a Packer,
    pub(in crate::search) unread: &'a Unread,
    pub(in crate::search) recall: &'a Recall<'a>,
    pub(in crate::search) files: &'a [FoundFile],
    /// Their contents; `None` for one that has to be read.
    pub(in crate::search) contents: &'a [Option<ContentHash>],
}

/// What all threads share.
struct Work<'a> {
    tree: &'a Tree<'a>,
    location: &'a Location,
    /// Files to be read, by number.
    todo: Vec<usize>,
    next: AtomicUsize,
    done: Mutex<Done>,
    secrets: SecretsOptions,
    limits: Limits,
    /// The bytes of text of a segment that is full.
    segment_bytes: usize,
}

#[derive(Default)]
struct Done {
    names: Vec<String>,
    indexed: usize,
    failed: Option<io::Error>,
    /// The contents of files that were read now, by number.
    read: Vec<(usize, ContentHash)>,
    /// Contents that somebody is at.
    taken: HashSet<ContentHash>,
}

impl Index {
    /// Indexes what is new in a tree, and writes it down. Says also which contents the
    /// files have that were read for it.
    pub(in crate::search) fn update(
        &mut self,
        tree: &Tree<'_>,
        location: &Location,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(Built, Vec<(usize, ContentHash)>), PackError> {
        self.borrow_from_others(location);
        self.drop_small(tree);
        let is_new = |hash: &Option<ContentHash>| hash.is_none_or(|hash| !self.knows(&hash));
        let todo: Vec<usize> = (0..tree.files.len())
            .filter(|at| is_new(&tree.contents[*at]))
            .collect();
        progress.begin(Stage::Index, Some(todo.len()));
        let threads = tree.packer.options.thread_count().min(todo.len().max(1));
        let work = Work {
            tree,
            location,
            todo,
            next: AtomicUsize::new(0),
            done: Mutex::default(),
            secrets: SecretsOptions::new(SecretsMode::Redact),
            limits: tree.packer.options.parse_limits(),
            segment_bytes: segment_bytes(tree),
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| work.run(self, progress, cancel));
            }
        });
        tree.recall.finish();
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        let mut done = work
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let read = std::mem::take(&mut done.read);
        let now: HashMap<usize, ContentHash> = read.iter().copied().collect();
        let alive =
            (0..tree.files.len()).filter_map(|at| now.get(&at).copied().or(tree.contents[at]));
        let built = self.finish(location, done, &alive.collect::<Vec<_>>())?;
        Ok((built, read))
    }

    fn finish(
        &mut self,
        location: &Location,
        done: Done,
        alive: &[ContentHash],
    ) -> Result<Built, PackError> {
        if let Some(error) = done.failed {
            return Err(PackError::Write(error));
        }
        for name in done.names {
            if let Some(segment) = open_segment(location, &name) {
                self.add(name, segment);
            }
        }
        // What was borrowed and is not needed goes back.
        let used = self.used(alive.iter());
        self.keep(used.into_iter().map(|live| live > 0));
        let names: Vec<String> = self.segments.iter().map(|one| one.name.clone()).collect();
        write_tree(location, &names).map_err(PackError::Write)?;
        tidy(location);
        let (size, text) = self.size();
        Ok(Built {
            indexed: done.indexed,
            size,
            text,
        })
    }

    /// How many contents of each segment are alive.
    fn used<'h>(&self, alive: impl Iterator<Item = &'h ContentHash>) -> Vec<usize> {
        let mut used = vec![0; self.segments.len()];
        for hash in alive {
            if let Some(place) = self.places.get(hash) {
                used[place.segment as usize] += 1;
            }
        }
        used
    }

    /// A clone of a tree that was indexed, or another branch of it, has most contents.
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

    /// Forgets small segments when there are many, and those of which little is alive.
    fn drop_small(&mut self, tree: &Tree<'_>) {
        let unknown = tree.contents.iter().filter(|one| one.is_none()).count();
        if unknown * FEW_UNKNOWN > tree.contents.len() {
            // What is alive is found out by reading; others may have it already.
            return;
        }
        let used = self.used(tree.contents.iter().flatten());
        // Every thread writes one.
        let many = MANY_SMALL + tree.packer.options.thread_count();
        let full = segment_bytes(tree) as u64;
        let is_small = |(named, live): (&super::Named, &usize)| {
            let count = Segment::len(&named.segment);
            let is_short = named.segment.text_bytes() < full / 2;
            (count < SMALL && is_short) || live * 3 < count
        };
        let mut small: Vec<bool> = self.segments.iter().zip(&used).map(is_small).collect();
        // What only other trees need costs nobody here anything.
        let needed = small.iter().zip(&used);
        if needed.filter(|(small, live)| **small && **live > 0).count() <= many {
            small = used.iter().map(|live| *live == 0).collect();
        }
        self.keep(small.into_iter().map(|is_small| !is_small));
    }

    /// Forgets the other segments.
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

impl Work<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does.
    fn run(&self, known: &Index, progress: &dyn Progress, cancel: &Cancel) {
        let mut builder = SegmentBuilder::default();
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(at) = self.todo.get(next).filter(|_| !cancel.is_cancelled()) else {
                break;
            };
            self.index(*at, known, &mut builder);
            progress.advance(1);
            if builder.text_bytes() > self.segment_bytes {
                self.write(std::mem::take(&mut builder));
            }
        }
        if !builder.is_empty() && !cancel.is_cancelled() {
            self.write(builder);
        }
    }

    fn index(&self, at: usize, known: &Index, builder: &mut SegmentBuilder) {
        let Tree { packer, recall, .. } = self.tree;
        let file = &self.tree.files[at];
        let limit = packer.options.max_file_size;
        let (reading, _held) = match packer.read_in_turn(file, limit, (recall, at)) {
            Ok(read) => read,
            Err(reason) => {
                self.tree.unread.note(file, &reason);
                // A file that is being replaced has a text that may teach secrets.
                if !matches!(reason, Reason::KeptChanging | Reason::Vanished) {
                    self.lock().read.push((at, NO_TEXT));
                }
                return;
            }
        };
        let met = recall.met(at, &reading);
        let seal = met.as_ref().map(|_| Seal::of(&reading.bytes));
        let hash = reading.hash;
        let text = recall.decoded(at, reading).ok().map(|decoded| decoded.text);
        let is_new = {
            let mut done = self.lock();
            done.read
                .push((at, if text.is_some() { hash } else { NO_TEXT }));
            !known.knows(&hash) && done.taken.insert(hash)
        };
        if let Some(text) = text.filter(|_| is_new) {
            let met = met.as_ref().zip(seal.as_ref());
            builder.add(&self.contents(file, hash, text, met).borrowed());
            self.lock().indexed += 1;
        }
    }

    /// What of a text enters the index.
    fn contents(
        &self,
        file: &FoundFile,
        hash: ContentHash,
        text: String,
        met: Option<(&Met, &Seal)>,
    ) -> Owned {
        let seen_as = seen_as(&file.path);
        let language = Language::detect(&file.path, &text);
        let findings = self.secrets.scan(&file.path, &text);
        if !findings.is_empty() {
            let plan = Replaced::plan(&text, &findings, &mut Numbers::default());
            let text = redact(&text, &plan);
            let (packer, limits) = (self.tree.packer, &self.limits);
            let structure = language.map(|language| packer.extract(language, &text, limits));
            return Owned::new((hash, seen_as), text, true, structure.unwrap_or_default());
        }
        let structure = language.map(|language| self.structure(language, &text, met));
        Owned::new((hash, seen_as), text, false, structure.unwrap_or_default())
    }

    /// The structure of a text, from the store where it is there.
    fn structure(&self, language: Language, text: &str, met: Option<(&Met, &Seal)>) -> Structure {
        let (packer, recall, limits) = (self.tree.packer, self.tree.recall, &self.limits);
        let Some((met, seal)) = met else {
            return packer.extract(language, text, limits);
        };
        let known = recall.structure(met, seal, language, limits);
        known.unwrap_or_else(|| {
            let structure = packer.extract(language, text, limits);
            recall.keep_structure(met, seal, language, limits, &structure);
            structure
        })
    }

    fn write(&self, builder: SegmentBuilder) {
        let memory = WRITING + builder.text_bytes() as u64;
        let bytes = self.tree.packer.parses.with(memory, || builder.finish());
        match write_segment(self.location, &bytes) {
            Ok(name) => self.lock().names.push(name),
            Err(error) => self.lock().failed = Some(error),
        }
    }
}

/// The bytes of text of a segment that is full.
fn segment_bytes(tree: &Tree<'_>) -> usize {
    let options = &tree.packer.options;
    options.memory().segment(options.thread_count())
}

/// A text with what is indexed of it.
struct Owned {
    hash: ContentHash,
    seen_as: u32,
    text: String,
    is_always: bool,
    symbols: Vec<String>,
    comments: Vec<Range<usize>>,
}

impl Owned {
    fn new(
        (hash, seen_as): (ContentHash, u32),
        text: String,
        is_always: bool,
        structure: Structure,
    ) -> Self {
        let comments = structure.comments.iter();
        Self {
            hash,
            seen_as,
            text,
            is_always,
            comments: comments.map(|one| one.start..one.end).collect(),
            symbols: structure.symbols.into_iter().map(|one| one.name).collect(),
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
