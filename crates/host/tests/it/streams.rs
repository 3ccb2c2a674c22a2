//! A pack as a stream of chunks: order, parts of files, budgets, cancellation and async tasks.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use futures_core::Stream;
use loom_host::{
    Cancel, Chunk, Chunks, PackError, PackOptions, PackStream, Pulled, StreamOptions, count,
};
use loom_testkit::{Sandbox, odd_tree};

use crate::fixture::{files_of, pack, packer, paths, reasons, survey};

/// The announced number of files, the files with their texts, and the summary: files, tokens and
/// skipped files.
type Collected = (usize, Vec<(String, String)>, (usize, usize, usize));

fn collected(chunks: Chunks) -> Collected {
    let (mut announced, mut files, mut summary) = (None, Vec::new(), None);
    for chunk in chunks.map(Result::unwrap) {
        assert!(summary.is_none(), "the summary is last");
        match chunk {
            Chunk::Metadata(overview) => announced = Some(overview.files),
            Chunk::File { meta, text, .. } => {
                assert!(announced.is_some(), "the metadata is first");
                files.push((meta.path.display().into_owned(), text));
            }
            Chunk::Summary {
                files,
                total_tokens,
                left_out,
                ..
            } => {
                summary = Some((files, total_tokens, left_out.len()));
            }
            other => panic!("{other:?}"),
        }
    }
    (announced.unwrap(), files, summary.unwrap())
}

#[test]
fn stream_has_the_files_of_the_pack_in_order() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let options = PackOptions {
        format: loom_host::Format::Json,
        ..PackOptions::default()
    };
    let expected = files_of(&pack(&sandbox, options.clone()));
    let whole = survey(&packer(&sandbox, options.clone()));
    for max_memory in [1, PackOptions::MAX_MEMORY] {
        let options = PackOptions {
            max_memory,
            ..options.clone()
        };
        let (announced, files, (count, tokens, left_out)) =
            collected(PackStream::new(packer(&sandbox, options), StreamOptions::default()).start());
        assert_eq!((announced, count), (expected.len(), expected.len()));
        assert_eq!(tokens, whole.overview.tokens);
        assert_eq!(left_out, whole.left_out.len());
        let names: Vec<&String> = files.iter().map(|(path, _)| path).collect();
        assert_eq!(names, paths(&whole).iter().collect::<Vec<_>>());
        assert!(files.iter().all(|(path, text)| expected[path] == *text));
    }
}

#[test]
fn large_files_arrive_in_numbered_parts_of_whole_lines() {
    let sandbox = Sandbox::new();
    let text = "a few words on a line\n".repeat(500);
    let long = "x".repeat(3_000);
    sandbox
        .write("a.txt", &text)
        .write("b.txt", "short\n")
        .write("c.txt", &long);
    let options = PackOptions::default();
    let stream = StreamOptions::default().chunk_tokens(NonZero::new(100).unwrap());
    let mut whole = [String::new(), String::new(), String::new()];
    let mut parts = [0, 0, 0];
    for chunk in PackStream::new(packer(&sandbox, options.clone()), stream)
        .start()
        .map(Result::unwrap)
    {
        let Chunk::File {
            meta, text, part, ..
        } = chunk
        else {
            continue;
        };
        let at = usize::from(meta.path.as_bytes()[0] - b'a');
        parts[at] += 1;
        assert!(meta.upper <= 100 && count(&text, &options.model).upper() <= 100);
        match part {
            Some(part) => assert_eq!(part.number, parts[at]),
            None => assert_eq!(parts[at], 1),
        }
        if at == 0 {
            assert_eq!(meta.first_line, 1 + whole[0].lines().count());
            assert!(text.ends_with('\n'));
        }
        whole[at].push_str(&text);
    }
    assert_eq!(whole, [text, "short\n".to_owned(), long]);
    assert!(parts[0] > 10 && parts[1] == 1 && parts[2] > 1, "{parts:?}");
}

#[test]
fn stream_within_a_budget_has_the_files_of_the_pack_within_it() {
    let sandbox = Sandbox::new();
    for at in 0..40 {
        sandbox.write(format!("src/{at}.py"), format!("x = {at}\n").repeat(100));
    }
    let options = PackOptions::default();
    let read = |budget: Option<usize>| {
        collected(
            PackStream::new(packer(&sandbox, options.clone()), StreamOptions::default())
                .within(budget)
                .start(),
        )
    };
    assert_eq!(read(None).2.0, 40);
    for budget in [2_000, 6_000] {
        let (_, files, (shown, total, skipped)) = read(Some(budget));
        let tokens: usize = files
            .iter()
            .map(|(_, text)| count(text, &options.model).upper())
            .sum();
        assert!(
            tokens <= budget && total <= budget && tokens > budget / 2,
            "{tokens} of {budget}"
        );
        assert_eq!((files.len(), shown + skipped), (shown, 40));
    }
    let mut refused = PackStream::new(packer(&sandbox, options.clone()), StreamOptions::default())
        .within(Some(1))
        .start();
    assert!(matches!(
        refused.next(),
        Some(Err(PackError::BudgetTooSmall { .. }))
    ));
    assert!(refused.next().is_none());
}

