//! Streams: the size of parts, and the same events in an async task.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use futures_core::Stream as _;
use infiniloom::{
    Buffer, Cancel, Chunk, Control, ErrorKind, Infiniloom, Options, Pack, PackEvent, Snapshot,
    Stream,
};
use loom_testkit::Sandbox;

/// Creates 300 files of 20 kB: more than the buffers of a stream contain.
fn many() -> Sandbox {
    let sandbox = Sandbox::new();
    for at in 0..300 {
        sandbox.write(
            format!("{at:03}.txt"),
            format!("the words of file {at}\n").repeat(900),
        );
    }
    sandbox
}

fn open(sandbox: &Sandbox) -> Snapshot {
    let options = Options::new().set("run.max_memory", "1kb");
    let engine = Infiniloom::builder().options(options).build().unwrap();
    let repository = engine.open(sandbox.work()).unwrap();
    repository.snapshot().unwrap()
}

fn packed(sandbox: &Sandbox) -> Stream<PackEvent> {
    Pack::new().stream(&open(sandbox), Buffer::default(), &Control::new())
}

fn texts(events: impl Iterator<Item = PackEvent>) -> Vec<(String, String)> {
    let file = |event| match event {
        PackEvent::File { info, text, .. } => Some((info.path, text)),
        _ => None,
    };
    events.filter_map(file).collect()
}

#[test]
fn parts_are_no_larger_than_asked_for() {
    let sandbox = Sandbox::new();
    let text = "a few words on a line\n".repeat(500);
    sandbox
        .write("a.txt", &text)
        .write("b.txt", "short\n")
        .write("c.txt", "x".repeat(3_000));
    let pack = Pack::new().part_tokens(100);
    let events = pack.stream(&open(&sandbox), Buffer::default(), &Control::new());
    let events: Vec<_> = events.map(Result::unwrap).collect();
    let mut whole = String::new();
    for event in &events {
        if let PackEvent::File {
            info, text, part, ..
        } = event
        {
            assert!(info.tokens <= 100, "{}", info.tokens);
            if info.path == "a.txt" {
                assert!(part.unwrap().number <= part.unwrap().total);
                whole.push_str(text);
            }
        }
    }
    assert_eq!(whole, text);
    let Some(PackEvent::Summary { files, tokens, .. }) = events.last() else {
        panic!("a summary expected");
    };
    assert_eq!(*files, 3);
    let Some(PackEvent::Metadata(statistics)) = events.first() else {
        panic!("metadata expected");
    };
    assert_eq!(*tokens, statistics.tokens);
}

#[test]
fn marks_that_contradict_each_other_are_an_error() {
    let sandbox = Sandbox::new();
    let snapshot = open(&sandbox);
    for buffer in [
        Buffer::new(0),
        Buffer::new(4).marks(5, 1),
        Buffer::new(8).marks(4, 4),
    ] {
        let mut stream = Pack::new().stream(&snapshot, buffer, &Control::new());
        let error = stream.next().unwrap().unwrap_err();
        assert_eq!(error.code(), "invalid_buffer");
        assert!(stream.next().is_none());
    }
}

#[test]
fn cancelled_stream_ends_with_the_error() {
    let sandbox = many();
    let snapshot = open(&sandbox);
    let cancel = Cancel::new();
    let control = Control::new().with_cancel(&cancel);
    let mut stream = Chunk::new().stream(&snapshot, Buffer::new(2), &control);
    assert!(stream.next().unwrap().is_ok());
    cancel.cancel();
    let last = stream.last().unwrap();
    assert_eq!(last.unwrap_err().kind(), ErrorKind::Cancelled);
    // Dropping a stream cancels only its own reading.
    let other = Cancel::new();
    let control = Control::new().with_cancel(&other);
    let mut stream = Chunk::new().stream(&snapshot, Buffer::new(2), &control);
    assert!(stream.next().unwrap().is_ok());
    drop(stream);
    assert!(!other.is_cancelled());
}

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Returns the events of a task that awaits one after the other.
fn awaited(stream: Stream<PackEvent>) -> Vec<PackEvent> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut stream: Pin<&mut Stream<PackEvent>> = pin!(stream);
    let mut all = Vec::new();
    loop {
        match stream.as_mut().poll_next(&mut context) {
            Poll::Ready(Some(event)) => all.push(event.unwrap()),
            Poll::Ready(None) => return all,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn a_stream_gives_what_the_loop_gives() {
    let sandbox = many();
    let looped = texts(packed(&sandbox).map(Result::unwrap));
    let awaited = texts(awaited(packed(&sandbox)).into_iter());
    assert_eq!(looped.len(), 300);
    assert!(looped == awaited);
}
