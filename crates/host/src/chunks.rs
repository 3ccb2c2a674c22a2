//! A pack as a stream of chunks, for a loop or an async task: metadata, each file, and a summary. A
//! thread reads the files and waits if the consumer is slow.

use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use futures_core::Stream;
use loom_engine::fit::LONG_TOKEN;
use loom_engine::{FileMeta, Overview, Part, excerpt, lines_within};
use loom_source::LeftOut;

use crate::backlog::{Abandoned, Backlog, Marks};
use crate::current::Current;
use crate::load::Loaded;
use crate::ordered::{Lookahead, ordered};
use crate::pack_run::PackRun;
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, NoProgress, PackError, Packer, StreamOptions};

/// Maximum number of files that are read and not yet delivered.
const AHEAD: usize = 16;

/// Maximum number of bytes that wait for the consumer; equals the upper limit of `Memory::ahead`.
const WAITING: usize = 24 << 20;

/// An item of a chunked pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Chunk {
    /// The first chunk: totals, languages and tree.
    Metadata(Overview),
    /// A file. Files arrive in the order of their paths.
    #[non_exhaustive]
    File {
        /// Metadata of the file, or of the part of it in this chunk.
        meta: FileMeta,
        /// Its text.
        text: String,
        /// Number of the part, if the file arrives in several chunks.
        part: Option<Part>,
    },
    /// The last chunk: totals of the delivered files.
    #[non_exhaustive]
    Summary {
        /// Number of delivered files.
        files: usize,
        /// Number of tokens in their texts.
        total_tokens: usize,
        /// All skipped paths with their reasons.
        left_out: Vec<LeftOut>,
    },
}

type Sent<T> = Result<T, PackError>;

/// Items that a thread produces and the consumer pulls, as an iterator or as a stream. Dropping it
/// cancels the thread.
pub struct Pulled<T> {
    backlog: Arc<Backlog<Sent<T>>>,
    cancel: Cancel,
    worker: Option<JoinHandle<()>>,
}

/// The chunks of a pack.
pub type Chunks = Pulled<Chunk>;

impl<T> std::fmt::Debug for Pulled<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pulled").finish_non_exhaustive()
    }
}

/// A pack that is read chunk by chunk. Chunks contain the plain text: formats, templates and line
/// numbers apply only to a written pack.
#[derive(Clone, Debug)]
pub struct PackStream {
    packer: Arc<Packer>,
    stream: StreamOptions,
    budget: Option<usize>,
}

impl PackStream {
    /// Creates a stream of all files.
    pub fn new(packer: impl Into<Arc<Packer>>, stream: StreamOptions) -> Self {
        Self {
            packer: packer.into(),
            stream,
            budget: None,
        }
    }

    /// Selects the files that fit into `budget` tokens, as [`PackRun::fit`] does for a written
    /// pack. If the budget is too small for any file, the first chunk is the error.
    #[must_use]
    pub fn within(self, budget: Option<usize>) -> Self {
        Self { budget, ..self }
    }

    /// Starts reading.
    pub fn start(self) -> Chunks {
        self.start_until(&Cancel::new())
    }

    /// Starts reading; `cancel` ends it.
    pub fn start_until(self, cancel: &Cancel) -> Chunks {
        let marks = marks(self.stream, self.packer.options.memory().ahead().weight);
        Chunks::start(marks, cancel.child(), move |backlog, cancel| {
            self.send_all(backlog, cancel)
        })
    }

