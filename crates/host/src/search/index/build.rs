//! Brings the index of a tree up to date: contents that it does not know are read and
//! put into new segments. No secret enters it: texts are indexed without theirs, and a
//! content that had one is looked at by every query.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use loom_base::ContentHash;
use loom_search::{Contents, Segment, SegmentBuilder};
use loom_secrets::{Numbers, Replaced, redact};
use loom_source::{FoundFile, Reading, Reason, decode};
use loom_syntax::{Language, Limits, Structure, extract};

use super::files::{all_segments, open_segment, tidy, write_segment, write_tree};
use super::{Index, Location};
use crate::search::freshness::{NO_TEXT, Seen, Stamp, now};
use crate::{Cancel, PackError, Packer, Progress, SecretsMode, SecretsOptions, Stage};

/// The texts of one segment: enough for short lists in one place, few enough for each
/// thread to hold one while it is made.
const TEXT_BYTES: usize = 48 << 20;
/// Segments with fewer contents than this are small: when there are many, what lives in
/// them is indexed again, together.
const SMALL: usize = 1000;
const MANY_SMALL: usize = 8;

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

/// What all threads share.
struct Work<'a> {
    packer: &'a Packer,
    location: &'a Location,
    files: &'a [FoundFile],
    stamps: &'a [Option<Stamp>],
    /// Files to be read, by number.
    todo: Vec<usize>,
    next: AtomicUsize,
    done: Mutex<Done>,
    secrets: SecretsOptions,
}

#[derive(Default)]
struct Done {
    names: Vec<String>,
    seen: Seen,
    indexed: usize,
    failed: Option<io::Error>,
    /// The contents of files that were read now, by number.
    read: Vec<(usize, ContentHash)>,
    /// Contents that somebody is at.
    taken: std::collections::HashSet<ContentHash>,
}

impl Index {
    /// Indexes what is new among `files`, and writes it down. Says also which contents
    /// the files have that were read for it.
    pub(in crate::search) fn update(
        &mut self,
        packer: &Packer,
        location: &Location,
        (files, stamps): (&[FoundFile], &[Option<Stamp>]),
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(Built, Vec<(usize, ContentHash)>), PackError> {
        self.borrow_from_others(location);
        self.drop_small();
        let mut seen = Seen::default();
        let mut todo = Vec::new();
        for (at, file) in files.iter().enumerate() {
            match (self.seen.hash(&file.path, stamps[at]), stamps[at]) {
                (Some(hash), Some(stamp)) if self.knows(&hash) => {
                    seen.insert(file.path.clone(), stamp, hash);
                }
                _ => todo.push(at),
            }
        }
        progress.begin(Stage::Count, Some(todo.len()));
        let work = Work {
            packer,
            location,
            files,
            stamps,
            todo,
            next: AtomicUsize::new(0),
            done: Mutex::new(Done {
                seen,
                ..Done::default()
            }),
            secrets: SecretsOptions::new(SecretsMode::Redact),
        };
        let threads = packer.options.thread_count().min(work.todo.len().max(1));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| work.run(self, progress, cancel));
            }
        });
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        let mut done = work
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let read = std::mem::take(&mut done.read);
        Ok((self.finish(location, done)?, read))
    }

    fn finish(&mut self, location: &Location, done: Done) -> Result<Built, PackError> {
        if let Some(error) = done.failed {
            return Err(PackError::Write(error));
        }
        for name in done.names {
            if let Some(segment) = open_segment(location, &name) {
                self.add(name, segment);
            }
        }
        self.seen = done.seen;
        let used = self.used();
        let names: Vec<String> = self
            .segments
            .iter()
            .zip(used)
            .filter(|(_, live)| *live > 0)
            .map(|(named, _)| named.name.clone())
            .collect();
        write_tree(location, &names, &self.seen).map_err(PackError::Write)?;
        tidy(location);
        let (size, text) = self.size();
        Ok(Built {
            indexed: done.indexed,
            size,
            text,
        })
    }

    /// How many contents of each segment are alive.
    fn used(&self) -> Vec<usize> {
        let mut used = vec![0; self.segments.len()];
        for hash in self.seen.hashes() {
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
    fn drop_small(&mut self) {
        let used = self.used();
        let is_small = |(named, live): (&super::Named, &usize)| {
            let count = Segment::len(&named.segment);
            count < SMALL || live * 3 < count
        };
        let small: Vec<bool> = self.segments.iter().zip(&used).map(is_small).collect();
        if small.iter().filter(|small| **small).count() <= MANY_SMALL {
            return;
        }
        let kept = std::mem::take(&mut self.segments);
        self.places.clear();
        for (named, is_small) in kept.into_iter().zip(small) {
            if !is_small {
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
            if builder.text_bytes() > TEXT_BYTES {
                self.write(std::mem::take(&mut builder));
            }
        }
        if !builder.is_empty() && !cancel.is_cancelled() {
            self.write(builder);
        }
    }

    fn index(&self, at: usize, known: &Index, builder: &mut SegmentBuilder) {
        let (file, looked) = (&self.files[at], now());
        let limit = self.packer.options.max_file_size;
        let reading = self.packer.source.read(file, limit);
        let text = |reading: Reading| Some((reading.hash, decode(reading.bytes).ok()?.text));
        let (hash, text) = match reading.map(text) {
            Ok(Some((hash, text))) => (hash, Some(text)),
            Ok(None) | Err(Reason::Binary) => (NO_TEXT, None),
            Err(_) => return,
        };
        // A stamp that was taken before the read is of this version or of an older one.
        let stamp = self.stamps[at].filter(|stamp| stamp.is_settled(looked));
        let is_new = {
            let mut done = self.lock();
            done.read.push((at, hash));
            if let Some(stamp) = stamp {
                done.seen.insert(file.path.clone(), stamp, hash);
            }
            !known.knows(&hash) && done.taken.insert(hash)
        };
        if let Some(text) = text.filter(|_| is_new) {
            self.add(file, hash, text, builder);
        }
    }

    fn add(&self, file: &FoundFile, hash: ContentHash, text: String, builder: &mut SegmentBuilder) {
        let language = Language::detect(&file.path, &text);
        let findings = self.secrets.scan(&file.path, &text);
        let is_always = !findings.is_empty();
        let text = match is_always {
            false => text,
            true => {
                let plan = Replaced::plan(&text, &findings, &mut Numbers::default());
                redact(&text, &plan)
            }
        };
        let structure = match language {
            Some(language) => extract(language, &text, &Limits::default()),
            None => Structure::default(),
        };
        let symbols: Vec<&str> = structure
            .symbols
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let comments: Vec<_> = structure
            .comments
            .iter()
            .map(|one| one.start..one.end)
            .collect();
        builder.add(&Contents {
            hash,
            text: &text,
            is_always,
            symbols: &symbols,
            comments: &comments,
        });
        self.lock().indexed += 1;
    }

    fn write(&self, builder: SegmentBuilder) {
        let bytes = builder.finish();
        match write_segment(self.location, &bytes) {
            Ok(name) => self.lock().names.push(name),
            Err(error) => self.lock().failed = Some(error),
        }
    }
}
