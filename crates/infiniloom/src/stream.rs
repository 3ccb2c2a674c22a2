//! Results that the caller pulls: a slow consumer pauses the reading.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use loom_host::{PackError, Pulled, StreamOptions};

use crate::{Error, Result};

/// The number of items that may wait for their consumer, and the marks at which the producer
/// pauses and resumes. Invalid marks are an error of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    most: usize,
    pause: usize,
    resume: usize,
}

impl Buffer {
    /// Creates a buffer for at most `most` items. The producer pauses there, and resumes at half.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            pause: most,
            resume: most / 2,
        }
    }

    /// Pauses the producer when `pause` items wait, and resumes it at `resume`.
    #[must_use]
    pub fn marks(self, pause: usize, resume: usize) -> Self {
        Self {
            pause,
            resume,
            ..self
        }
    }

    pub(crate) fn options(self) -> Result<StreamOptions> {
        let options = StreamOptions::default().buffered(self.most, self.pause, self.resume);
        options.map_err(|error| Error::invalid("invalid_buffer", error.to_string()))
    }
}

impl Default for Buffer {
    /// Creates a buffer for eight items.
    fn default() -> Self {
        Self::new(8)
    }
}

/// Items that a thread produces. Dropping the stream cancels the thread and joins it.
///
/// It is an [`Iterator`], and a [`Stream`](futures_core::Stream) for async callers.
pub struct Stream<T> {
    items: Box<dyn Items<T>>,
}

impl<T> Stream<T> {
    /// Converts each item when it is read.
    pub(crate) fn converted<S: Send + Sync + 'static>(
        items: Pulled<S>,
        convert: impl FnMut(S) -> T + Send + Sync + Unpin + 'static,
    ) -> Self {
        Self {
            items: Box::new(Converted { items, convert }),
        }
    }
}

impl<T: Send + Sync + Unpin + 'static> Stream<T> {
    /// Creates a stream that fails at once.
    pub(crate) fn failed(error: Error) -> Self {
        Self {
            items: Box::new(Failed(Some(error))),
        }
    }
}

impl<T> Iterator for Stream<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.items.next_item()
    }
}

impl<T> futures_core::Stream for Stream<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        self.items.poll_item(context)
    }
}

impl<T> fmt::Debug for Stream<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// A source of items.
trait Items<T>: Send + Sync {
    fn next_item(&mut self) -> Option<Result<T>>;

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>>;
}

struct Converted<S, F> {
    items: Pulled<S>,
    convert: F,
}

impl<S, F> Converted<S, F> {
    fn converted<T>(&mut self, item: Option<Result<S, PackError>>) -> Option<Result<T>>
    where
        F: FnMut(S) -> T,
    {
        item.map(|item| Ok((self.convert)(item?)))
    }
}

impl<S: Send + Sync, T, F: FnMut(S) -> T + Send + Sync + Unpin> Items<T> for Converted<S, F> {
    fn next_item(&mut self) -> Option<Result<T>> {
        let item = self.items.next();
        self.converted(item)
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let item = futures_core::Stream::poll_next(Pin::new(&mut self.items), context);
        item.map(|item| self.converted(item))
    }
}

struct Failed(Option<Error>);

impl<T> Items<T> for Failed {
    fn next_item(&mut self) -> Option<Result<T>> {
        self.0.take().map(Err)
    }

    fn poll_item(&mut self, _context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        Poll::Ready(self.0.take().map(Err))
    }
}