    fn send_all(&self, backlog: &Backlog<Sent<Chunk>>, cancel: &Cancel) -> Result<(), PackError> {
        let run = PackRun::new(&self.packer, &NoProgress, cancel);
        let survey = run.survey_within(self.budget)?;
        let put = |chunk, weight| {
            let sent = backlog.put(Ok(chunk), weight);
            sent.map_err(|Abandoned| PackError::Cancelled)
        };
        put(Chunk::Metadata(survey.overview.clone()), 0)?;
        let (mut files, mut total_tokens) = (0, 0);
        self.each_file(&survey, |loaded| {
            backlog.ready().map_err(|Abandoned| PackError::Cancelled)?;
            files += 1;
            total_tokens += loaded.meta.tokens;
            let cut = self.cut(loaded);
            cut.into_iter()
                .try_for_each(|(chunk, weight)| put(chunk, weight))
        })?;
        let left_out = survey.left_out;
        let summary = Chunk::Summary {
            files,
            total_tokens,
            left_out,
        };
        put(summary, 0)
    }

    /// Splits a file into chunks. Returns each with its size in bytes.
    fn cut(&self, Loaded { meta, text, .. }: Loaded) -> Vec<(Chunk, usize)> {
        let tokenizer = self.packer.options.model.tokenizer;
        let most = self
            .stream
            .most_tokens()
            .map_or(usize::MAX, std::num::NonZero::get);
        if meta.upper <= most {
            let weight = text.len();
            return vec![(
                Chunk::File {
                    meta,
                    text,
                    part: None,
                },
                weight,
            )];
        }
        let mut ranges = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let window = &rest[..rest.floor_char_boundary(most.saturating_mul(LONG_TOKEN))];
            let end = start + lines_within(window, |part| tokenizer.count(part).upper() <= most);
            ranges.push(start..end);
            start = end;
        }
        let total = ranges.len();
        let chunk = |(at, range): (usize, std::ops::Range<usize>)| {
            let weight = range.len();
            let chunk = Chunk::File {
                meta: excerpt(&meta, &text, range.clone(), tokenizer),
                text: text[range].to_owned(),
                part: Some(Part {
                    number: at + 1,
                    total,
                }),
            };
            (chunk, weight)
        };
        ranges.into_iter().enumerate().map(chunk).collect()
    }

    fn each_file(
        &self,
        survey: &Survey,
        mut take: impl FnMut(Loaded) -> Result<(), PackError>,
    ) -> Result<(), PackError> {
        let mut result = Ok(());
        let ahead = Lookahead {
            items: AHEAD,
            ..self.packer.options.memory().ahead()
        };
        ordered(
            survey.files.len(),
            self.packer.options.thread_count(),
            ahead,
            |at| survey.files[at].meta.bytes,
            |at| self.text_of(&survey.files[at]),
            |_, loaded| {
                result = take(loaded);
                match result.is_err() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        result
    }

    fn text_of(&self, file: &Surveyed) -> Loaded {
        let current = Current::read(&self.packer, file);
        Loaded {
            meta: current.meta.into_owned(),
            text: current.text.into_owned(),
            findings: Vec::new(),
            replaced: Arc::default(),
            content_key: None,
        }
    }
}

impl<T: Send + 'static> Pulled<T> {
    /// Starts a thread that produces items. `work` emits each item with its size in bytes. Emitting
    /// blocks while too many items wait, and breaks when the consumer is gone.
    pub fn spawn(
        stream: StreamOptions,
        cancel: &Cancel,
        work: impl FnOnce(&mut dyn FnMut(T, usize) -> ControlFlow<()>, &Cancel) -> Result<(), PackError>
        + Send
        + 'static,
    ) -> Self {
        Self::start(
            marks(stream, WAITING),
            cancel.child(),
            move |backlog, cancel| {
                let mut emit = |item, weight| match backlog.put(Ok(item), weight) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(Abandoned) => ControlFlow::Break(()),
                };
                work(&mut emit, cancel)
            },
        )
    }

    fn start(
        marks: Marks,
        cancel: Cancel,
        work: impl FnOnce(&Backlog<Sent<T>>, &Cancel) -> Result<(), PackError> + Send + 'static,
    ) -> Self {
        let backlog = Arc::new(Backlog::new(marks));
        let (theirs, stop) = (Arc::clone(&backlog), cancel.clone());
        let worker = std::thread::spawn(move || {
            let _complete = CompleteOnDrop(&theirs);
            if let Err(error) = work(&theirs, &stop) {
                // If the consumer is gone, no one receives the error.
                let _ = theirs.put(Err(error), 0);
            }
        });
        Self {
            backlog,
            cancel,
            worker: Some(worker),
        }
    }
}