#[test]
fn dropping_a_stream_ends_its_thread() {
    let sandbox = Sandbox::new();
    for at in 0..100 {
        sandbox.write(format!("{at}.txt"), "word ".repeat(200));
    }
    for taken in [0, 1, 5, 30] {
        let mut chunks = PackStream::new(
            packer(&sandbox, PackOptions::default()),
            StreamOptions::default(),
        )
        .start();
        assert_eq!(
            chunks.by_ref().take(taken).map(Result::unwrap).count(),
            taken
        );
        drop(chunks);
    }
}

#[test]
fn cancelled_stream_ends_with_an_error_and_leaves_others() {
    let sandbox = Sandbox::new();
    for at in 0..100 {
        sandbox.write(format!("{at}.txt"), "word ".repeat(200));
    }
    let packer = Arc::new(packer(&sandbox, PackOptions::default()));
    let stream = StreamOptions::default().buffered(2, 2, 1).unwrap();
    let cancel = Cancel::new();
    let mut chunks = PackStream::new(Arc::clone(&packer), stream)
        .within(None)
        .start_until(&cancel);
    assert!(chunks.next().unwrap().is_ok());
    drop(chunks);
    assert!(
        !cancel.is_cancelled(),
        "dropping a stream cancels only its own reading"
    );
    cancel.cancel();
    let mut chunks = PackStream::new(packer, stream)
        .within(None)
        .start_until(&cancel);
    assert!(matches!(chunks.next(), Some(Err(PackError::Cancelled))));
}

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Returns the items that an async task gets.
fn awaited<T>(stream: Pulled<T>) -> Vec<T> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut stream: Pin<&mut Pulled<T>> = pin!(stream);
    let mut all = Vec::new();
    loop {
        match stream.as_mut().poll_next(&mut context) {
            Poll::Ready(Some(item)) => all.push(item.unwrap()),
            Poll::Ready(None) => return all,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn async_task_gets_what_a_loop_gets() {
    let spawn = |count: usize| {
        let stream = StreamOptions::default().buffered(3, 2, 1).unwrap();
        Pulled::spawn(stream, &Cancel::new(), move |emit, _| {
            let _ = (0..count).try_for_each(|at| emit(at, 1));
            Ok(())
        })
    };
    for count in [0, 1, 2, 3, 500] {
        let expected: Vec<usize> = (0..count).collect();
        assert_eq!(awaited(spawn(count)), expected);
        assert_eq!(
            spawn(count).map(Result::unwrap).collect::<Vec<_>>(),
            expected
        );
    }
}

#[test]
fn error_and_panic_of_the_producer_reach_the_consumer() {
    let spawn = |panics: bool| {
        Pulled::spawn(StreamOptions::default(), &Cancel::new(), move |emit, _| {
            let _: ControlFlow<()> = emit(1, 1);
            assert!(!panics, "a defect");
            Err(PackError::Cancelled)
        })
    };
    let mut failed = spawn(false);
    assert!(matches!(failed.next(), Some(Ok(1))));
    assert!(matches!(failed.next(), Some(Err(PackError::Cancelled))));
    assert!(failed.next().is_none());
    let mut broken = spawn(true);
    assert!(matches!(broken.next(), Some(Ok(1))));
    assert!(matches!(broken.next(), Some(Err(PackError::ReaderStopped))));
    assert!(broken.next().is_none());
}

#[test]
fn secrets_of_later_files_are_redacted_in_earlier_ones() {
    let sandbox = Sandbox::new();
    let password = crate::fixture::password();
    sandbox
        .write("a.txt", format!("we saw {password}\n"))
        .write("z.yaml", format!("password: {password}\n"));
    let (_, files, _) = collected(
        PackStream::new(
            packer(&sandbox, PackOptions::default()),
            StreamOptions::default(),
        )
        .start(),
    );
    assert_eq!(files[0].1, "we saw [REDACTED:password:1]\n");
    let left = survey(&packer(&sandbox, PackOptions::default())).left_out;
    assert!(reasons(&left).is_empty());
}
