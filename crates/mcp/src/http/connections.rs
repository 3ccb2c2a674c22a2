//! The connections of the server: how many there are, and which of them gives way when
//! there are too many. What a connection says is not known here.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, SizeHint};
use tokio::sync::Notify;

/// All open connections.
#[derive(Clone)]
pub(super) struct Connections {
    most: usize,
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    open: usize,
    /// The number of the next connection that begins to wait.
    next: u64,
    /// Connections that wait for their client, by when they began to.
    waiting: BTreeMap<u64, Arc<Notify>>,
}

/// One open connection. It waits for its client until it [works](Self::work).
#[derive(Clone)]
pub(super) struct Connection(Arc<Open>);

struct Open {
    table: Arc<Mutex<Table>>,
    close: Arc<Notify>,
    /// Its place among those that wait.
    waiting: Mutex<Option<u64>>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            table: Arc::default(),
        }
    }

    /// Admits a connection. If all places are taken, the one that has waited longest for
    /// its client is closed. Returns `None` if every connection is at work.
    pub(super) fn admit(&self) -> Option<Connection> {
        let mut table = lock(&self.table);
        if table.open >= self.most {
            let (_, longest) = table.waiting.pop_first()?;
            longest.notify_one();
        }
        table.open += 1;
        let close = Arc::default();
        let waiting = table.wait(&close);
        Some(Connection(Arc::new(Open {
            table: Arc::clone(&self.table),
            close,
            waiting: Mutex::new(Some(waiting)),
        })))
    }
}

impl Table {
    fn wait(&mut self, close: &Arc<Notify>) -> u64 {
        self.next += 1;
        self.waiting.insert(self.next, Arc::clone(close));
        self.next
    }
}

impl Connection {
    /// Completes when the connection has to give way.
    pub(super) async fn closed(&self) {
        self.0.close.notified().await;
    }

    /// Says that a whole request is here: until the returned value is dropped, the
    /// connection is not closed for others.
    pub(super) fn work(&self) -> Work {
        let waiting = lock(&self.0.waiting).take();
        if let Some(at) = waiting {
            lock(&self.0.table).waiting.remove(&at);
        }
        Work(self.clone())
    }
}

/// A request that is answered.
pub(super) struct Work(Connection);

impl Drop for Work {
    fn drop(&mut self) {
        let open = &self.0.0;
        let at = lock(&open.table).wait(&open.close);
        *lock(&open.waiting) = Some(at);
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        table.open = table.open.saturating_sub(1);
        if let Some(at) = lock(&self.waiting).take() {
            table.waiting.remove(&at);
        }
    }
}

/// A response body whose connection and session are at work until the body ends.
pub(super) struct WorkingBody<B, W> {
    body: B,
    _work: W,
}

impl<B, W> WorkingBody<B, W> {
    pub(super) fn new(body: B, work: W) -> Self {
        Self { body, _work: work }
    }
}

impl<B: Body + Unpin, W: Unpin> Body for WorkingBody<B, W> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A panic elsewhere leaves the table as it was: every change is one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::task::Waker;

    use super::*;

    fn is_closed(connection: &Connection) -> bool {
        let mut closed = Box::pin(connection.closed());
        let mut context = Context::from_waker(Waker::noop());
        closed.as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn longest_waiting_connection_gives_way() {
        let connections = Connections::new(3);
        let open: Vec<Connection> = (0..3).filter_map(|_| connections.admit()).collect();
        let work = open[0].work();
        let fourth = connections.admit().unwrap();
        let closed: Vec<bool> = open.iter().map(is_closed).collect();
        assert_eq!(closed, [false, true, false]);
        drop(fourth);
        // What has answered waits again, behind those that waited before.
        drop(work);
        let _fifth = connections.admit().unwrap();
        assert!(is_closed(&open[2]) && !is_closed(&open[0]));
    }

    #[test]
    fn new_connection_is_refused_while_all_are_at_work() {
        let connections = Connections::new(2);
        let open: Vec<Connection> = (0..2).filter_map(|_| connections.admit()).collect();
        let mut work: Vec<Work> = open.iter().map(Connection::work).collect();
        assert!(connections.admit().is_none());
        work.pop();
        assert!(connections.admit().is_some());
    }

    #[test]
    fn closed_connections_leave_their_places() {
        let connections = Connections::new(2);
        for _ in 0..10 {
            let _open = (connections.admit().unwrap(), connections.admit().unwrap());
        }
        let table = lock(&connections.table);
        assert_eq!((table.open, table.waiting.len()), (0, 0));
    }
}
