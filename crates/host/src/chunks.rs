//! A pack as an iterator: metadata, each file, and a summary. The reading runs on
//! threads of its own and waits when the consumer is slow.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use std::ops::ControlFlow;
use std::thread::JoinHandle;

use loom_engine::{FileMeta, Overview};
use loom_source::LeftOut;

use crate::load::Loaded;
use crate::ordered::{Ahead, ordered};
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, NoProgress, PackError, Packer};

/// How many chunks wait for the consumer at most.
const WAITING: usize = 8;

/// Files read and not yet taken.
const AHEAD: Ahead = Ahead {
    items: 16,
    weight: 8 << 20,
};

/// A piece of a pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Chunk {
    /// First: the totals, languages and tree.
    Metadata(Overview),
    /// Each file in the order of the paths.
    File {
        /// What is known about it.
        meta: FileMeta,
        /// Its text.
        text: String,
    },
    /// Last: what was left out, and why.
    Summary {
        /// Everything that was found and left out.
        left_out: Vec<LeftOut>,
    },
}

type Sender = SyncSender<Result<Chunk, PackError>>;

/// The chunks of a pack. Dropping it stops the reading.
#[derive(Debug)]
pub struct Chunks {
    receiver: Option<Receiver<Result<Chunk, PackError>>>,
    cancel: Cancel,
    worker: Option<JoinHandle<()>>,
}

impl Packer {
    /// Starts reading. Chunks carry the text as it is: formats, templates and line
    /// numbers belong to a written pack.
    pub fn chunks(self) -> Chunks {
        Chunks::start(move |sender, cancel| self.send_all(sender, cancel))
    }

    fn send_all(&self, sender: &Sender, cancel: &Cancel) -> Result<(), PackError> {
        let survey = self.survey(&NoProgress, cancel)?;
        let send = |chunk| sender.send(Ok(chunk)).map_err(|_| PackError::Cancelled);
        send(Chunk::Metadata(survey.overview.clone()))?;
        self.send_files(&survey, |meta, text| send(Chunk::File { meta, text }))?;
        send(Chunk::Summary {
            left_out: survey.left_out,
        })
    }

    fn send_files(
        &self,
        survey: &Survey,
        mut send: impl FnMut(FileMeta, String) -> Result<(), PackError>,
    ) -> Result<(), PackError> {
        let mut result = Ok(());
        ordered(
            survey.files.len(),
            self.options.thread_count(),
            AHEAD,
            |at| survey.files[at].meta.bytes,
            |at| self.text_of(&survey.files[at]),
            |_, Loaded { meta, text }| {
                result = send(meta, text);
                if result.is_err() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        result
    }

    fn text_of(&self, file: &Surveyed) -> Loaded {
        let current = self.current(file);
        Loaded {
            meta: current.meta.into_owned(),
            text: current.text.into_owned(),
        }
    }
}

impl Chunks {
    fn start(
        work: impl FnOnce(&Sender, &Cancel) -> Result<(), PackError> + Send + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let worker = std::thread::spawn(move || {
            if let Err(error) = work(&sender, &stop) {
                // Nobody is left to be told when the consumer is gone.
                let _ = sender.send(Err(error));
            }
        });
        Self {
            receiver: Some(receiver),
            cancel,
            worker: Some(worker),
        }
    }

    /// The end of the chunks, or that the reader broke off: told once.
    fn end(&mut self) -> Option<PackError> {
        let ended = self.worker.take()?.join();
        ended.is_err().then_some(PackError::ReaderStopped)
    }
}

impl Iterator for Chunks {
    type Item = Result<Chunk, PackError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.receiver.as_ref()?.recv() {
            Ok(chunk) => Some(chunk),
            Err(_) => self.end().map(Err),
        }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.receiver = None;
        if let Some(worker) = self.worker.take() {
            // Nobody is left to be told of a panic.
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_breaks_off_is_no_end() {
        let mut chunks = Chunks::start(|sender, _| {
            let left_out = Vec::new();
            sender.send(Ok(Chunk::Summary { left_out })).unwrap();
            panic!("a defect");
        });
        assert!(matches!(chunks.next(), Some(Ok(Chunk::Summary { .. }))));
        assert!(matches!(chunks.next(), Some(Err(PackError::ReaderStopped))));
        assert!(chunks.next().is_none());
        assert!(Chunks::start(|_, _| Ok(())).next().is_none());
    }
}
