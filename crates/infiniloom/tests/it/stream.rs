//! Chunks: their size, and the same in an async task.

use std::num::NonZero;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use futures_core::Stream;
use infiniloom::{Chunk, Chunks, Repository, StreamOptions};
use loom_testkit::Sandbox;

/// 300 files of 20 kB: more than is kept with little memory.
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

fn open(sandbox: &Sandbox) -> Repository {
    Repository::open(sandbox.work()).unwrap().max_memory(1)
}

fn texts(chunks: impl Iterator<Item = Chunk>) -> Vec<(String, String)> {
    let file = |chunk| match chunk {
        Chunk::File { meta, text, .. } => Some((meta.path.to_string(), text)),
        _ => None,
    };
    chunks.filter_map(file).collect()
}

#[test]
fn chunks_are_no_larger_than_asked_for() {
    let sandbox = Sandbox::new();
    let text = "a few words on a line\n".repeat(500);
    sandbox
        .write("a.txt", &text)
        .write("b.txt", "short\n")
        .write("c.txt", "x".repeat(3_000));
    let options = StreamOptions::default().chunk_tokens(NonZero::new(100).unwrap());
    let chunks: Vec<_> = open(&sandbox)
        .chunks_with(options)
        .map(Result::unwrap)
        .collect();
    let mut whole = String::new();
    let mut lines = 0;
    for chunk in &chunks {
        if let Chunk::File {
            meta, text, part, ..
        } = chunk
        {
            assert!(meta.tokens <= 100, "{}", meta.tokens);
            if meta.path.to_string() == "a.txt" {
                assert_eq!(meta.first_line, lines + 1);
                lines += meta.lines;
                assert!(part.unwrap().number <= part.unwrap().total);
                whole.push_str(text);
            }
        }
    }
    assert_eq!(whole, text);
    let Some(Chunk::Summary {
        files,
        total_tokens,
        ..
    }) = chunks.last()
    else {
        panic!("a summary expected");
    };
    assert_eq!(*files, 3);
    let Some(Chunk::Metadata(overview)) = chunks.first() else {
        panic!("metadata expected");
    };
    assert_eq!(*total_tokens, overview.tokens);
}

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// What a task gets that awaits one chunk after the other.
fn awaited(chunks: Chunks) -> Vec<Chunk> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut chunks: Pin<&mut Chunks> = pin!(chunks);
    let mut all = Vec::new();
    loop {
        match chunks.as_mut().poll_next(&mut context) {
            Poll::Ready(Some(chunk)) => all.push(chunk.unwrap()),
            Poll::Ready(None) => return all,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn a_stream_gives_what_the_loop_gives() {
    let sandbox = many();
    let looped = texts(open(&sandbox).chunks().map(Result::unwrap));
    let awaited = texts(awaited(open(&sandbox).chunks()).into_iter());
    assert_eq!(looped.len(), 300);
    assert!(looped == awaited);
}