impl<T> Pulled<T> {
    /// Returns an error if the reader panicked, and only once.
    fn end(&mut self) -> Option<PackError> {
        let ended = self.worker.take()?.join();
        ended.is_err().then_some(PackError::ReaderStopped)
    }
}

/// Ends the queue even if the reader panics.
struct CompleteOnDrop<'a, T>(&'a Backlog<Sent<T>>);

impl<T> Drop for CompleteOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.complete();
    }
}

impl<T> Iterator for Pulled<T> {
    type Item = Sent<T>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.backlog.take() {
            Some(chunk) => Some(chunk),
            None => self.end().map(Err),
        }
    }
}

impl<T> Stream for Pulled<T> {
    type Item = Sent<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.backlog.poll(context) {
            Poll::Ready(Some(chunk)) => Poll::Ready(Some(chunk)),
            Poll::Ready(None) => Poll::Ready(self.end().map(Err)),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<T> Drop for Pulled<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.backlog.abandon();
        if let Some(worker) = self.worker.take() {
            // The consumer is gone, so that no one receives a panic.
            let _ = worker.join();
        }
    }
}

/// Returns the thresholds of a queue of chunks with a total weight of at most `weight`.
fn marks(stream: StreamOptions, weight: usize) -> Marks {
    Marks {
        most: stream.most_waiting(),
        pause: stream.pause(),
        resume: stream.resume(),
        weight,
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::PackOptions;

    const MARKS: Marks = Marks {
        most: 2,
        pause: 2,
        resume: 1,
        weight: 1000,
    };

    #[test]
    fn a_reader_that_breaks_off_is_no_end() {
        let mut chunks = Chunks::start(MARKS, Cancel::new(), |backlog, _| {
            let summary = Chunk::Summary {
                files: 0,
                total_tokens: 0,
                left_out: Vec::new(),
            };
            backlog.put(Ok(summary), 0).unwrap();
            panic!("a defect");
        });
        assert!(matches!(chunks.next(), Some(Ok(Chunk::Summary { .. }))));
        assert!(matches!(chunks.next(), Some(Err(PackError::ReaderStopped))));
        assert!(chunks.next().is_none());
        assert!(
            Chunks::start(MARKS, Cancel::new(), |_, _| Ok(()))
                .next()
                .is_none()
        );
    }

    /// A file that changes while the consumer pauses is read in its new state.
    #[test]
    fn slow_consumer_holds_the_reading_back() {
        let sandbox = Sandbox::new();
        for at in 0..300 {
            let text = format!("the words of file {at}\n").repeat(900);
            sandbox.write(format!("{at:03}.txt"), text);
        }
        let options = PackOptions {
            max_memory: 1,
            ..PackOptions::default()
        };
        let packer = Packer::open(&[sandbox.work()], options).unwrap();
        let stream = StreamOptions::default().buffered(3, 2, 1).unwrap();
        let mut chunks = PackStream::new(packer, stream).start();
        let first = chunks.next().unwrap().unwrap();
        assert!(matches!(first, Chunk::Metadata(_)));
        assert!(chunks.backlog.is_held(), "everything was read");
        sandbox.write("299.txt", "changed while it waited\n");
        let text = |chunk| match chunk {
            Ok(Chunk::File { text, .. }) => Some(text),
            _ => None,
        };
        let texts: Vec<String> = chunks.filter_map(text).collect();
        assert_eq!(texts.len(), 300);
        assert_eq!(texts[299], "changed while it waited\n");
        assert!(texts[150].starts_with("the words of file 150\n"));
    }
}
